//! Draws a position as SVG: both rows with their stones, the kazans, the tuzdyqs, the side to move.
//!
//! The drawing has no words and no letters of a language. Its colours are in `board.css`, once for light and once for
//! dark surroundings, as plain rules without variables, which programs other than browsers read too. The page of a
//! review begins with the drawing of a start position and changes only counts, stones and classes of it.

use std::fmt::Write;

use crate::game::{Pit, Position, Rules, Side};

/// The colours, and what is seen of which part.
pub(super) const STYLE: &str = include_str!("board.css");

/// Lengths are in units of the drawing: a board of nine pits is 740 wide, so that two are a pixel on a phone.
const MARGIN: u32 = 28;
const PITCH: u32 = 76;
const HOLE: (u32, u32) = (68, 210);
/// The strip along the edge where the numbers of the pits stand.
const NUMBERS: u32 = 36;
const GAP: u32 = 10;
const KAZAN_HEIGHT: u32 = 84;
const STONE_RADIUS: u32 = 13;
const STONE_PITCH: u32 = 28;
/// How much higher a stone lies than the one under it.
const STACK: u32 = 4;
const ROWS_TOP: [u32; 2] = [NUMBERS + HOLE.1 + 3 * GAP + 2 * KAZAN_HEIGHT, NUMBERS];
const KAZAN_TOP: [u32; 2] = [NUMBERS + HOLE.1 + 2 * GAP + KAZAN_HEIGHT, NUMBERS + HOLE.1 + GAP];
const HEIGHT: u32 = 2 * (NUMBERS + HOLE.1) + 3 * GAP + 2 * KAZAN_HEIGHT;

/// Places for stones: side by side in columns and rows, then in further layers on top of these.
struct Pile {
    columns: u32,
    rows: u32,
    layers: u32,
    /// The middle of the first stone.
    first: (u32, u32),
}

impl Pile {
    /// The pile of a pit, from the hole's upper left corner: layers of ten.
    const PIT: Pile =
        Pile { columns: 2, rows: 5, layers: 5, first: (HOLE.0 / 2 - STONE_PITCH / 2, STONE_RADIUS + 22) };

    /// The pile of a kazan, from its upper left corner; room is left for the count. It has places for all stones.
    const fn kazan(pits: u32) -> Pile {
        let columns = (PITCH * pits - 100) / STONE_PITCH;
        Pile { columns, rows: 2, layers: 5, first: (STONE_RADIUS + 11, STONE_RADIUS + 17) }
    }

    /// The stones as circles. What finds no place any more would hide under others, and is left out.
    fn draw(&self, stones: u32) -> String {
        let layer = self.columns * self.rows;
        let mut circles = String::new();
        for stone in 0..stones.min(layer * self.layers) {
            let (place, height) = (stone % layer, stone / layer);
            // Rows of a pit fill from the top, two by two; a kazan fills column by column.
            let (column, row) = if self.columns > self.rows {
                (place / self.rows, place % self.rows)
            } else {
                (place % self.columns, place / self.columns)
            };
            let x = self.first.0 + column * STONE_PITCH;
            let y = self.first.1 + row * STONE_PITCH - height * STACK;
            // Writing to a string cannot fail.
            let _ = write!(circles, r#"<circle cx="{x}" cy="{y}" r="{STONE_RADIUS}"/>"#);
        }
        circles
    }
}

/// A whole SVG file: needs nothing else, and says the position as FEN in its title.
#[must_use]
pub fn svg<R: Rules>(position: &Position<R>) -> String {
    let (width, drawing) = (width(R::PITS as u32), drawing(position));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\">\n\
         <title>{position}</title>\n<style>\n{STYLE}</style>\n{drawing}</svg>\n"
    )
}

/// The start position for a page, with `data-` attributes that name what a script changes, and two groups outside of
/// what is seen, with as many stones as a pit and a kazan have places for.
pub(super) fn of_page<R: Rules>() -> String {
    let (width, drawing) = (width(R::PITS as u32), drawing(&Position::<R>::start()));
    let (pit, kazan) = (Pile::PIT.draw(u32::MAX), Pile::kazan(R::PITS as u32).draw(u32::MAX));
    format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\">\n<defs><g data-pile=\"pit\">{pit}</g>\
         <g data-pile=\"kazan\">{kazan}</g></defs>\n{drawing}</svg>"
    )
}

const fn width(pits: u32) -> u32 {
    2 * MARGIN + PITCH * pits
}

const fn letter(side: Side) -> char {
    match side {
        Side::South => 's',
        Side::North => 'n',
    }
}

