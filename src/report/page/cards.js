// What is said of one move, and of the whole game.

const SIDES = ["south", "north"];

/** The recorded name of a player, or what the side is called. */
function player(game, side) {
  return game.tags[side === "south" ? "White" : "Black"] || word(`side.${side}`);
}

/** A move as a heading: its number, who made it, its notation. */
function moveTitle(game, ply) {
  return `${ply.number}. ${player(game, ply.side)}: ${ply.notation}`;
}

/** The result with the stones of both sides. */
function resultText(game) {
  const result = game.result ?? word("unfinished");
  if (!game.end) return result;
  const stones = `${game.end.south} : ${game.end.north}`;
  return [result, stones, game.end.atsyrau ? word("atsyrau") : ""].filter(Boolean).join(" · ");
}

function fact(name, ...content) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, ...content));
}

/** A table whose first row and first column are headings. */
function table(head, rows) {
  const cell = (content, index) => (index ? make("td", {}, content) : make("th", { scope: "row" }, content));
  const heads = head.map((content) => (content === "" ? make("td") : make("th", { scope: "col" }, content)));
  const body = rows.map((row) => make("tr", {}, row.map(cell)));
  return make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, body));
}

/** The value of the move played and, where it is another, of the best one. */
function valuesTable(ply) {
  const row = (name, move, value) => [`${name}: ${move}`, lead(value), value ? percent(value.chance) : "–"];
  const rows = [row(word("played"), ply.move, ply.after)];
  if (ply.best !== null && ply.best !== ply.move) rows.push(row(word("best_move"), ply.best, ply.before));
  return table([word("move"), word("lead"), word("south_chance")], rows);
}

function lossText({ stones, chance }) {
  const parts = [stones === null ? null : word("loss_stones", { stones: decimal(stones, 1) })];
  parts.push(word("loss_chance", { chance: percent(chance) }));
  return parts.filter(Boolean).join(", ");
}

function verdictText({ before, after }) {
  const name = (verdict) => word(`verdict.${verdict ?? "unknown"}`);
  return before === after ? name(before) : `${name(before)} → ${name(after)}`;
}

/** All that is known of a move; `line` is the move of a line that is shown, `show` shows one. */
function moveDetails(ply, line, show) {
  const facts = [];
  if (ply.tuzdyq) facts.push(fact(word("tuzdyq"), word("makes_tuzdyq")));
  if (ply.captured) facts.push(fact(word("captured"), String(ply.captured)));
  if (ply.loss) facts.push(fact(word("loss"), lossText(ply.loss)));
  if (ply.verdict) facts.push(fact(word("verdict"), verdictText(ply.verdict)));
  const note = [ply.glyph, ply.comment].filter(Boolean).join(" ");
  if (note) facts.push(fact(word("note"), note));
  const lines = ply.lines.map((item, index) => lineItem(item, index, line, show));
  return [
    ply.after || ply.before ? valuesTable(ply) : make("p", {}, word("not_reviewed")),
    facts.length ? make("dl", {}, facts) : null,
    ...(lines.length ? [make("h3", {}, word("lines")), make("ol", { class: "lines" }, lines)] : []),
  ].filter(Boolean);
}

function lineItem(item, index, line, show) {
  const moves = item.moves.map((move, at) => {
    const current = line?.index === index && line.at === at ? "true" : null;
    return make("button", { type: "button", "aria-current": current, onclick: () => show(index, at) }, move.notation);
  });
  return make("li", {}, make("span", { class: "value" }, `${lead(item.value)}, ${percent(item.value.chance)}`), moves);
}

function card(title, ...content) {
  return make("section", { class: "card" }, make("h2", {}, title), ...content);
}

const orDash = (value, digits) => (value === null ? "–" : decimal(value, digits));
const accuracyText = (value) => (value === null ? "–" : percent(value / 100, 1));

function summaryCard(game) {
  const sides = SIDES.map((side) => game.sides[side]);
  const row = (name, text) => [name, ...sides.map(text)];
  const rows = [
    row(word("accuracy"), (side) => accuracyText(side.accuracy)),
    row(word("average_loss"), (side) => orDash(side.average_loss, 2)),
    row(word("reviewed_moves"), (side) => String(side.moves)),
    ...Object.keys(SIGNS).map((kind) => row(badge(kind, true), (side) => String(side.classes[kind]))),
  ];
  return card(word("summary"), table(["", ...SIDES.map((side) => player(game, side))], rows));
}

function phasesCard(game) {
  if (!game.phases.length) return null;
  const cell = (side) => [make("div", {}, accuracyText(side.accuracy)), make("div", {}, orDash(side.average_loss, 2))];
  const rows = game.phases.map((phase) => [word(`phase.${phase.name}`), ...SIDES.map((side) => cell(phase[side]))]);
  const legend = make("p", { class: "legend" }, `${word("accuracy")} / ${word("average_loss")}`);
  return card(word("phases"), legend, table(["", ...SIDES.map((side) => player(game, side))], rows));
}

/** A list of places in the game to jump to. */
function places(items, none, jump) {
  if (!items.length) return make("p", {}, none);
  const button = ({ ply, content }) => make("button", { type: "button", onclick: () => jump(ply) }, content);
  return make("ul", { class: "places" }, items.map((item) => make("li", {}, button(item))));
}

function turningCard(game, jump) {
  const items = game.turning_points.map((number) => {
    const ply = game.plies[number - 1];
    const [before, after] = [ply.before, ply.after].map((value) => (value ? percent(value.chance) : "–"));
    return { ply: number, content: [moveTitle(game, ply), " ", badge(ply.class, true), ` ${before} → ${after}`] };
  });
  const legend = items.length ? make("p", { class: "legend" }, word("south_chance")) : null;
  return card(word("turning_points"), legend, places(items, word("no_turning_point"), jump));
}

function tuzdyqCard(game, jump) {
  const items = game.tuzdyqs.map(({ ply, side, pit, stones }) => {
    const story = word("tuzdyq_story", { side: player(game, side), pit, stones });
    // One that was there at the start was made by no move of the game.
    return { ply, content: [ply ? `${game.plies[ply - 1].number}. ${story}` : story] };
  });
  return card(word("tuzdyqs"), places(items, word("no_tuzdyq"), jump));
}

function tagsCard(game) {
  const facts = [fact(word("variant"), word(`variant.${game.variant}`)), fact(word("result"), resultText(game))];
  const shown = ["Variant", "Result", "White", "Black"];
  const tags = Object.entries(game.tags).filter(([name]) => !shown.includes(name));
  const called = (name) => (WORDS[`tag.${name}`] ? word(`tag.${name}`) : name);
  return card(word("tags"), make("dl", {}, facts, tags.map(([name, value]) => fact(called(name), value))));
}

/** The cards below the game; `jump` shows a ply. */
function gameCards(game, jump) {
  const cards = [summaryCard(game), turningCard(game, jump), tuzdyqCard(game, jump), phasesCard(game), tagsCard(game)];
  return cards.filter(Boolean);
}
