// Values in words: whose they are, what kind of number they are. Values of results are for the player to move; `first` turns them to player 1's.

export const KINDS = { exact: "proven", lower: "at least", upper: "at most", estimate: "estimate" };
const SIGNS = { exact: "=", lower: "≥", upper: "≤", estimate: "" };

export const middle = (p) => (p.players === 2 && p.sum !== null ? p.sum / 2 : (p.values[0] + p.values[1]) / 2);
export const title = (words) => words.charAt(0).toUpperCase() + words.slice(1);
// What people call a player, at the beginning of a sentence: of a position or of a game as it is listed.
export const sideName = (p, side) => title(p.sides[side]);
export const who = (p, turn) => (turn === -2 ? "Chance" : turn < 0 ? "Nobody" : sideName(p, turn));

// A value of the player to move as player 1's, and what its bound then is.
export function first(p, value, bound) {
  if (p.turn !== 1 || p.players !== 2 || p.sum === null) return { value, bound };
  return { value: p.sum - value, bound: { lower: "upper", upper: "lower" }[bound] ?? bound };
}

export function short(value, bound = "estimate") {
  if (value === null || value === undefined) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const said = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(digits);
  const sign = Number(said) === 0 ? "" : value < 0 ? "−" : "+";
  return `${SIGNS[bound] ?? ""}${sign}${said}`;
}

const plies = (n) => `${n} ${n === 1 ? "move" : "moves"}`;

// One sentence about a result: the words of the command line, which the server sends with it.
export function sentence(result) {
  if (result.value === null) return "";
  return `${title(result.words)}${result.bound === "exact" ? " (proven)" : ""}`;
}

// Player 1's share of the bar, from 0 to 1.
export function share(p, value) {
  const half = (p.values[1] - p.values[0]) / 2;
  const part = (value - middle(p)) / half;
  return 0.5 + 0.5 * Math.max(-1, Math.min(1, half <= 1 ? part : Math.tanh(12 * part)));
}

export function ending(p) {
  if (p.players === 1) return `The game is over: ${short(p.utility[0])}`;
  const best = Math.max(...p.utility);
  const winners = p.utility.flatMap((u, i) => (u === best ? [i] : []));
  if (winners.length === p.players) return "The game is over: drawn";
  const half = (p.values[1] - p.values[0]) / 2;
  const score = half > 1 && p.players === 2 && p.sum === 0 && best < p.values[1] ? ` by ${short(best).replace("+", "")}` : "";
  return `The game is over: ${winners.map((side) => sideName(p, side)).join(" and ")} ${winners.length > 1 ? "share it" : `wins${score}`}`;
}

export const count = (n) => (n >= 1e9 ? `${(n / 1e9).toFixed(1)}G` : n >= 1e6 ? `${(n / 1e6).toFixed(1)}M` : n >= 1e4 ? `${(n / 1e3).toFixed(0)}k` : String(Math.round(n)));
export const percent = (x) => `${(100 * x).toFixed(x < 0.1 ? 1 : 0)}%`;

export const WHY = {
  solved: "solved", decided: "decided: no other move can be better", depth: "reached its depth", time: "its time is up", nodes: "reached its nodes", playouts: "made its simulations",
  stopped: "stopped", turn: "stopped: others were waiting", interrupted: "stopped", memory: "its memory is full", closed: "stopped", book: "from the book", samples: "looked at every position", tables: "from the endgame tables",
};
export const why = (word) => WHY[word] ?? (word ? `ended: ${word}` : "ended");
