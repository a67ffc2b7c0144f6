//! `tuzdyq convert`: game records from one format into another, checked by the rules on the way.

use std::fmt;
use std::path::PathBuf;

use clap::Args;

use crate::records::{self, Format, Writer};

use super::Failure;
use super::input::{Input, Warnings};
use super::output::OutputArgs;

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
    #[arg(long, value_name = "FORMAT", default_value = "pgn", value_parser = parse_format)]
    #[arg(help = format!("The format to write: {}", formats()))]
    to: Format,
    #[command(flatten)]
    output: OutputArgs,
    /// Refuse records that the rules contradict, instead of keeping their legal moves
    #[arg(long)]
    strict: bool,
    /// Only this game, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    let format = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
    format.ok_or_else(|| format!("not {}", formats()))
}

/// The names of all formats.
fn formats() -> String {
    let [others @ .., last] = Format::ALL.map(Format::name);
    format!("{} or {last}", others.join(", "))
}

pub(super) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    args.output.check()?;
    let text = convert(args)?;
    args.output.write(&text)
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
