//! The story of the tuzdyqs of a game.

use crate::game::{Played, Position, Rules, Side};

use super::report::Tuzdyq;

/// The tuzdyqs of a game that begins with this position and goes on with these moves: those that are there already,
/// then those that are made, each with the stones that it brings in.
pub(super) fn tuzdyqs<R: Rules>(start: &Position<R>, moves: impl IntoIterator<Item = Played>) -> Vec<Tuzdyq> {
    let there = |side| start.tuzdyq(side).map(|pit| Tuzdyq { ply: 0, side, pit: pit.number(), stones: 0 });
    let mut tuzdyqs: Vec<Tuzdyq> = Side::BOTH.into_iter().filter_map(there).collect();
    for (ply, played) in (1..).zip(moves) {
        let Played { side, effect, landing, .. } = played;
        for tuzdyq in &mut tuzdyqs {
            tuzdyq.stones += if tuzdyq.side == side { effect.fed } else { effect.lost };
        }
        if effect.tuzdyq {
            tuzdyqs.push(Tuzdyq { ply, side, pit: landing.pit.number(), stones: effect.captured });
        }
    }
    tuzdyqs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyGame, Togyzqumalaq, Variant};

    fn story(fen: Option<&str>, moves: &str) -> (Vec<Tuzdyq>, [u32; 2]) {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let game = AnyGame::from_text(Variant::Togyzqumalaq, fen, &moves).unwrap();
        let game = game.of_rules::<Togyzqumalaq>().unwrap();
        let mut position = *game.start();
        let mut all = Vec::new();
        for &pit in game.moves() {
            let (next, played) = Played::of(&position, pit);
            position = next;
            all.push(played);
        }
        (tuzdyqs(game.start(), all), Side::BOTH.map(|side| position.half(side).kazan()))
    }

    #[test]
    fn a_tuzdyq_brings_what_both_sides_drop_into_it() {
        // The sample of a rulebook.
        let (tuzdyqs, kazans) = story(None, "7 7 5 9 1 8 2 9 9");
        assert_eq!(tuzdyqs, [Tuzdyq { ply: 8, side: Side::North, pit: 1, stones: 3 }]);
        assert_eq!(kazans, [48, 39]);
        // Those that are there already: South feeds its own, and drops a stone into North's.
        let (tuzdyqs, kazans) = story(Some("8,t/8,2S 80 80 S 1"), "9");
        assert_eq!(tuzdyqs, [Tuzdyq { ply: 0, side: Side::South, pit: 1, stones: 1 }]);
        assert_eq!(kazans, [81, 80]);
        let (tuzdyqs, kazans) = story(Some("9/2S,t,7 80 80 S 1"), "1");
        assert_eq!(tuzdyqs, [Tuzdyq { ply: 0, side: Side::North, pit: 2, stones: 1 }]);
        assert_eq!(kazans, [80, 81]);
    }
}
