// From recorded visits to a tree of nodes and the events of the search, in the order in which they happened; and where each node is drawn.

const fresh = (parent, move, player) => ({
  parent, move, player, children: [], visits: [], level: parent ? parent.level + 1 : 0, entered: Infinity, open: false, best: false, size: 1, cutAt: null, ended: null,
});

// Of more than two players, one against all others: he is MAX. Where each player goes for his own part, the values are vectors, and players keep their numbers.
function rolesIn(tree, players) {
  const vector = tree.visits.some(({ values }) => values?.length);
  const ours = tree.visits[0]?.player;
  return { vector, role: (player) => (players > 2 && !vector && Number.isInteger(player) ? Number(player !== ours) : player) };
}

// A search that goes through the tree: each visit is an event when it is entered and another one when its value goes back.
export function mergeVisits(tree, players = 2) {
  const { vector, role } = rolesIn(tree, players);
  const ofVisit = new Map();
  const nodes = [], events = [], stack = [];
  let root = null;
  const leave = () => {
    const { node, visit } = stack.pop();
    node.visits.find((v) => v.visit === visit).left = events.length;
    if (visit.ended === "cut" || (node.player === "chance" && visit.ended === "searched" && visit.bound !== "exact")) node.cutAt ??= events.length;
    if (visit.running && node.parent) (node.parent.bounds ??= []).push({ from: events.length, running: visit.running });
    events.push({ kind: "leave", node, visit });
  };
  for (const visit of tree.visits) {
    while (stack.length && stack.at(-1).visit.visit !== visit.parent) leave();
    const parent = visit.parent === null ? null : ofVisit.get(visit.parent);
    let node = parent ? parent.children.find((child) => child.move === (visit.move ?? "")) : root;
    const again = Boolean(node);
    if (!node) {
      node = Object.assign(fresh(parent, visit.move ?? "", role(visit.player)), { vector });
      nodes.push(node);
      if (parent) parent.children.push(node);
      else root = node;
    }
    ofVisit.set(visit.visit, node);
    Object.assign(node, { best: node.best || visit.best, ended: visit.ended, entered: Math.min(node.entered, events.length) });
    node.visits.push({ visit, entered: events.length, left: Infinity });
    events.push({ kind: again ? "again" : "enter", node, visit });
    stack.push({ node, visit });
  }
  while (stack.length) leave();
  measure(nodes);
  return { root, nodes, events, sampled: false };
}

// A Monte Carlo tree as it is at the end, with its last simulation: select, expand, simulate, back up.
export function mergeTwigs(tree) {
  const nodes = [];
  for (const twig of tree.nodes) {
    const parent = twig.parent === null ? null : nodes[twig.parent];
    const node = Object.assign(fresh(parent, twig.move ?? "", twig.player), { twig, entered: 0 });
    if (parent) parent.children.push(node);
    nodes.push(node);
  }
  let last = nodes[0];
  const path = [last];
  for (const move of tree.last.moves) {
    const child = last.children.find((c) => c.move === move);
    if (!child) break;
    path.push((last = child));
  }
  if (path.length > 1 && last.twig.before && last.twig.before[1] === 0) last.entered = Math.min(1, tree.last.told.length - 1);
  const chosen = path.length > 1 && last.entered === 1 ? path.at(-2) : last;
  const events = tree.last.told.map((words, i) => ({ kind: "told", node: i === 0 ? chosen : last, words, i }));
  measure(nodes);
  for (const node of nodes) node.children.sort((a, b) => b.twig.visits - a.twig.visits);
  return { root: nodes[0], nodes, events, sampled: true, backed: tree.last.told.length - 1 };
}

