// The game on the page: a tree of moves, of which one line is followed. It knows no rules; positions are what the server says of them.

export class Game {
  constructor(name, parameters = {}, start = "") {
    Object.assign(this, { name, parameters, start });
    this.root = { parent: null, children: [], name: "", by: -1, cells: [], ply: 0, position: null, result: null };
    this.at = this.root;
  }

  path(node = this.at) {
    const path = [];
    for (let n = node; n.parent; n = n.parent) path.unshift(n);
    return path;
  }

  // What the server is asked about a node.
  place(node = this.at) {
    return { game: this.name, parameters: this.parameters, position: this.start, moves: this.path(node).map((n) => n.name).join(" ") };
  }

  // The node after a move, made where there is none; it is the one that `forward` leads to from then on.
  add(name, by = -1, cells = [], node = this.at) {
    let child = node.children.find((c) => c.name === name);
    if (!child) {
      child = { parent: node, children: [], name, by, cells, ply: node.ply + 1, position: null, result: null };
      node.children.push(child);
    }
    node.next = child;
    return child;
  }

  // Nodes for all moves that a position says were made.
  adopt(made) {
    let node = this.root;
    for (const move of made) node = this.add(move.name, move.by, move.cells, node);
    return node;
  }

  next(node = this.at) {
    return node.next ?? node.children[0] ?? null;
  }

  // The line through the current node to its end.
  line() {
    const line = [this.root, ...this.path()];
    for (let n = this.next(line.at(-1)); n; n = this.next(n)) line.push(n);
    return line;
  }
}

// --- the address ---

export function toAddress(view, game) {
  const q = new URLSearchParams();
  q.set("game", game.name);
  for (const [name, value] of Object.entries(game.parameters)) q.set(`p.${name}`, value);
  if (game.start) q.set("position", game.start);
  const line = game.line().slice(1).map((n) => n.name);
  if (line.length && view.seat) q.set("sealed", seal(line.join(" ")));
  else if (line.length) q.set("moves", line.join(" "));
  if (view.seat && view.seat !== "0") q.set("seat", view.seat);
  if (game.at.ply < line.length) q.set("at", game.at.ply);
  if (view.tab !== "play") q.set("tab", view.tab);
  if (view.flipped) q.set("flip", "1");
  for (const name of ["side", "level"]) if (view.tab === "play" && view[name]) q.set(name, view[name]);
  const engine = { play: view.play, analyse: view.analyse, tree: view.tree }[view.tab];
  if (engine) q.set("engine", engine);
  return `#${q}`;
}

export function fromAddress(text) {
  const q = new URLSearchParams(text.replace(/^#/, ""));
  const parameters = {};
  for (const [name, value] of q) if (name.startsWith("p.")) parameters[name.slice(2)] = value;
  const at = Number.parseInt(q.get("at") ?? "", 10);
  return {
    game: q.get("game") ?? "", parameters, position: q.get("position") ?? "", moves: q.get("moves") ?? unseal(q.get("sealed") ?? ""), seat: q.get("seat") ?? "", at: Number.isInteger(at) && at >= 0 ? at : null,
    tab: ["play", "analyse", "tree"].includes(q.get("tab")) ? q.get("tab") : "play", flip: q.get("flip") === "1", engine: q.get("engine") ?? "", side: q.get("side") ?? "", level: q.get("level") ?? "",
  };
}

// Moves that not everybody may see: against a glance at the address, not against whoever wants to know.
const seal = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

function unseal(text) {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  } catch {
    return "";
  }
}
