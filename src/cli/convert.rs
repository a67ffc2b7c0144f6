//! `tuzdyq convert`: game records from one format into another, checked by the rules on the way.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::records::{self, Format, Writer};
use crate::tools::files;

use super::Failure;
use super::input::{Input, Warnings};

const EXAMPLES: &str = "\
Examples:
  tuzdyq convert games.pgn --to full
  tuzdyq convert sheet.txt --to pgn --strict --out game.pgn
  echo '7 2 3' | tuzdyq convert - --to squares

The format of the input is guessed from its content. docs/records.md describes the formats.

Exit code: 0 also where the rules contradict a record, which is told on stderr; 1 where it cannot be read, or with
--strict where the rules contradict it.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArgs {
    /// The file with the records, or - for stdin
    file: PathBuf,
    /// The format to write: pgn, tgk, short, full, squares, pits, json or fen
    #[arg(long, value_name = "FORMAT", default_value = "pgn", value_parser = parse_format)]
    to: Format,
    /// The file to write; stdout if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Refuse records that the rules contradict, instead of keeping their legal moves
    #[arg(long)]
    strict: bool,
    /// Only this game, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    let format = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
    format.ok_or_else(|| "not pgn, tgk, short, full, squares, pits, json or fen".to_owned())
}

pub(super) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    if let Some(path) = &args.out {
        let wrong = |error| Failure::Usage(format!("{}: {error}", path.display()));
        files::check_place(path).map_err(wrong)?;
    }
    let text = convert(args)?;
    match &args.out {
        None => Ok(io::stdout().write_all(text.as_bytes())?),
        Some(path) => files::write_atomically(path, text.as_bytes())
            .map_err(|error| Failure::Failed(format!("{}: {error}", path.display()))),
    }
}

/// The records in the new format.
fn convert(args: &ConvertArgs) -> Result<String, Failure> {
    let input = Input::read(&args.file)?;
    let name = &input.name;
    let failed = |error: &dyn fmt::Display| Failure::Failed(format!("{name}: {error}"));
    let text = input.text().map_err(|error| failed(&error))?;
    let mut writer = Writer::new(args.to);
    let mut warnings = Warnings::new(name);
    let (mut games, mut written) = (0, 0);
    for reading in records::read(&text) {
        let reading = reading.map_err(|error| failed(&error))?;
        games += 1;
        if args.game.is_some_and(|game| game != games) {
            continue;
        }
        for contradiction in &reading.contradictions {
            if args.strict {
                return Err(failed(contradiction));
            }
            warnings.add(contradiction);
        }
        writer.add(&reading.record);
        written += 1;
        if args.game.is_some() {
            break;
        }
    }
    warnings.end();
    match args.game {
        _ if games == 0 => Err(failed(&"no game in it")),
        Some(game) if written == 0 => Err(Failure::Usage(format!("{name}: no game {game}, only {games}"))),
        _ => Ok(writer.finish()),
    }
}
