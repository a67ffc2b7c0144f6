// Words, numbers and pieces of the page. All text goes in as text, never as HTML.

const WORDS = JSON.parse(document.getElementById("words").textContent);
let lang = document.documentElement.lang;

/** A word of the table in the language of the page; `{name}` stands for a value. */
function word(key, values = {}) {
  return WORDS[key][lang].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A number with so many decimals. Kazakh writes them as Russian does, but not every browser knows Kazakh. */
function decimal(value, digits) {
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(lang === "kk" ? "ru" : lang, shown).format(value);
}

/** A share of 1 in percent; the space in it does not break. */
const percent = (share, digits = 0) => `${decimal(100 * share, digits)}\u00a0%`;

const shortened = (text, longest) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** An element with attributes, and children that are elements or texts; what is null or false is left out. */
function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return node;
}

/** How each class of moves is marked, from the best to the worst; the colours are in the style. */
const SIGNS = {
  best: "★",
  good: "✓",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  missed_win: "✗",
  missed_tuzdyq: "◇",
};

/** Classes that need no attention. */
const QUIET = ["best", "good"];

function badge(kind, withWord) {
  if (!kind) return null;
  const name = word(`class.${kind}`);
  const text = make("span", { class: withWord ? "" : "unseen" }, name);
  const sign = make("b", { "aria-hidden": "true" }, SIGNS[kind]);
  return make("span", { class: `badge ${kind}`, title: name }, sign, " ", text);
}

/** A side's lead, or what is proven. */
function lead(value) {
  if (!value) return "–";
  if (value.proven) {
    const verdict = word(`proven.${value.proven}`);
    return value.moves ? word("proven_in", { verdict, moves: value.moves }) : verdict;
  }
  if (value.stones === null) return "–";
  const stones = decimal(Math.abs(value.stones), 1);
  if (stones === decimal(0, 1)) return word("even");
  return `${word(value.stones > 0 ? "side.south" : "side.north")} +${stones}`;
}

/** Puts the words of the table into the fixed parts of the page. */
function translatePage() {
  document.documentElement.lang = lang;
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", word(node.dataset.label));
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", button.dataset.lang === lang);
  }
}
