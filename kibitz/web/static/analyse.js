// The Analyse tab: start, stop, best lines, what a Monte Carlo search made of each move, what chance may bring; and the value over the whole game.

import { believed } from "./belief.js";
import { draw, make } from "./dom.js";
import { EngineForm } from "./engine.js";
import { Status } from "./status.js";
import { KINDS, count, first, percent, sentence, share, sideName, short, why } from "./words.js";

const LAYERS = [["last", "last move"], ["best", "best moves"], ["numbers", "numbers"], ["belief", "belief"]]; // what can be shown over the board
const FIGURES = [["visits", "visits"], ["rate", "win rate"], ["prior", "prior"]]; // of each move of a Monte Carlo search

export class Analysis {
  constructor(root, app) {
    this.app = app;
    this.running = false; // does the user want it?
    this.id = null; // the number of the search that is under way
    this.node = null;
    this.sweep = null; // nodes still to be looked at, when the whole game is
    const field = (id, text, input, note) => make("div", { class: "field" }, make("label", { for: id, text }), input, note);
    this.lines = make("input", { id: "lines", title: "As many as the search can tell", type: "number", min: 1, max: app.limits.lines, value: Math.min(3, app.limits.lines), onchange: () => this.again() });
    this.time = make("input", { id: "seconds", type: "number", min: 0.1, max: app.limits.time, step: "any", value: Math.min(10, app.limits.time), onchange: () => this.again() });
    this.note = make("small", { id: "lines-note" });
    this.button = make("button", { type: "button", class: "main", id: "analyse", text: "Start", onclick: () => this.toggle() });
    this.whole = make("button", { type: "button", id: "whole", text: "Whole game", title: "A short look at every position of the game", onclick: () => this.sweepGame() });
    this.hints = make("input", { type: "checkbox", id: "hints", checked: true, onchange: () => this.mark() });
    this.threats = make("input", { type: "checkbox", id: "threats", onchange: () => this.again() });
    this.threatBox = make("label", { class: "check", title: "What the other side would do if it were its turn" }, this.threats, "Threat");
    this.layers = Object.fromEntries(LAYERS.map(([name]) => [name, make("input", { type: "checkbox", id: `layer-${name}`, checked: true, onchange: () => this.mark() })]));
    const layers = make("div", { class: "field" }, make("span", { text: "On the board" }), make("div", { class: "row" }, ...LAYERS.map(([name, text]) => make("label", { class: "check" }, this.layers[name], text))));
    this.figures = make("select", { id: "figures", onchange: () => this.mark() }, ...FIGURES.map(([name, text]) => make("option", { value: name, text })));
    this.form = new EngineForm(root, app.searches, {
      id: "analyse", changed: () => this.again(), hide: ["time", "lines"], usual: { outlook: true }, beside: this.button,
      acts: make("div", { class: "row acts" }, make("label", { class: "check", title: "Arrows and numbers on the board ( h )" }, this.hints, "Hints"), this.threatBox, this.whole),
      first: [field("lines", "Best lines", this.lines, this.note), field("seconds", "Seconds", this.time), layers, field("figures", "Numbers on it", this.figures)],
    });
    this.state = new Status("search-state");
    this.words = make("p", { class: "words", id: "words" });
    this.stats = make("div", { class: "stats", id: "stats" });
    this.list = make("ol", { class: "lines", id: "best-lines" });
    this.threat = make("p", { class: "threat", id: "threat", hidden: true });
    this.extra = make("div", {});
    root.append(
      this.state.root, this.words, this.stats, this.list, this.threat, this.extra,
    );
  }

  toggle() {
    if (this.running) this.stop();
    else this.start();
  }

  start() {
    this.running = true;
    this.sweep = null;
    this.ask(this.app.game.at, Number(this.time.value) || 10);
  }

  stop() {
    this.running = false;
    this.sweep = null;
    this.app.link.send({ do: "stop" });
    this.label();
  }

