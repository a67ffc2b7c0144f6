//! The board drawn for a person.

use std::fmt;

use super::super::pit::Pit;
use super::super::position::{Position, Side};
use super::super::variant::Rules;

/// A drawing of a position: North's row above, from its pit 9 to its pit 1, South's below. A tuzdyq is an `X`.
pub struct Diagram<'a, R: Rules>(pub &'a Position<R>);

impl<R: Rules> fmt::Display for Diagram<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = format!("  +{}", "-----+".repeat(R::PITS));
        writeln!(f, "  {}", numbers(Pit::all(R::PITS).rev()))?;
        writeln!(f, "{rule}")?;
        writeln!(f, "{}", self.row(Side::North, Pit::all(R::PITS).rev()))?;
        writeln!(f, "{rule}")?;
        writeln!(f, "{}", self.row(Side::South, Pit::all(R::PITS)))?;
        writeln!(f, "{rule}")?;
        write!(f, "  {}", numbers(Pit::all(R::PITS)))
    }
}

fn numbers(pits: impl Iterator<Item = Pit>) -> String {
    let line: String = pits.map(|pit| format!("{:>4}  ", pit.number())).collect();
    line.trim_end().to_owned()
}

impl<R: Rules> Diagram<'_, R> {
    fn row(&self, side: Side, pits: impl Iterator<Item = Pit>) -> String {
        let half = self.0.half(side);
        let cell = |pit: Pit| match half.stones(pit) {
            _ if half.captured_pit() == Some(pit) => "   X |".to_owned(),
            0 => "   . |".to_owned(),
            stones => format!("{stones:>4} |"),
        };
        let mark = if self.0.turn() == side { '>' } else { ' ' };
        let cells: String = pits.map(cell).collect();
        format!("{mark} |{cells}  {side} {}", half.kazan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Togyzqumalaq;

    #[test]
    fn draws_stones_tuzdyqs_and_kazans() {
        let fen = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";
        let position: Position<Togyzqumalaq> = fen.parse().unwrap();
        let expected = r"
     9     8     7     6     5     4     3     2     1
  +-----+-----+-----+-----+-----+-----+-----+-----+-----+
  |  13 |   2 |  12 |   3 |   2 |   1 |   . |  12 |  12 |  North 15
  +-----+-----+-----+-----+-----+-----+-----+-----+-----+
> |  12 |   2 |  13 |  13 |   X |   3 |  12 |  12 |   1 |  South 22
  +-----+-----+-----+-----+-----+-----+-----+-----+-----+
     1     2     3     4     5     6     7     8     9";
        assert_eq!(Diagram(&position).to_string(), expected.trim_start_matches('\n'));
    }
}
