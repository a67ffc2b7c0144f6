//! `tuzdyq convert`: game records from one format into another, checked by the rules on the way.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::records::{self, Contradiction, Format, Writer};

use super::Failure;
use super::output::OutputArgs;

/// The most bytes that are read: some 100,000 games.
const MAX_INPUT: u64 = 128 << 20;
/// The most contradictions that are shown one by one.
const MAX_SHOWN: usize = 50;

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
    let name = if is_stdin(&args.file) { "stdin".to_owned() } else { args.file.display().to_string() };
    let text = convert(args, &name)?;
    args.output.write(&text)
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The records in the new format.
fn convert(args: &ConvertArgs, name: &str) -> Result<String, Failure> {
    let failed = |error: &dyn fmt::Display| Failure::Failed(format!("{name}: {error}"));
    let bytes = input(&args.file).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(failed(&format!("more than {} MB", MAX_INPUT >> 20)));
    }
    let text = records::decode(&bytes).map_err(|error| failed(&error))?;
    let mut writer = Writer::new(args.to);
    let mut warnings = Warnings { name, count: 0 };
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

fn input(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Tells contradictions on stderr.
struct Warnings<'a> {
    name: &'a str,
    count: usize,
}

impl Warnings<'_> {
    fn add(&mut self, contradiction: &Contradiction) {
        self.count += 1;
        if self.count <= MAX_SHOWN {
            self.tell(contradiction);
        }
    }

    fn end(&self) {
        if let Some(more @ 1..) = self.count.checked_sub(MAX_SHOWN) {
            self.tell(&format!("{more} more contradictions"));
        }
    }

    fn tell(&self, what: &dyn fmt::Display) {
        // Where stderr is closed, there is nobody to tell.
        let _ = writeln!(io::stderr(), "tuzdyq: {}: {what}", self.name);
    }
}
