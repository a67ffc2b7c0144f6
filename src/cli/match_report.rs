//! What `tuzdyq match` shows: a bar on a terminal, lines in a pipe, and the report at the end.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::tools::matches::{Decision, Elo, Ending, Outcome, Record, Settings, Sprt, Tally};

use super::{Failure, progress};

/// Pairs between two lines of progress.
const PAIRS_PER_LINE: u32 = 10;

/// Shows how a match goes.
pub(super) struct Progress {
    /// On a terminal.
    bar: Option<ProgressBar>,
    sprt: Option<Sprt>,
    games: u32,
    /// Pairs that the last line has counted.
    shown: u32,
}

impl Progress {
    pub(super) fn new(settings: &Settings) -> Result<Progress, Failure> {
        let games = settings.games;
        let bar = if io::stderr().is_terminal() {
            Some(progress::bar(Some(games.into()), "{bar:24} {pos}/{len}  {msg}  ETA {eta}")?)
        } else {
            None
        };
        Ok(Progress { bar, sprt: settings.sprt, games, shown: 0 })
    }

    pub(super) fn start(&mut self, tally: &Tally) -> io::Result<()> {
        self.shown = tally.pairs.pairs();
        if let Some(bar) = &self.bar {
            bar.set_position(tally.games().into());
            // The games of an earlier run tell nothing of the speed of this one.
            bar.reset_eta();
            bar.set_message(summary(tally, self.sprt.as_ref()));
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        if tally.games() > 0 {
            self.line(&format!("{} games taken over from the log", tally.games()))?;
        }
        Ok(())
    }

    pub(super) fn game(&mut self, record: &Record, tally: &Tally) -> io::Result<()> {
        if record.fault().is_some() {
            let game = if record.first_is_south { 1 } else { 2 };
            self.line(&format!(
                "game {}.{game}, ply {}: {}",
                record.pair + 1,
                record.plies() + 1,
                record.end
            ))?;
        }
        if let Some(bar) = &self.bar {
            bar.set_position(tally.games().into());
            bar.set_message(summary(tally, self.sprt.as_ref()));
        } else if tally.pairs.pairs() >= self.shown + PAIRS_PER_LINE {
            self.shown = tally.pairs.pairs();
            self.line(&format!(
                "{} of {} games: {}",
                tally.games(),
                self.games,
                summary(tally, self.sprt.as_ref())
            ))?;
        }
        Ok(())
    }

    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) -> io::Result<()> {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => writeln!(io::stdout(), "{text}")?,
        }
        Ok(())
    }
}

/// The results in a few words.
fn summary(tally: &Tally, sprt: Option<&Sprt>) -> String {
    let mut text = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
    if let Some(elo) = tally.pairs.elo() {
        let _ = write!(text, ", Elo {}", elo_in_short(&elo));
    }
    if let Some(sprt) = sprt {
        let _ = write!(text, ", LLR {:.2}", sprt.llr(&tally.pairs));
    }
    text
}

fn elo_in_short(elo: &Elo) -> String {
    match elo.interval {
        Some((low, high)) if (high - low).is_finite() => {
            format!("{:+.1} ± {:.1}", elo.value, (high - low) / 2.0)
        }
        _ => format!("{:+.1}", elo.value),
    }
}

/// Writes the report of a match.
pub(super) fn report(settings: &Settings, outcome: &Outcome) -> io::Result<()> {
    let tally = &outcome.tally;
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = results(&mut text, settings, tally);
    let _ = match (&outcome.ending, &settings.sprt) {
        (ending, Some(sprt)) => {
            let (lower, upper) = sprt.bounds();
            let verdict = match ending {
                Ending::Decided(Decision::H0) => "H0 accepted",
                Ending::Decided(Decision::H1) => "H1 accepted",
                _ => "undecided",
            };
            let Sprt { elo0, elo1, .. } = sprt;
            let llr = sprt.llr(&tally.pairs);
            writeln!(
                text,
                "SPRT   H0 {elo0} Elo, H1 {elo1} Elo: LLR {llr:.2} ({lower:.2} to {upper:.2}), {verdict}"
            )
        }
        _ => Ok(()),
    };
    let _ = engines(&mut text, tally);
    io::stdout().write_all(text.as_bytes())
}

fn results(text: &mut String, settings: &Settings, tally: &Tally) -> std::fmt::Result {
    for (number, engine) in (1..).zip(&settings.engines) {
        writeln!(text, "Engine {number}: {engine}")?;
    }
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    let score = tally.score().map_or_else(|| "-".to_owned(), |score| format!("{score:.4}"));
    let games = tally.games();
    writeln!(text, "Games  {games} with {}: +{wins} ={draws} -{losses}, score {score}", settings.limit)?;
    let [ll, ld, level, dw, ww] = tally.pairs.0;
    writeln!(text, "Pairs  {}: LL {ll}, LD {ld}, DD or WL {level}, DW {dw}, WW {ww}", tally.pairs.pairs())?;
    let elo = match tally.pairs.elo() {
        None => "-".to_owned(),
        Some(Elo { value, interval: None }) => format!("{value:+.1}"),
        Some(Elo { value, interval: Some((low, high)) }) => {
            format!("{value:+.1}, 95 % from {low:+.1} to {high:+.1}")
        }
    };
    let superiority = tally.pairs.superiority();
    let superiority = superiority.map_or_else(|| "-".to_owned(), |chance| format!("{:.1} %", 100.0 * chance));
    writeln!(text, "Elo    {elo}; LOS {superiority}")?;
    let plies = tally.average_plies().map_or_else(|| "-".to_owned(), |plies| format!("{plies:.1}"));
    let (repetitions, limits) = (tally.repetitions, tally.ply_limits);
    writeln!(text, "Plies  {plies} a game; draws by repetition {repetitions}, by the ply limit {limits}")?;
    match (&settings.resignation, tally.agreements) {
        (None, 0) => Ok(()),
        (_, agreements) => writeln!(text, "Agreed {agreements} games that both engines took for decided"),
    }
}

fn engines(text: &mut String, tally: &Tally) -> std::fmt::Result {
    writeln!(
        text,
        "{:<8} {:>11} {:>13} {:>7} {:>5} {:>7} {:>11} {:>8}",
        "engine", "time losses", "illegal moves", "crashes", "hangs", "depth", "nodes/s", "ms/move"
    )?;
    for (number, (faults, usage)) in (1..).zip(tally.faults.iter().zip(&tally.usage)) {
        let or_dash = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let time = usage.time_per_move().map(|time| time.as_secs_f64() * 1000.0);
        writeln!(
            text,
            "{number:<8} {:>11} {:>13} {:>7} {:>5} {:>7} {:>11} {:>8}",
            faults.time,
            faults.illegal,
            faults.crashes,
            faults.hangs,
            or_dash(usage.average_depth(), 1),
            or_dash(usage.nodes_per_second(), 0),
            or_dash(time, 1)
        )?;
    }
    Ok(())
}