  again() {
    this.app.remember();
    this.explain();
    if (this.running && !this.sweep) this.start();
  }

  // The page shows another position.
  moved() {
    this.explain();
    if (this.running && !this.sweep) this.start();
    this.show(this.app.game.at.result);
  }

  ask(node, seconds) {
    if (!node.position || node.position.over) {
      this.running = this.sweep !== null;
      this.id = null;
      return this.label();
    }
    const { observer, turn, threat } = node.position;
    if (observer !== undefined && turn !== observer) {
      this.running = false;
      this.app.warn(turn >= 0 ? "It is not this player's turn: what the other one thinks is his own affair." : "Chance decides here.");
      return this.label();
    }
    this.node = node;
    this.app.clearNotice();
    const lines = Math.max(1, Math.min(this.app.limits.lines, Number(this.lines.value) || 1));
    this.id = this.app.link.send({ do: "analyse", ...this.app.game.place(node), player: this.form.text, lines, threat: Boolean(threat && this.threats.checked && !this.sweep), limits: { time: Math.max(0.05, seconds) } });
    this.state.tell("Getting ready …");
    return this.label();
  }

  label() {
    this.button.textContent = this.running ? "Stop" : "Start";
    if (!this.running) this.state.tell("");
  }

  // A message about the search that is under way; false where it is about another one.
  hear(message) {
    if (message.id !== this.id) return false;
    if (this.state.hear(message)) return true;
    if (message.is === "result") this.take(message);
    else if (message.is === "threat" || message.is === "belief") {
      this.node[message.is] = message;
      if (this.node === this.app.game.at) this.show(this.node.result);
    } else if (message.is === "stopped" || message.is === "error") this.ended(message);
    return true;
  }

  take(result) {
    this.state.tell("");
    this.node.result = result;
    if (this.node === this.app.game.at) this.show(result);
    this.app.drawGraph();
  }

  ended(message) {
    this.id = null;
    this.state.tell("");
    if (message.is === "error") this.app.warn(message.text);
    if (this.sweep) return this.sweepOn(message.is === "error");
    this.running = false;
    this.label();
    if (this.node === this.app.game.at && this.node.result) {
      this.show(this.node.result, why(message.why ?? ""));
      this.app.tell(`${sentence(this.node.result)}. Best: ${this.node.result.lines[0]?.moves[0] ?? "nothing"}.`);
    }
    return null;
  }

  // How many lines the search tells.
  explain() {
    const lines = Number(this.lines.value) || 1;
    this.form.summary.textContent = `${lines} ${lines === 1 ? "line" : "lines"}, ${Number(this.time.value) || 10} s`;
    const several = this.app.searches.filter((s) => s.options.some((o) => o.name === "lines") && this.form.names?.includes(s.search)).map((s) => s.search);
    const sampling = !this.app.searches.find((s) => s.search === this.form.chosen)?.limits.some((o) => o.name === "depth");
    this.note.textContent = this.form.takes("lines") || this.form.takes("outlook") || sampling ? "" : `${this.form.chosen} tells the best one only${several.length ? `; ${several.join(", ")} tells several` : ""}`;
  }

  // --- what was found ---

  show(result, ending = "") {
    const p = this.app.game.at.position;
    this.app.verdict();
    this.threatBox.hidden = !p?.threat;
    this.showThreat();
    if (!result || !p) {
      this.words.textContent = "";
      this.stats.replaceChildren();
      this.list.replaceChildren();
      this.extra.replaceChildren(...believed(this.app.game.at.belief));
      return this.mark();
    }
    this.words.textContent = sentence(result);
    const parts = [`depth ${result.depth}`, `${count(result.nodes)} positions`, result.playouts === null ? "" : `${count(result.playouts)} simulations`];
    parts.push(result.hits ? `${count(result.hits)} from endgame tables` : "", result.speed === null ? "" : `${count(result.speed)}/s`, `${result.seconds.toFixed(1)} s`, ending || (result.ended ? why(result.ended) : ""));
    this.stats.replaceChildren(...parts.filter(Boolean).map((text) => make("span", { text })));
    const most = Math.max(1, Number(this.lines.value) || 1);
    this.list.replaceChildren(...result.lines.filter((line, i) => line.moves.length && (i === 0 || line.value !== null)).slice(0, most).map((line, i) => this.row(p, line, i)));
    this.extra.replaceChildren(...believed(this.app.game.at.belief), ...[this.table(p, result), this.outlook(p, result), result.note ? make("p", { class: "quiet", text: result.note }) : null].filter(Boolean));
    return this.mark();
  }

