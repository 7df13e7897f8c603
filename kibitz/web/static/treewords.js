import { pairAt } from "./treedata.js";

// What happens at a step of a search, in words. All values and windows are MAX's, player 1's, as in textbooks; a value for each player where each goes for his own.

const number = (x, open) => (x === null || x === undefined ? open : String(Math.round(1000 * x) / 1000));
// A window without room between its ends is a question; the end that is the rounder number is what it asks about.
function window([low, high]) {
  if (low === null || high === null || high - low > 1e-9 * Math.max(1, Math.abs(low))) return `(${number(low, "−∞")}, ${number(high, "∞")})`;
  return String(low).length <= String(high).length ? `> ${number(low)}?` : `≥ ${number(high)}?`;
}
const SIGN = { exact: "", lower: "≥ ", upper: "≤ ", estimate: "~ " };

const place = (node) => {
  const moves = [];
  for (let n = node; n.parent; n = n.parent) moves.unshift(n.move);
  return moves.length ? moves.join(" ") : "the root";
};
const amount = (visit) => (visit.values?.length ? `(${visit.values.map((v) => number(v, "?")).join(", ")})` : number(visit.value, "?"));
const value = (visit) => `${SIGN[visit.bound] ?? ""}${amount(visit)}${visit.distance === null ? "" : ` in ${visit.distance}`}`;
const mover = (node) => (node.vector && Number.isInteger(node.player) ? `player ${node.player + 1}` : { 0: "MAX", 1: "MIN", chance: "chance" }[node.player] ?? "");

function cut(node, visit) {
  if (node.vector) return `cut: ${value(visit)} leaves too little for whoever could have come here; moves that are left are not searched`;
  const [low, high] = visit.window ?? [null, null];
  if (node.player === 1) return `cut: ${number(visit.value)} ≤ ${number(low, "−∞")} (alpha), so MAX does better elsewhere; moves that are left are not searched`;
  return `cut: ${number(visit.value)} ≥ ${number(high, "∞")} (beta), so MIN does better elsewhere; moves that are left are not searched`;
}

export function described(event) {
  const { kind, node, visit } = event;
  if (kind === "told") return event.words;
  if (kind === "settled") return "settled before a leaf was expanded";
  if (kind === "expand") return `${place(node)}: the most proving leaf is expanded, ${node.children.length} ${node.children.length === 1 ? "move" : "moves"}; its numbers are now ${pairText(pairAt(node, event.step))}, those of the root ${pairText(pairAt(event.root, event.step))}`;
  const where = place(node);
  const given = visit.window ? ` with the window ${window(visit.window)}` : "";
  if (kind === "enter") return `${where}: ${mover(node) ? `${mover(node)} moves here; ` : ""}entered${given}`;
  if (kind === "again") return `${where}: searched again${given}`;
  const running = visit.running ? `; now the value above lies between ${number(visit.running[0], "−∞")} and ${number(visit.running[1], "∞")}` : "";
  const how = {
    unfinished: "a limit was met, no value", searched: `the value ${value(visit)} goes back`, cut: cut(node, visit), table: `the table knows it: ${value(visit)}`,
    "out of reach": `no move can reach the window: ${value(visit)}`, over: `the game is over: ${value(visit)}`, horizon: `the horizon: evaluated as ${value(visit)}`,
    repeated: `repeated: ${value(visit)}`, probed: `probed: ${value(visit)}`, pruned: `pruned without a full search: ${value(visit)}`,
  }[visit.ended];
  return `${where}: ${how ?? value(visit)}${running}`;
}

const pairText = (pair) => pair.map((n) => (n === null ? "∞" : n)).join(", ");

// The step as the lines of an algorithm name it.
export const tagOf = ({ kind, visit, i }) => (kind === "leave" ? visit.ended : kind === "told" ? String(i + 1) : kind);

// What is known of a node at a step: its latest value.
export function valueText(node, step) {
  if (node.grown) return node.children.length || node.ended !== "over" ? pairText(pairAt(node, step)) : pairAt(node, step)[0] === 0 ? "yes" : "no";
  if (node.twig) {
    const [wins, visits] = node.twig.before && step < 3 ? node.twig.before : [node.twig.wins, node.twig.visits];
    return visits ? `${number(wins)}/${visits}` : "";
  }
  const done = node.visits.filter((v) => v.left <= step && v.visit.value !== null).at(-1);
  return done ? value(done.visit) : "";
}

export function windowText(node, step) {
  if (node.twig || node.grown) return "";
  const now = node.visits.filter((v) => v.entered <= step).at(-1);
  return now?.visit.window ? window(now.visit.window) : "";
}

// Between which values a chance node must lie, by the outcomes that are known at a step.
export function boundsText(node, step) {
  const found = node.player === "chance" ? node.bounds?.findLast(({ from }) => from <= step) : null;
  return found && found.running[0] !== found.running[1] ? `${number(found.running[0], "−∞")} … ${number(found.running[1], "∞")}` : "";
}
