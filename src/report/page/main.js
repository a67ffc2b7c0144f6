// What is shown, and what keys and clicks change of it.

const byId = (id) => document.getElementById(id);

class Page {
  constructor(report) {
    this.report = report;
    /** Which game; how many of its moves are played; the move of a line that is shown instead, -1 for before it. */
    this.shown = { game: 0, ply: 0, line: null };
    this.chart = new Chart(byId("chart"), (ply) => this.jump(ply));
    this.listen();
    this.showGame(0);
  }

  get game() {
    return this.report.games[this.shown.game];
  }

  listen() {
    byId("game").addEventListener("change", (event) => this.showGame(event.target.selectedIndex));
    byId("back").addEventListener("click", () => this.leaveLine());
    byId("languages").addEventListener("click", ({ target }) => target.dataset.lang && this.speak(target.dataset.lang));
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.go(button.dataset.go));
    }
    document.addEventListener("keydown", (event) => {
      const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", Escape: "leave" };
      const isOfSelect = event.target instanceof HTMLSelectElement;
      if (isOfSelect || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !keys[event.key]) return;
      event.preventDefault();
      this.go(keys[event.key]);
    });
    new ResizeObserver(() => this.drawChart()).observe(byId("chart"));
  }

  speak(code) {
    lang = code;
    this.drawAll();
  }

  showGame(index) {
    this.shown = { game: index, ply: 0, line: null };
    this.board = new Board(byId("board"), this.game.variant);
    byId("moves").scrollTop = 0;
    this.drawAll();
  }

  jump(ply) {
    this.shown = { ...this.shown, ply, line: null };
    this.update();
    this.lookAtBoard();
  }

  showLine(index, at) {
    this.shown = { ...this.shown, line: { index, at } };
    this.update();
    this.lookAtBoard();
  }

  /** On a small screen the board may be out of sight. */
  lookAtBoard() {
    byId("board").scrollIntoView({ block: "nearest" });
  }

  leaveLine() {
    if (this.shown.line) this.jump(this.shown.ply);
  }

  /** Walks in the line that is shown, otherwise in the game. */
  go(where) {
    const { ply, line } = this.shown;
    if (where === "leave") return this.leaveLine();
    const [at, first, last] = line ? [line.at, -1, this.lineMoves.length - 1] : [ply, 0, this.game.plies.length];
    const wanted = { first, previous: Math.max(first, at - 1), next: Math.min(last, at + 1), last }[where];
    if (line) this.showLine(line.index, wanted);
    else this.jump(wanted);
  }

  get lineMoves() {
    return this.game.plies[this.shown.ply - 1].lines[this.shown.line.index].moves;
  }

  /** The FEN after so many moves of the game. */
  fenAt(ply) {
    return ply ? this.game.plies[ply - 1].fen : this.game.start;
  }

  chanceAt(ply) {
    return (this.game.plies[ply - 1]?.after ?? this.game.plies[ply]?.before)?.chance ?? null;
  }

  /** The position that is shown, and the move that led to it. */
  position() {
    const { ply, line } = this.shown;
    if (line && line.at < 0) return { fen: this.fenAt(ply - 1), last: null };
    if (line) {
      const move = this.lineMoves[line.at];
      const before = line.at ? this.lineMoves[line.at - 1].fen : this.fenAt(ply - 1);
      return { fen: move.fen, last: { fen: before, pit: Number(move.move) } };
    }
    const last = ply ? { fen: this.fenAt(ply - 1), pit: Number(this.game.plies[ply - 1].move) } : null;
    return { fen: this.fenAt(ply), last };
  }

  /** Draws all that depends on the game and the language. */
  drawAll() {
    translatePage();
    const { games, engine, limit } = this.report;
    const name = (game) => `${player(game, "south")} – ${player(game, "north")}`;
    const options = games.map((game) => make("option", {}, `${game.number}. ${name(game)} (${resultText(game)})`));
    byId("choice").hidden = games.length < 2;
    byId("game").replaceChildren(...options);
    byId("game").selectedIndex = this.shown.game;
    document.title = `${name(this.game)} · tuzdyq`;
    byId("made-with").textContent = word("made_with", { engine, limit });
    for (const side of SIDES) {
      const role = this.game.tags[side === "south" ? "White" : "Black"] ? word(`side.${side}`) : null;
      byId(`player-${side}`).replaceChildren(make("b", {}, player(this.game, side)), role ? make("span", {}, role) : "");
    }
    this.drawMoves();
    byId("cards").replaceChildren(...gameCards(this.game, (ply) => this.jump(ply)));
    this.drawChart();
    this.update();
  }

  drawMoves() {
    const button = (ply, ...content) => {
      return make("button", { type: "button", "data-ply": ply, onclick: () => this.jump(ply) }, ...content);
    };
    const rows = [make("li", { class: "start" }, button(0, word("start")))];
    for (const ply of this.game.plies) {
      if (ply.side === "south" || ply.ply === 1) rows.push(make("li", {}, make("span", {}, `${ply.number}.`)));
      const cell = button(ply.ply, ply.notation, " ", badge(ply.class, false));
      cell.classList.add(ply.side);
      rows.at(-1).append(cell);
    }
    byId("moves").replaceChildren(...rows);
  }

  drawChart() {
    const game = this.game;
    const marked = game.plies.filter((ply) => ply.class && !QUIET.includes(ply.class));
    this.chart.draw({
      chances: [null, ...game.plies].map((_, ply) => this.chanceAt(ply)),
      marks: marked.map((ply) => ({ ply: ply.ply, side: ply.side, sign: SIGNS[ply.class], kind: ply.class })),
      turns: game.turning_points,
      phases: game.phases.map(({ from, to, name }) => ({ from, to, name: word(`phase.${name}`) })),
      names: SIDES.map((side) => shortened(player(game, side), 24)),
    });
    this.chart.mark(this.shown.ply, this.sentence());
  }

  /** What is shown, in words. */
  sentence() {
    const { ply, line } = this.shown;
    if (line) return word("in_line", { line: line.index + 1, at: line.at + 1, of: this.lineMoves.length });
    if (!ply) return word("start");
    const move = this.game.plies[ply - 1];
    return [moveTitle(this.game, move), move.class && word(`class.${move.class}`)].filter(Boolean).join(", ");
  }

  /** Draws all that depends on the position that is shown. */
  update() {
    const { ply, line } = this.shown;
    const { fen, last } = this.position();
    const over = !line && ply === this.game.plies.length && this.game.end !== null;
    this.board.show(fen, last, over);
    this.board.describe(this.boardText(fen, over));
    this.chart.mark(ply, this.sentence());
    this.drawChance(line ? this.game.plies[ply - 1].lines[line.index].value.chance : this.chanceAt(ply));
    byId("place").textContent = line ? this.sentence() : `${ply} / ${this.game.plies.length}`;
    byId("back").hidden = !line;
    byId("announcement").textContent = this.sentence();
    this.markMove(ply);
    const move = this.game.plies[ply - 1];
    const title = move ? [moveTitle(this.game, move), " ", badge(move.class, true) ?? ""] : [word("start")];
    byId("move-title").replaceChildren(...title);
    this.drawDetails(move, line);
  }

  /** Draws what is said of the move; the focus stays on the move of a line that was clicked. */
  drawDetails(move, line) {
    const isFocused = byId("details").contains(document.activeElement);
    const show = (index, at) => this.showLine(index, at);
    const details = move ? moveDetails(move, line, show) : [make("p", {}, resultText(this.game))];
    byId("details").replaceChildren(...details);
    if (isFocused) byId("details").querySelector("[aria-current]")?.focus();
  }

  boardText(fen, over) {
    const { pits, kazans, turn } = readFen(fen);
    const row = (side, key) => {
      const contents = pits[side].map((content) => (content === "t" ? word("tuzdyq") : content)).join(", ");
      return word("row_of", { side: word(key), pits: contents, kazan: kazans[side] });
    };
    const side = word(turn === "s" ? "side.south" : "side.north");
    const mover = over ? word("over") : word("to_move", { side });
    return [row("s", "side.south"), row("n", "side.north"), mover].join(". ");
  }

  drawChance(chance) {
    byId("chance").hidden = chance === null;
    if (chance === null) return;
    const texts = SIDES.map((side, index) => {
      const share = index ? 1 - chance : chance;
      byId(`chance-${side}`).style.flexGrow = share;
      byId(`chance-${side}`).textContent = share >= 0.12 ? percent(share) : "";
      return word("chance_of", { side: word(`side.${side}`), chance: percent(share) });
    });
    byId("chance").setAttribute("aria-label", texts.join(", "));
    byId("chance").title = texts.join(", ");
  }

  /** Marks the move in the list and brings it into view there, without moving the page. */
  markMove(ply) {
    const list = byId("moves");
    const isFocused = list.contains(document.activeElement);
    for (const button of list.querySelectorAll("button")) {
      const isCurrent = Number(button.dataset.ply) === ply;
      button.tabIndex = isCurrent ? 0 : -1;
      if (!isCurrent) {
        button.removeAttribute("aria-current");
        continue;
      }
      button.setAttribute("aria-current", "true");
      if (isFocused) button.focus({ preventScroll: true });
      const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
      if (top < list.scrollTop) list.scrollTop = top;
      if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    }
  }
}

function fail(key) {
  translatePage();
  byId("choice").hidden = true;
  byId("failure").hidden = false;
  byId("failure").dataset.word = key;
  byId("failure").textContent = word(key);
}

function start() {
  let report;
  try {
    report = JSON.parse(byId("report").textContent);
  } catch {
    return fail("unreadable");
  }
  if (!report.games.length) return fail("empty");
  document.querySelector("main").hidden = false;
  new Page(report);
}

start();