  showThreat() {
    const { threat } = this.threats.checked ? this.app.game.at : {};
    this.threat.hidden = !threat;
    if (threat) this.threat.textContent = `Threat: ${threat.moves.slice(0, 5).join(" ")} (${threat.words})`;
  }

  row(p, line, i) {
    const turned = first(p, line.value, line.bound);
    const told = line.distance === null || line.distance === undefined ? "" : ` in ${line.distance}`;
    const value = make("span", { class: "value", title: KINDS[turned.bound] ?? "", text: line.value === null ? "–" : short(turned.value, turned.bound) + told });
    const button = make("button", { type: "button", title: `Play ${line.moves[0] ?? ""} ( ${i + 1} )`, onclick: () => this.app.play(line.moves[0]) });
    button.append(make("span", { class: "place", text: `${i + 1}.` }), value, make("span", { class: "play", text: line.moves.join(" ") }));
    return make("li", {}, button);
  }

  table(p, result) {
    if (p.players > 2 && result.lines[0]?.values?.length) {
      const sampled = result.lines.some((l) => l.visits);
      const rows = result.lines.filter((l) => l.visits || !sampled).slice(0, 12);
      const visits = (l) => (sampled ? [count(l.visits)] : []);
      return small(["move", ...(sampled ? ["visits"] : []), ...p.sides.map((side) => side.replace(/^player (\d)/, "P$1"))], rows.map((l) => [l.moves[0], ...visits(l), ...l.values.map((v) => short(v))]));
    }
    if (result.playouts === null || result.lines[0]?.visits === undefined) return null;
    const [low, high] = p.values;
    const turned = (v) => (v === null ? null : first(p, v, "exact").value);
    const head = ["move", "visits", "win rate", "spread", ...["prior", "share"].filter((name) => (result.lines[0][name] ?? null) !== null)];
    const rate = (v) => (v === null ? "–" : percent((v - low) / (high - low)));
    const rows = result.lines.filter((l) => l.visits).slice(0, 12).map((l) => [l.moves[0], count(l.visits), rate(turned(l.value)), l.spread === null ? "–" : short(l.spread).replace("+", "±"), ...["prior", "share"].filter((name) => head.includes(name)).map((name) => percent(l[name] ?? 0))]);
    return small(head, rows, whose(p));
  }

  outlook(p, result) {
    if (!result.outlooks.length) return null;
    const turned = first(p, 1, "lower").bound === "upper"; // the second player's: what he wins, the first one loses
    const best = [...result.outlooks].sort((a, b) => b.mean - a.mean);
    const rows = best.map((o) => [o.move, short(first(p, o.mean, "exact").value), short(o.spread).replace("+", "±"), ...(turned ? [o.loss, o.win] : [o.win, o.loss]).map((chance) => percent(chance ?? 0))]);
    return small(["move", "equity", "spread", "ahead", "behind"], rows, whose(p));
  }

