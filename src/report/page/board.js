// The board: a FEN is read and shown in the drawing that came with the page.

/** The pits of a row as a FEN writes them, each a number of stones or "t" for a tuzdyq. */
function pitsOf(row) {
  return row.split(",").flatMap((cell) => {
    if (cell === "t") return ["t"];
    return cell.endsWith("S") ? [parseInt(cell, 10)] : Array(parseInt(cell, 10)).fill(0);
  });
}

/** What a FEN says: `pits` and `kazans` by side, "s" and "n", the pits from 1, and the side to move. */
function readFen(fen) {
  const [rows, south, north, turn] = fen.split(" ");
  const [northRow, southRow] = rows.split("/").map(pitsOf);
  const pits = { s: southRow, n: northRow.reverse() };
  return { pits, kazans: { s: Number(south), n: Number(north) }, turn: turn.toLowerCase() };
}

/** Shows stones in a part of the drawing: as many of the pile as there are. */
function fill(part, pile, count) {
  const circles = [...pile.children].slice(0, count);
  part.querySelector(".stones").replaceChildren(...circles.map((circle) => circle.cloneNode()));
  part.querySelector(".count").textContent = count;
}

/** What a move did to a pit, as a class: what it held before and holds now tells it. */
function change(before, now, isOrigin, isOfMover) {
  if (isOrigin) return "from";
  if (before === now) return "";
  if (now === "t" || (!isOfMover && now < before)) return "taken";
  return "sown";
}

class Board {
  /** Puts the drawing for a variant into a place of the page. */
  constructor(place, variant) {
    place.replaceChildren(document.getElementById(`board-${variant}`).content.cloneNode(true));
    this.svg = place.querySelector("svg");
    this.piles = { pit: this.pile("pit"), kazan: this.pile("kazan") };
  }

  pile(name) {
    return this.svg.querySelector(`[data-pile="${name}"]`);
  }

  /**
   * Shows a position, and the move that led to it: `last` has the FEN before it and the number of the pit; null for
   * none. Nobody is to move when the game is `over`.
   */
  show(fen, last, over) {
    const now = readFen(fen);
    const before = last && readFen(last.fen);
    for (const side of ["s", "n"]) {
      const row = this.svg.querySelector(`[data-side="${side}"]`);
      row.classList.toggle("to-move", !over && now.turn === side);
      fill(row.querySelector(".kazan"), this.piles.kazan, now.kazans[side]);
      now.pits[side].forEach((content, index) => {
        const pit = row.querySelector(`[data-pit="${side}${index + 1}"]`);
        const isOfMover = before?.turn === side;
        const isOrigin = isOfMover && last.pit === index + 1;
        const done = before ? change(before.pits[side][index], content, isOrigin, isOfMover) : "";
        pit.setAttribute("class", `pit ${content === "t" ? "tuzdyq" : ""} ${done}`);
        fill(pit, this.piles.pit, content === "t" ? 0 : content);
      });
    }
  }

  /** What the drawing is called by programs that read the page aloud. */
  describe(text) {
    this.svg.setAttribute("aria-label", text);
  }
}
