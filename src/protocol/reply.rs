//! Every line that the engine sends.

use std::fmt;

use crate::eval::Wdl;
use crate::game::Pit;
use crate::options::{Options, SPECS, Spec};
use crate::search::{Answer, Bound, Iteration};

/// A line, or for `uci` a few lines, to a GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The beginning of the answer to `uci`, with the defaults of the options...
    Identification,
    /// ...and its end, `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// A line of a search, with the chances where they are wanted.
    Info(Iteration, Option<Wdl>),
    /// The end of a search.
    BestMove(Answer),
    /// Something for a person; GUIs ignore it.
    String(String),
    /// What was refused and why.
    Error(String),
    /// The moves from a position and how many sequences begin with each.
    PerftMove(Pit, u64),
    /// The sum of a perft.
    PerftTotal(u64),
    /// Other output for a person: the lines of `d`, `eval`, `bench`, `help`.
    Text(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Identification => identification(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(iteration, wdl) => info(f, iteration, wdl.as_ref()),
            Reply::BestMove(answer) => bestmove(f, answer),
            Reply::String(text) => write!(f, "info string {text}"),
            Reply::Error(text) => write!(f, "info string error: {text}"),
            Reply::PerftMove(pit, count) => write!(f, "{pit}: {count}"),
            Reply::PerftTotal(count) => write!(f, "nodes {count}"),
            Reply::Text(text) => f.write_str(text),
        }
    }
}

fn identification(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "id name tuzdyq {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(f, "id author {}", env!("CARGO_PKG_AUTHORS"))?;
    let defaults = Options::default();
    let of_spec = |spec: &Spec| (spec.name, spec.kind.declaration(spec.value(&defaults)));
    let options = SPECS.iter().map(of_spec);
    #[cfg(feature = "tune")]
    let options = options.chain(
        crate::search::Parameters::ALL
            .iter()
            .map(|(name, default, min, max)| (*name, format!("spin default {default} min {min} max {max}"))),
    );
    let lines: Vec<String> =
        options.map(|(name, declaration)| format!("option name {name} type {declaration}")).collect();
    f.write_str(&lines.join("\n"))
}

fn info(f: &mut fmt::Formatter<'_>, line: &Iteration, wdl: Option<&Wdl>) -> fmt::Result {
    write!(f, "info depth {} seldepth {} multipv {}", line.depth, line.selective_depth, line.multipv)?;
    write!(f, " score {}", line.score)?;
    match line.bound {
        Bound::Exact => {}
        Bound::Lower => f.write_str(" lowerbound")?,
        Bound::Upper => f.write_str(" upperbound")?,
    }
    if let Some(Wdl { win, draw, loss }) = wdl {
        write!(f, " wdl {win} {draw} {loss}")?;
    }
    let nps = (line.nodes as f64 / line.time.as_secs_f64().max(1e-6)) as u64;
    write!(f, " nodes {} nps {nps} hashfull {} tbhits {}", line.nodes, line.fullness, line.table_hits)?;
    write!(f, " time {} pv", line.time.as_millis())?;
    line.line.iter().try_for_each(|pit| write!(f, " {pit}"))
}

fn bestmove(f: &mut fmt::Formatter<'_>, answer: &Answer) -> fmt::Result {
    match answer.best {
        None => f.write_str("bestmove (none)"),
        Some(best) => {
            write!(f, "bestmove {best}")?;
            answer.ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
        }
    }
}