// A tree of proof numbers as it grew: each event is a leaf that was expanded, with the numbers that changed up to the root.
export function mergeProof(tree) {
  const nodes = [];
  for (const grown of tree.nodes) {
    const parent = grown.parent === null ? null : nodes[grown.parent];
    const node = Object.assign(fresh(parent, grown.move ?? "", grown.player), { grown, entered: Math.max(0, grown.came - 1), best: grown.bold, numbers: [{ from: -1, pair: grown.first }] });
    if (grown.player === null) node.ended = "over";
    if (parent) parent.children.push(node);
    nodes.push(node);
  }
  const events = tree.steps.map(({ step, leaf, changed }) => {
    for (const [number, ...pair] of changed) nodes[number].numbers.push({ from: step - 1, pair });
    return { kind: "expand", node: nodes[leaf], root: nodes[0], step: step - 1 };
  });
  if (!events.length) events.push({ kind: "settled", node: nodes[0], root: nodes[0], step: 0 });
  measure(nodes);
  return { root: nodes[0], nodes, events, sampled: false };
}

// The pair that a node has at a step.
export const pairAt = (node, step) => node.numbers.findLast((n) => n.from <= step).pair;

// What a search did in all, to be set beside another one.
export function counts(tree, shown) {
  if (tree.steps) return { "leaves expanded": tree.steps.length, "nodes in the tree": shown.nodes.length, "positions visited": tree.visited };
  if (!tree.visits) return { simulations: tree.simulations, "nodes in the tree": shown.nodes.length };
  const ended = (...kinds) => tree.visits.filter((v) => kinds.includes(v.ended)).length;
  return {
    "positions visited": tree.nodes, "nodes recorded": shown.nodes.length, "leaves evaluated": ended("over", "horizon"), cuts: ended("cut"),
    "searched again": shown.events.filter((e) => e.kind === "again").length, "from the table": ended("table", "out of reach"), probes: ended("probed"),
  };
}

function measure(nodes) {
  nodes.forEach((node, i) => (node.number = i));
  for (let i = nodes.length - 1; i > 0; i--) nodes[i].parent.size += nodes[i].size;
}

export function pathOf(node) {
  const path = [];
  for (let n = node; n; n = n.parent) path.unshift(n);
  return path;
}

// Open nodes, the best line and then the top of the tree, until about `most` are shown.
export function fold(root, most) {
  let shown = 1;
  const queue = [root];
  for (let n = root; n; n = n.children.find((child) => child.best)) n.open = true;
  while (queue.length) {
    const node = queue.shift();
    const room = shown + node.children.length <= most;
    node.open = node.open || room;
    if (!node.open) continue;
    shown += node.children.length;
    queue.push(...node.children);
  }
}

// Places: leaves side by side, parents over the middle of their children. Nodes on the path are shown even where their parents are folded.
export function layOut(root, path, small) {
  const nodes = [];
  let width = 0, depth = 0;
  const place = (node) => {
    const shown = node.open ? node.children : node.children.filter((child) => path.has(child));
    node.hidden = node.open ? 0 : node.size - 1 - shown.reduce((sum, child) => sum + child.size, 0);
    depth = Math.max(depth, node.level);
    nodes.push(node);
    const start = width;
    shown.forEach(place);
    const beside = node.player === null ? 0 : 26; // its value stands at its side
    const window = small && node.visits.some((v) => v.visit.window) ? 84 : 0;
    const wide = Math.max(1, Math.min(4, Math.max(window, longest(node) * 7 + 14 + beside) / 46));
    node.x = shown.length ? (shown[0].x + shown.at(-1).x) / 2 : width + (wide - 1) / 2;
    width = Math.max(width, start + wide);
  };
  place(root);
  return { nodes, width, depth };
}

// How wide a leaf is drawn, so that its value has room.
export const widest = (node) => longest(node) * 7;

const longest = (node) => (node.grown ? Math.max(...node.numbers.map(({ pair }) => pair.map((n) => n ?? "∞").join(", ").length)) : node.twig ? `${node.twig.wins}/${node.twig.visits}`.length : Math.max(3, ...node.visits.map(({ visit }) => (visit.value === null ? 0 : (visit.values ?? [visit.value]).reduce((sum, v) => sum + String(Math.round(100 * v) / 100).length + 2, 0)))));
