//! New scores for old positions: by a deeper search, or by a better evaluation.

use std::path::Path;
use std::slice;

use rayon::prelude::*;

use crate::eval::Evaluate;
use crate::game::{Game, Rules};

use super::file::{Beginning, Header, Order, Reader, Writer};
use super::play::{Mind, Player, exact_lead, found};
use super::record::{Flags, Record};
use super::sets::summary;
use super::{DatagenError, Told};

/// Searches every position of a file of whole games again, with `nodes` nodes each, and writes the same games with the
/// new scores and best moves. Results stay as they are.
///
/// # Errors
/// When a file cannot be used, or it is stopped; what has been written is found by the next run.
pub fn rescore<R: Rules, E: Evaluate>(
    input: &Path,
    nodes: u64,
    player: &Player<'_, E>,
    threads: usize,
    output: &Path,
    tell: &mut dyn FnMut(Told<'_>),
) -> Result<(), DatagenError> {
    let mut reader = Reader::open(input)?;
    reader.require(R::VARIANT)?;
    let what =
        format!("rescore nodes={nodes} evaluation={} version={}", player.name, env!("CARGO_PKG_VERSION"));
    let origin = summary(&what, slice::from_ref(&reader.header().origin));
    let header = Header { variant: R::VARIANT, order: Order::Games, origin };
    let (mut writer, before) = match Writer::open(output, &header)? {
        Beginning::Complete => {
            tell(Told::There);
            return Ok(());
        }
        Beginning::Part(writer, done) => (writer, done),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
    tell(Told::Begun { done: before, of: None });
    let mut done = 0;
    while let Some(games) = reader.next_games()? {
        done += 1;
        if done <= before {
            continue;
        }
        let scored: Vec<Vec<Record>> = pool.install(|| {
            games.par_iter().map(|game| player.scored::<R>(game, nodes)).collect::<Result<_, DatagenError>>()
        })?;
        if player.control.is_stopped() {
            return Err(DatagenError::Interrupted);
        }
        let records = scored.concat();
        writer.add(&records, done)?;
        tell(Told::Done { done, records: &records });
    }
    Ok(writer.finish(done)?)
}

impl<E: Evaluate> Player<'_, E> {
    /// The records of a game with new scores. The last position comes first, so that the searches of those before it
    /// profit from the table.
    fn scored<R: Rules>(&self, game: &[Record], nodes: u64) -> Result<Vec<Record>, DatagenError> {
        let mut mind = Mind::new()?;
        let mut scored = game.to_vec();
        for record in scored.iter_mut().rev() {
            // The reader has checked the positions.
            let Ok(position) = record.position::<R>() else { continue };
            if position.board().is_over() {
                continue;
            }
            let flags = record.flags();
            if let Some(lead) = exact_lead(position.board(), self.endgames) {
                record.set_score(lead);
                record.set_best(None);
                record.set_flags(flags.with(Flags::EXACT).set(Flags::CAPTURE, false));
                continue;
            }
            let finding = found(&position, &self.search(&Game::new(position), &mut mind, nodes));
            record.set_score(finding.score);
            record.set_best(finding.best);
            let captures = finding.flags.has(Flags::CAPTURE);
            record.set_flags(flags.set(Flags::EXACT, false).set(Flags::CAPTURE, captures));
        }
        Ok(scored)
    }
}