  mark() {
    const { board, game } = this.app;
    const seen = this.app.view.tab === "analyse" && this.hints.checked;
    const on = (name) => seen && this.layers[name].checked;
    const { result, belief, threat } = game.at;
    const shown = (seen && result?.lines) || [];
    const heat = on("belief") && belief && Object.keys(belief.cells).length; // one layer of numbers on a cell
    const sampled = shown.length && result.playouts !== null && !heat;
    board.showLast(!seen || on("last"));
    board.showBelief((on("belief") && belief?.cells) || {});
    board.showThreat((seen && this.threats.checked && threat?.cells) || []);
    board.showVisits(sampled && on("numbers") ? shown : [], this.figureOf(game.at.position));
    const best = sampled ? shown.slice(0, 1) : shown.slice(0, Number(this.lines.value) || 1);
    board.showBest(on("best") ? best.map((l) => l.moves[0]) : []);
  }

  // What number of a move stands on the board: its part of the visits, unless something else is wanted.
  figureOf(p) {
    const [low, high] = p?.values ?? [0, 1];
    return { rate: (line) => (line.value === null ? null : (first(p, line.value, "exact").value - low) / (high - low)), prior: (line) => line.prior ?? null }[this.figures.value] ?? null;
  }

  // --- the whole game ---

  sweepGame() {
    this.sweep = this.app.game.line();
    this.running = true;
    this.sweepOn();
  }

  async sweepOn(failed = false) {
    const node = failed ? null : this.sweep.shift();
    if (!node) {
      this.sweep = null;
      this.running = false;
      return this.label();
    }
    const position = await this.app.positionOf(node);
    if (!this.sweep) return null;
    if (position.over) return this.sweepOn();
    return this.ask(node, Math.min(0.5, Number(this.time.value) || 0.5));
  }
}

const whose = (p) => (p.players === 2 ? `For ${sideName(p, p.sum === null ? p.turn : 0)}` : "");

function small(head, rows, caption = "") {
  return make("table", { class: "small" }, caption ? make("caption", { text: caption }) : null, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", { text }))))));
}

// --- the value over the game ---

const WORST = 3; // mistakes that are marked

// What each move lost of its mover's share, where both positions were looked at.
export function losses(line) {
  const known = line.map((n) => (n.result && n.position && n.result.value !== null ? share(n.position, first(n.position, n.result.value, "exact").value) : null));
  const lost = line.map((n, i) => (i && known[i] !== null && known[i - 1] !== null && n.by >= 0 && n.by < 2 ? { node: n, by: (n.by === 0 ? 1 : -1) * (known[i - 1] - known[i]) } : null));
  const worst = lost.filter((l) => l && l.by > 0.08).sort((a, b) => b.by - a.by).slice(0, WORST);
  return { known, worst: new Set(worst.map((l) => l.node)) };
}

export function drawGraph(root, game, go) {
  const line = game.line();
  const { known, worst } = losses(line);
  root.hidden = known.filter((v) => v !== null).length < 2;
  if (root.hidden) return worst;
  const width = 400, height = 92, step = width / Math.max(1, line.length - 1);
  const at = (i) => [8 + (i * (width - 16)) / Math.max(1, line.length - 1), 8 + (1 - known[i]) * (height - 16)];
  const shown = line.map((_, i) => i).filter((i) => known[i] !== null);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `Value for ${line[0].position?.sides[0] ?? "player 1"} over the game` });
  svg.append(draw("line", { class: "mid", x1: 0, x2: width, y1: height / 2, y2: height / 2 }), draw("polyline", { class: "curve", points: shown.map((i) => at(i).join(",")).join(" ") }));
  for (const i of shown) {
    const [x, y] = at(i);
    const node = line[i];
    const name = `dot${node === game.at ? " now" : ""}${worst.has(node) ? " bad" : ""}`;
    svg.append(draw("circle", { class: name, cx: x, cy: y, r: worst.has(node) || node === game.at ? 5 : Math.min(4, 1 + step / 8), onclick: () => go(node) }, draw("title", { text: `${node.ply}. ${node.name}${worst.has(node) ? ": a mistake" : ""}` })));
  }
  root.replaceChildren(svg, make("figcaption", { text: `Value for ${line[0].position?.sides[0] ?? "player 1"} over the game; red: the worst mistakes` }));
  return worst;
}

