//! A match of two programs that speak the protocol, in colour-swapped pairs from random openings:
//!
//! ```text
//! cargo run --release --example duel -- ENGINE OPPONENT [GAMES] [GO LIMIT] [SEED]
//! cargo run --release --example duel -- target/release/tuzdyq old/tuzdyq 100 "movetime 100" 1
//! ```
//!
//! The referee is the library; a game that repeats a position three times or lasts 1,000 half-moves is a draw.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use tuzdyq::game::{Game, Side, Togyzqumalaq, parse_move};

const OPENING_PLIES: usize = 4;
const LONGEST_GAME: usize = 1_000;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a program; words after the first of `command` are options to set, as `Name=value`.
    fn start(command: &str) -> Result<Program> {
        let mut words = command.split_whitespace();
        let path = words.next().ok_or("no program named")?;
        let mut child = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut program = Program { child, input, output };
        program.send("uci")?;
        program.wait_for("uciok")?;
        for option in words {
            let (name, value) = option.split_once('=').ok_or("an option is Name=value")?;
            program.send(&format!("setoption name {} value {value}", name.replace('_', " ")))?;
        }
        Ok(program)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        Ok(writeln!(self.input, "{line}")?)
    }

    fn wait_for(&mut self, word: &str) -> Result<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("the program ended before '{word}'").into());
            }
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }

    fn best_move(&mut self, game: &Game<Togyzqumalaq>, limit: &str) -> Result<String> {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        self.send(&format!("position startpos moves {}", moves.join(" ")))?;
        self.send(&format!("go {limit}"))?;
        let line = self.wait_for("bestmove")?;
        Ok(line.split_whitespace().nth(1).unwrap_or_default().to_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let _ = self.child.wait();
    }
}

/// Plays one game from an opening and gives South's points.
fn play(players: [&mut Program; 2], mut game: Game<Togyzqumalaq>, limit: &str) -> Result<f64> {
    let [south, north] = players;
    for player in [&mut *south, &mut *north] {
        player.send("ucinewgame")?;
        player.send("isready")?;
        player.wait_for("readyok")?;
    }
    while game.position().outcome().is_none() && game.occurrences() < 3 && game.moves().len() < LONGEST_GAME {
        let player = if game.position().turn() == Side::South { &mut *south } else { &mut *north };
        let text = player.best_move(&game, limit)?;
        let pit = parse_move(game.position(), &text)?;
        game.play(pit);
    }
    Ok(match game.position().outcome().map(|outcome| outcome.winner()) {
        Some(Some(Side::South)) => 1.0,
        Some(Some(Side::North)) => 0.0,
        _ => 0.5,
    })
}

fn opening(random: &mut StdRng) -> Game<Togyzqumalaq> {
    let mut game = Game::default();
    for _ in 0..OPENING_PLIES {
        if let Some(pit) = game.position().moves().choose(random) {
            game.play(pit);
        }
    }
    game
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (first, second) = (args.next().ok_or("ENGINE missing")?, args.next().ok_or("OPPONENT missing")?);
    let games: usize = args.next().map_or(Ok(100), |text| text.parse())?;
    let limit = args.next().unwrap_or_else(|| "movetime 100".to_owned());
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let (mut a, mut b) = (Program::start(&first)?, Program::start(&second)?);
    let mut random = StdRng::seed_from_u64(seed);
    let mut counts = [0_usize; 3];
    for pair in 0..games.div_ceil(2) {
        let game = opening(&mut random);
        let as_south = play([&mut a, &mut b], game.clone(), &limit)?;
        let as_north = 1.0 - play([&mut b, &mut a], game, &limit)?;
        for points in [as_south, as_north] {
            counts[(2.0 * points) as usize] += 1;
        }
        let [losses, draws, wins] = counts;
        let played = 2 * (pair + 1);
        let score = (wins as f64 + 0.5 * draws as f64) / played as f64;
        let elo = 400.0 * (score.clamp(1e-3, 1.0 - 1e-3) / (1.0 - score.clamp(1e-3, 1.0 - 1e-3))).log10();
        let variance = (wins as f64 * (1.0 - score).powi(2)
            + draws as f64 * (0.5 - score).powi(2)
            + losses as f64 * score.powi(2))
            / played as f64;
        let error = 1.96 * (variance / played as f64).sqrt();
        let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score)).max(1e-3);
        println!(
            "{played} games: +{wins} ={draws} -{losses}, score {score:.3} ± {error:.3}, Elo {elo:+.0} ± {:.0}",
            error * slope
        );
    }
    Ok(())
}
