// The chart: South's win chance after each move.

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

class Chart {
  /** `jump` is called with the ply that was clicked. */
  constructor(svg, jump) {
    this.svg = svg;
    svg.addEventListener("pointerdown", (event) => {
      const x = event.clientX - svg.getBoundingClientRect().left;
      jump(Math.max(0, Math.min(this.plies, Math.round(((x - this.left) / this.step)))));
    });
  }

  /**
   * `chances` has South's chance at each ply from 0, null where it is not known. `marks` are {ply, side, sign, kind} of
   * moves that stand out, `turns` plies, `phases` {from, to, name},
   * `names` of South and North.
   */
  draw({ chances, marks, turns, phases, names }) {
    const width = Math.max(240, this.svg.clientWidth);
    const height = this.svg.clientHeight;
    [this.left, this.top, this.bottom] = [44, 22, height - 26];
    this.plies = chances.length - 1;
    this.step = (width - this.left - 12) / Math.max(1, this.plies);
    const right = this.left + this.step * this.plies;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.chances = chances;
    const parts = [];
    for (const share of [0, 0.5, 1]) {
      const y = this.y(share);
      parts.push(shape("line", { class: share === 0.5 ? "middle" : "edge", x1: this.left, x2: right, y1: y, y2: y }));
      parts.push(shape("text", { class: "scale", x: this.left - 6, y: y + 4 }, `${share * 100} %`));
    }
    for (const { from, to, name } of phases) {
      const x = this.x(from - 1);
      if (from > 1) parts.push(shape("line", { class: "phase", x1: x, x2: x, y1: this.top, y2: this.bottom }));
      const isRoom = this.step * (to - from + 1) > 8 * name.length;
      if (isRoom) parts.push(shape("text", { class: "name", x: x + 4, y: height - 8 }, name));
    }
    for (const run of this.runs()) {
      const line = run.map((ply) => `${this.x(ply)} ${this.y(chances[ply])}`).join("L");
      const [from, to] = [this.x(run[0]), this.x(run.at(-1))];
      parts.push(shape("path", { class: "area", d: `M${from} ${this.bottom}L${line}L${to} ${this.bottom}z` }));
      parts.push(shape("path", { class: "line", d: `M${line}` }));
    }
    for (const ply of turns) {
      const x = this.x(ply);
      parts.push(shape("line", { class: "turning", x1: x, x2: x, y1: this.top - 8, y2: this.bottom }));
      parts.push(shape("path", { class: "turning-head", d: `M${x - 6} ${this.top - 18}h12l-6 10z` }));
    }
    parts.push(shape("text", { class: "side", x: this.left + 6, y: this.top + 15 }, names[0]));
    parts.push(shape("text", { class: "side", x: this.left + 6, y: this.bottom - 7 }, names[1]));
    const signs = { true: -Infinity, false: -Infinity };
    for (const { ply, side, sign, kind } of marks) {
      if (chances[ply] === null) continue;
      const y = this.y(chances[ply]);
      parts.push(shape("circle", { class: `dot ${kind}`, cx: this.x(ply), cy: y, r: 4.5 }));
      // A fault of South bends the curve down, and one of North up: the sign stands outside of the bend.
      const isAbove = (side === "north" && y > this.top + 20) || y > this.bottom - 20;
      // Where they crowd, one sign stands for its neighbours.
      if (this.x(ply) - signs[isAbove] < 14) continue;
      signs[isAbove] = this.x(ply);
      parts.push(shape("text", { class: `sign ${kind}`, x: this.x(ply), y: isAbove ? y - 8 : y + 18 }, sign));
    }
    this.cursor = shape("line", { class: "cursor", y1: this.top, y2: this.bottom });
    this.point = shape("circle", { class: "point", r: 5 });
    this.svg.replaceChildren(...parts, this.cursor, this.point);
  }

  x(ply) {
    return this.left + this.step * ply;
  }

  y(chance) {
    return this.bottom - (this.bottom - this.top) * chance;
  }

  /** The longest runs of plies that follow each other with known chances. */
  runs() {
    const runs = [];
    this.chances.forEach((chance, ply) => {
      if (chance === null) return;
      if (runs.at(-1)?.at(-1) === ply - 1) runs.at(-1).push(ply);
      else runs.push([ply]);
    });
    return runs;
  }

  /** Marks the ply that is shown; `text` says the same in words. */
  mark(ply, text) {
    const x = this.x(ply);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    const chance = this.chances[ply];
    this.point.setAttribute("visibility", chance === null ? "hidden" : "visible");
    this.point.setAttribute("cx", x);
    this.point.setAttribute("cy", this.y(chance ?? 0));
    for (const [key, value] of [["valuemin", 0], ["valuemax", this.plies], ["valuenow", ply], ["valuetext", text]]) {
      this.svg.setAttribute(`aria-${key}`, value);
    }
  }
}