fn drawing<R: Rules>(position: &Position<R>) -> String {
    let pits = R::PITS as u32;
    let width = width(pits);
    let to_move = position.outcome().is_none().then_some(position.turn());
    let mut text = format!(
        "<defs><radialGradient id=\"stone\" cx=\"0.38\" cy=\"0.32\" r=\"0.75\"><stop class=\"stone-light\"/>\
         <stop class=\"stone-dark\" offset=\"1\"/></radialGradient></defs>\n\
         <rect class=\"wood\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"18\"/>\n"
    );
    for side in [Side::North, Side::South] {
        let class = if to_move == Some(side) { "side to-move" } else { "side" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<g class=\"{class}\" data-side=\"{}\">{}", letter(side), turn(side, width));
        for pit in Pit::all(R::PITS) {
            text.push_str(&draw_pit(position, side, pit));
        }
        text.push_str(&draw_kazan(position, side, pits));
        text.push_str("</g>\n");
    }
    text
}

/// The mark of the side to move: an arrow at the end of the row where its pit 1 lies.
fn turn(side: Side, width: u32) -> String {
    let row = ROWS_TOP[side as usize];
    match side {
        Side::South => {
            let y = row + HOLE.1 + NUMBERS / 2 - 2;
            format!("<path class=\"turn\" d=\"M8 {}l18 11l-18 11z\"/>\n", y - 11)
        }
        Side::North => {
            let (x, y) = (width - 8, row - NUMBERS / 2 + 2);
            format!("<path class=\"turn\" d=\"M{x} {}l-18 11l18 11z\"/>\n", y - 11)
        }
    }
}

fn draw_pit<R: Rules>(position: &Position<R>, side: Side, pit: Pit) -> String {
    let half = position.half(side);
    let stones = half.stones(pit);
    let place = match side {
        Side::South => pit.index(),
        Side::North => R::PITS - 1 - pit.index(),
    };
    let x = MARGIN + PITCH * place as u32 + (PITCH - HOLE.0) / 2;
    let y = ROWS_TOP[side as usize];
    let class = if half.captured_pit() == Some(pit) { "pit tuzdyq" } else { "pit" };
    let (middle, (hole_width, hole_height)) = (HOLE.0 / 2, HOLE);
    let count_at = hole_height - 12;
    let number_at = match side {
        Side::South => (hole_height + NUMBERS - 10).to_string(),
        Side::North => format!("-{}", NUMBERS - 26),
    };
    format!(
        "<g class=\"{class}\" data-pit=\"{}{pit}\" transform=\"translate({x} {y})\">\
         <rect class=\"hole\" width=\"{hole_width}\" height=\"{hole_height}\" rx=\"{middle}\"/>\
         <path class=\"mark\" d=\"M{middle} 44l24 34l-24 34l-24 -34z\"/>\
         <g class=\"stones\">{}</g><text class=\"count\" x=\"{middle}\" y=\"{count_at}\">{stones}</text>\
         <text class=\"number\" x=\"{middle}\" y=\"{number_at}\">{pit}</text></g>\n",
        letter(side),
        Pile::PIT.draw(stones)
    )
}

fn draw_kazan<R: Rules>(position: &Position<R>, side: Side, pits: u32) -> String {
    let stones = position.half(side).kazan();
    let (y, width) = (KAZAN_TOP[side as usize], PITCH * pits - 8);
    let count_at = width - 44;
    format!(
        "<g class=\"kazan\" data-kazan=\"{}\" transform=\"translate({} {y})\">\
         <rect class=\"hole\" width=\"{width}\" height=\"{KAZAN_HEIGHT}\" rx=\"{}\"/>\
         <g class=\"stones\">{}</g><text class=\"count\" x=\"{count_at}\" y=\"{}\">{stones}</text></g>\n",
        letter(side),
        MARGIN + 4,
        KAZAN_HEIGHT / 2,
        Pile::kazan(pits).draw(stones),
        KAZAN_HEIGHT / 2 + 14,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Togyzqumalaq;

    #[test]
    fn stones_of_a_pile_lie_apart_or_on_top_of_each_other() {
        let layer = Pile::PIT.draw(10);
        assert_eq!(layer.matches("<circle").count(), 10);
        assert!(Pile::PIT.draw(11).starts_with(&layer));
        assert_eq!(Pile::PIT.draw(162).matches("<circle").count(), 50);
        assert_eq!(Pile::kazan(9).draw(162).matches("<circle").count(), 162);
        assert_eq!(Pile::kazan(5).draw(50).matches("<circle").count(), 50);
    }

    #[test]
    fn nobody_is_to_move_when_the_game_is_over() {
        let over: Position<Togyzqumalaq> = "9/8,1S 81 80 N 50".parse().unwrap();
        assert!(!svg(&over).contains("\"side to-move\""));
        assert!(
            svg(&Position::<Togyzqumalaq>::start()).contains("<g class=\"side to-move\" data-side=\"s\">")
        );
    }
}
