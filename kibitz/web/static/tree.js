// The Tree tab: the search as it really ran, from the visits that it recorded, event by event; a Monte Carlo tree with its last simulation, step by step.

import { draw, make, picture } from "./dom.js";
import { EngineForm } from "./engine.js";
import { fold, layOut, mergeTwigs, mergeVisits, pathOf } from "./treedata.js";
import { leafSpan } from "./treetext.js";
import { described, valueText, windowText } from "./treewords.js";

const ACROSS = 46, DOWN = 74, SHAPE = 12;
const MOST = 1000; // nodes drawn at once
const SMALL = 60; // nodes of a tree that shows all its windows

export class TreeView {
  constructor(root, app) {
    this.app = app;
    this.id = null;
    this.shown = null; // what is drawn: { root, events, nodes, sampled }
    this.step = 0;
    this.form = new EngineForm(root, app.searches, { id: "tree", changed: () => app.remember(), hide: ["time", "nodes"] });
    this.button = make("button", { type: "button", class: "main", id: "grow", text: "Show the tree", onclick: () => this.ask() });
    this.size = make("input", { id: "tree-size", type: "number", min: 10, max: app.limits.visits, value: Math.min(400, app.limits.visits) });
    const size = make("label", { class: "check", title: "The search goes as deep as that allows" }, "Visits to record", this.size);
    this.state = make("p", { class: "waiting", id: "tree-state", role: "status", hidden: true });
    this.headline = make("p", { class: "quiet", id: "tree-headline" });
    this.canvas = make("div", { class: "tree", id: "tree", hidden: true });
    this.slider = make("input", { type: "range", id: "tree-step", min: 0, max: 0, value: 0, "aria-label": "Step of the search", oninput: () => this.to(Number(this.slider.value)) });
    this.caption = make("p", { class: "tree-caption", id: "tree-caption", "aria-live": "polite" });
    const step = (text, label, by) => make("button", { type: "button", text, "aria-label": label, title: label, onclick: () => this.to(by()) });
    this.controls = make(
      "div", { class: "row", id: "tree-controls", hidden: true },
      step("«", "First step", () => 0), step("‹", "One step back", () => this.step - 1), step("›", "One step on", () => this.step + 1), step("»", "Last step", () => this.shown.events.length - 1),
      make("button", { type: "button", text: "Run", id: "tree-run", onclick: () => this.run() }),
      make("button", { type: "button", text: "+", "aria-label": "Larger", onclick: () => this.zoom(1.25) }), make("button", { type: "button", text: "−", "aria-label": "Smaller", onclick: () => this.zoom(0.8) }),
      make("button", { type: "button", text: "Fit", onclick: () => this.fit() }), make("button", { type: "button", text: "Unfold", id: "unfold", onclick: () => this.unfold() }),
    );
    root.append(make("div", { class: "row" }, this.button, size), this.state, this.headline, this.controls, this.slider, this.caption, this.canvas);
    this.slider.hidden = true;
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.pull(event));
    this.canvas.addEventListener("pointerup", () => (this.held = null));
    this.canvas.addEventListener("keydown", (event) => event.stopPropagation());
  }

  // Another position: the tree is of the one before.
  moved() {
    if (this.shown && this.node !== this.app.game.at) this.clear();
  }

  clear() {
    this.shown = null;
    this.halt();
    this.caption.textContent = this.headline.textContent = "";
    this.canvas.hidden = this.controls.hidden = this.slider.hidden = true;
  }

  ask() {
    this.app.clearNotice();
    this.node = this.app.game.at;
    const visits = Math.max(1, Math.min(this.app.limits.visits, Number(this.size.value) || 400));
    this.tell("Searching …");
    this.id = this.app.link.send({ do: "tree", ...this.app.game.place(), player: this.form.text, visits });
  }

  hear(message) {
    if (message.id !== this.id) return false;
    if (message.is === "waiting") this.tell(`Waiting: ${message.before} before you`);
    else if (message.is === "working") this.tell(`${message.words} …`);
    else if (message.is === "tree") this.take(message);
    else if (message.is === "error") {
      this.tell("");
      this.app.warn(message.text);
    } else if (message.is === "stopped") this.tell("");
    return true;
  }

  tell(text) {
    this.state.textContent = text;
    this.state.hidden = !text;
  }

  take({ tree, headline, remark }) {
    this.tell("");
    this.shown = tree.visits ? mergeVisits(tree) : mergeTwigs(tree);
    fold(this.shown.root, this.shown.sampled ? 26 : 160);
    this.headline.textContent = remark ? `${headline}. ${remark}` : headline;
    this.canvas.hidden = this.controls.hidden = this.slider.hidden = false;
    this.slider.max = this.shown.events.length - 1;
    this.view = null;
    this.to(this.shown.events.length - 1);
  }

  // --- steps ---

  to(step) {
    if (!this.shown) return;
    this.step = Math.max(0, Math.min(this.shown.events.length - 1, step));
    this.slider.value = this.step;
    const event = this.shown.events[this.step];
    this.caption.textContent = `${this.step + 1} of ${this.shown.events.length}: ${described(event)}`;
    this.slider.setAttribute("aria-valuetext", this.caption.textContent);
    this.render();
  }

  run() {
    if (this.timer) return this.halt();
    if (this.step >= this.shown.events.length - 1) this.to(0);
    this.timer = setInterval(() => (this.step < this.shown.events.length - 1 ? this.to(this.step + 1) : this.halt()), Math.max(30, Math.min(600, 20_000 / this.shown.events.length)));
    this.controls.querySelector("#tree-run").textContent = "Pause";
    return null;
  }

  halt() {
    clearInterval(this.timer);
    this.timer = null;
    this.controls.querySelector("#tree-run").textContent = "Run";
  }

  unfold() {
    fold(this.shown.root, MOST);
    this.view = null;
    this.render();
  }

  // --- drawing ---

  render() {
    const { root, events } = this.shown;
    const event = events[this.step];
    const path = new Set(pathOf(event.node));
    const { nodes, width, depth } = layOut(root, path, this.shown.nodes.length < SMALL);
    const [w, h] = [Math.max(4, width) * ACROSS, (depth + 1) * DOWN + 20];
    const box = { w: Math.max(200, this.canvas.clientWidth), h: Math.max(120, this.canvas.clientHeight) };
    this.whole = { x: 0, y: 0, w, h };
    for (const node of nodes) Object.assign(node, { px: (node.x + 0.5) * ACROSS, py: node.level * DOWN + 30 });
    if (!this.view) {
      const scale = Math.max(0.65, Math.min(1.6, box.w / w, box.h / h)); // smaller, and nobody could read it
      this.view = { x: w < box.w / scale ? (w - box.w / scale) / 2 : Math.max(0, Math.min(root.px - box.w / scale / 2, w - box.w / scale)), y: 0, w: box.w / scale, h: box.h / scale };
    }
    this.follow(event.node);
    this.svg = draw("svg", { viewBox: `${this.view.x} ${this.view.y} ${this.view.w} ${this.view.h}`, role: "img", "aria-label": this.headline.textContent });
    const edges = draw("g"), shapes = draw("g");
    for (const node of nodes) {
      const { px: x, py: y } = node;
      const seen = node.entered <= this.step;
      const onPath = path.has(node);
      if (node.parent) this.edge(edges, node, seen, onPath);
      shapes.append(this.shape(node, x, y, seen, onPath));
    }
    this.svg.append(edges, shapes);
    this.canvas.replaceChildren(this.svg);
  }

  // Keep the node that the search is at in sight.
  follow({ px, py }) {
    const v = this.view;
    if (px < v.x + 20 || px > v.x + v.w - 20) v.x = px - v.w / 2;
    if (py < v.y + 20 || py > v.y + v.h - 40) v.y = Math.max(0, py - v.h / 2);
  }

  edge(edges, node, seen, onPath) {
    const { px: x1, py: y1 } = node.parent;
    const name = `edge${onPath && seen ? " path" : ""}${node.best && this.step === this.shown.events.length - 1 ? " best" : ""}${seen ? "" : " pale"}`;
    edges.append(draw("line", { class: name, x1, y1: y1 + SHAPE, x2: node.px, y2: node.py - SHAPE }));
    const label = draw("text", { class: `move${seen ? "" : " pale"}`, x: x1 + (node.px - x1) * 0.62, y: y1 + (node.py - y1) * 0.55, text: node.move });
    edges.append(label);
    if (node.parent.cutAt !== null && node.parent.cutAt <= this.step && node === node.parent.children.at(-1)) {
      const [mx, my] = [node.px + 16, node.py - DOWN / 2 + 6];
      edges.append(draw("line", { class: "cut", x1: mx - 5, y1: my + 4, x2: mx + 5, y2: my - 4 }), draw("line", { class: "cut", x1: mx - 2, y1: my + 8, x2: mx + 8, y2: my }));
    }
  }

  shape(node, x, y, seen, onPath) {
    const group = draw("g", { class: `node${onPath && seen ? " path" : ""}${seen ? "" : " pale"}`, onclick: () => this.click(node), onpointerenter: () => this.peek(node), onpointerleave: () => this.unpeek() });
    const s = SHAPE;
    const shapes = {
      0: () => draw("polygon", { class: "shape", points: `${x},${y - s} ${x - s - 3},${y + s} ${x + s + 3},${y + s}` }),
      1: () => draw("polygon", { class: "shape", points: `${x},${y + s} ${x - s - 3},${y - s} ${x + s + 3},${y - s}` }),
      chance: () => draw("circle", { class: "shape", cx: x, cy: y, r: s }),
    };
    group.append((shapes[node.player] ?? (() => draw("rect", { class: "shape", x: x - s - 4, y: y - s, width: 2 * s + 8, height: 2 * s, rx: node.ended === "over" ? 1 : 8 })))());
    const now = valueText(node, this.step);
    const inside = !shapes[node.player];
    group.append(draw("text", inside ? { x, y: y + 4, text: now } : { class: "beside", x: x + s + 6, y: y + 5, text: now }));
    const window = windowText(node, this.step);
    if (window && (onPath || this.shown.nodes.length < SMALL)) group.append(draw("text", { class: "window", x, y: y - s - 5, text: window }));
    if (node.hidden) group.append(draw("text", { class: "fold", x, y: y + s + 14, text: `… ${node.hidden}` }));
    group.append(draw("title", { text: `${pathOf(node).map((n) => n.move).filter(Boolean).join(" ") || "the root"}${node.ended ? `, ${node.ended}` : ""}` }));
    return group;
  }

  click(node) {
    if (this.held?.moved) return;
    const { text } = this.app.game.at.position;
    const span = node.ended === "over" ? leafSpan(text, pathOf(node).slice(1).map((n) => n.move)) : null;
    if (span) return this.edit(node, text, span);
    if (!node.children.length) return;
    node.open = !node.open;
    this.render();
  }

  // Another value for a leaf of a tree that is written out in the position: the search runs again.
  edit(node, text, span) {
    this.canvas.querySelector("form")?.remove();
    const box = this.svg.getBoundingClientRect();
    const point = new DOMPoint(node.px, node.py).matrixTransform(this.svg.getScreenCTM());
    const input = make("input", { type: "number", step: "any", value: text.slice(...span), "aria-label": "Another value for this leaf" });
    const form = make("form", { class: "menu" }, input, make("button", { type: "submit", text: "Set" }));
    form.style.left = `${Math.max(90, Math.min(point.x - box.left, box.width - 90))}px`;
    form.style.top = `${point.y - box.top}px`;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      form.remove();
      if (input.value === "" || !(await this.app.newGame(this.app.game.name, this.app.game.parameters, text.slice(0, span[0]) + Number(input.value) + text.slice(span[1])))) return;
      this.ask();
    });
    this.canvas.append(form);
    input.select();
  }

  // --- a look at the position of a node ---

  peek(node) {
    clearTimeout(this.look);
    this.look = setTimeout(async () => {
      const { game, link } = this.app;
      const moves = [game.place(this.node).moves, ...pathOf(node).slice(1).map((n) => n.move)].join(" ").trim();
      const position = await link.show({ ...game.place(this.node), moves }).catch(() => null);
      const drawing = position && picture(position.svg);
      if (!drawing?.querySelector("[data-cell]") || this.canvas.hidden) return;
      this.unpeek();
      const small = make("div", { class: "small-board" }, drawing);
      const box = this.canvas.getBoundingClientRect();
      const point = new DOMPoint(node.px, node.py).matrixTransform(this.svg.getScreenCTM());
      small.style.left = `${Math.max(4, Math.min(point.x - box.left + 24, box.width - 140))}px`;
      small.style.top = `${Math.max(4, Math.min(point.y - box.top - 40, box.height - 150))}px`;
      this.canvas.append(small);
    }, 250);
  }

  unpeek() {
    clearTimeout(this.look);
    this.canvas.querySelector(".small-board")?.remove();
  }

  // --- moving about ---

  zoom(by, at = { x: this.view.x + this.view.w / 2, y: this.view.y + this.view.h / 2 }) {
    const v = this.view;
    this.view = { x: at.x - (at.x - v.x) / by, y: at.y - (at.y - v.y) / by, w: v.w / by, h: v.h / by };
    this.aim();
  }

  fit() {
    this.view = { ...this.whole };
    this.aim();
  }

  aim() {
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${this.view.w} ${this.view.h}`);
  }

  wheel(event) {
    if (!this.shown) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.15 : 0.87, new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse()));
  }

  grab(event) {
    if (this.shown && !event.target.closest("form")) this.held = { x: event.clientX, y: event.clientY, from: { ...this.view }, scale: this.svg.getScreenCTM().a, moved: false };
  }

  pull(event) {
    if (!this.held) return;
    const [dx, dy] = [event.clientX - this.held.x, event.clientY - this.held.y];
    if (Math.hypot(dx, dy) < 5 && !this.held.moved) return;
    this.held.moved = true;
    this.view = { ...this.view, x: this.held.from.x - dx / this.held.scale, y: this.held.from.y - dy / this.held.scale };
    this.aim();
  }
}
