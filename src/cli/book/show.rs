//! `tuzdyq book show` and `tuzdyq book info`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::book::{Book, Candidate, Tally};
use crate::cli::{Failure, go};
use crate::game::{AnyGame, Game, Pit, Played, Position, Rules, Variant};
use crate::with_game;

use super::open;

/// The most moves of a line that are shown.
const LONGEST_LINE: usize = 8;

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The position as FEN; the start position if not given
    fen: Option<String>,
    /// Moves to play from there
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// The book; the one built in if not given
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The game: togyzqumalaq, bestemshe or kozdatu
    #[arg(long, default_value_t)]
    variant: Variant,
}

pub(super) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let words = args.moves.iter().flat_map(|moves| moves.split([' ', ',']));
    let moves: Vec<String> = words.filter(|text| !text.is_empty()).map(str::to_owned).collect();
    let game = AnyGame::from_text(args.variant, args.fen.as_deref(), &moves).map_err(Failure::usage)?;
    let book = open(args.book.as_ref())?;
    let found = book.header().variant;
    if found != args.variant {
        return Err(Failure::Failed(format!("the book is of {found}, expected {}", args.variant)));
    }
    let text = with_game!(&game, game => explorer(game, &book))
        .ok_or_else(|| Failure::failed("the position is not in the book"))?;
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// The moves of the position in a table, the best first; `None` where the book knows none.
fn explorer<R: Rules>(game: &Game<R>, book: &Book) -> Option<String> {
    let position = game.position();
    let known = book.ask(position);
    if known.is_empty() {
        return None;
    }
    let games: u64 = known.iter().map(|it| u64::from(it.knowledge.tally.games)).sum();
    let played: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let after = if played.is_empty() { String::new() } else { format!(" after {}", played.join(" ")) };
    let plural = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let moves = plural(known.len() as u64, "move");
    let mut text = format!("{} to move{after}: {moves}, {}\n\n", position.turn(), plural(games, "game"));
    let columns: Vec<Column> = columns(position, book, &known)
        .into_iter()
        .filter(|column| column.cells.iter().any(|cell| cell != "-"))
        .collect();
    text.push_str(&table(&columns, known.len()));
    Some(text)
}

/// A column of the table: a cell for each move, `-` where nothing is known.
struct Column {
    title: &'static str,
    is_text: bool,
    cells: Vec<String>,
}

fn columns<R: Rules>(position: &Position<R>, book: &Book, known: &[Candidate]) -> Vec<Column> {
    let column = |title, cell: &dyn Fn(&Candidate) -> Option<String>| Column {
        title,
        is_text: false,
        cells: known.iter().map(|it| cell(it).unwrap_or_else(|| "-".to_owned())).collect(),
    };
    let share = |part: fn(&Tally) -> u32| {
        move |it: &Candidate| {
            let (tally, all) = (&it.knowledge.tally, it.knowledge.tally.decided());
            (all > 0).then(|| format!("{:.0} %", f64::from(part(tally)) * 100.0 / all as f64))
        }
    };
    let line = |it: &Candidate| {
        let line = book.line(position, it.pit);
        let line: Vec<String> = line.iter().skip(1).take(LONGEST_LINE).map(ToString::to_string).collect();
        (!line.is_empty()).then(|| line.join(" "))
    };
    let text = |column| Column { is_text: true, ..column };
    vec![
        text(column("move", &|it| Some(word(position, it.pit)))),
        column("score", &|it| it.knowledge.analysis.map(|it| go::for_people(it.score))),
        column("depth", &|it| it.knowledge.analysis.map(|it| it.depth.to_string())),
        column("games", &|it| {
            Some(it.knowledge.tally.games).filter(|&games| games > 0).map(|it| it.to_string())
        }),
        column("win", &share(|it| it.wins)),
        column("draw", &share(|it| it.draws)),
        column("loss", &share(|it| it.losses)),
        text(column("goes on", &line)),
    ]
}

/// A move with its landing pit, and what it takes: `76(10)`, `25X`.
fn word<R: Rules>(position: &Position<R>, pit: Pit) -> String {
    let (_, Played { landing, effect, kazan, .. }) = Played::of(position, pit);
    let mark = match effect {
        _ if effect.tuzdyq => "X".to_owned(),
        _ if effect.captured > 0 => format!("({kazan})"),
        _ => String::new(),
    };
    format!("{pit}{}{mark}", landing.pit)
}

/// Numbers stand at the right of their column, texts at the left.
fn table(columns: &[Column], rows: usize) -> String {
    let mut text = String::new();
    let mut line = |cell: &dyn Fn(&Column) -> String| {
        let mut line = String::new();
        for column in columns {
            let width = column.cells.iter().map(String::len).chain([column.title.len()]).max().unwrap_or(0);
            let cell = cell(column);
            // Writing to a string cannot fail.
            let _ = if column.is_text {
                write!(line, "{cell:<width$}  ")
            } else {
                write!(line, "{cell:>width$}  ")
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    };
    line(&|column| column.title.to_owned());
    (0..rows).for_each(|row| line(&|column| column.cells[row].clone()));
    text
}

/// Tells how a book was made and what is in it.
pub(super) fn info(path: Option<&PathBuf>) -> Result<(), Failure> {
    let book = open(path)?;
    let header = book.header();
    let (variant, positions, moves) = (header.variant, header.positions, header.moves);
    let (mut analysed, mut played) = (0, 0);
    for (_, knowledge) in book.positions().flat_map(|(_, moves)| moves) {
        analysed += usize::from(knowledge.analysis.is_some());
        played += usize::from(knowledge.tally.games > 0);
    }
    writeln!(
        io::stdout(),
        "book of {variant}: {positions} positions, {moves} moves ({analysed} with a score, {played} with games), {} bytes",
        book.bytes().len()
    )?;
    Ok(writeln!(io::stdout(), "made by {}", header.origin)?)
}
