// One tree on the page: drawn, walked through step by step, zoomed and folded.

import { draw, make, picture } from "./dom.js";
import { fold, layOut, mergeProof, mergeTwigs, mergeVisits, pathOf, widest } from "./treedata.js";
import { leafSpan } from "./treetext.js";
import { boundsText, described, tagOf, valueText, windowText } from "./treewords.js";

const ACROSS = 46, DOWN = 74, SHAPE = 12;
const MOST = 1000; // nodes drawn at once
const SMALL = 60; // nodes of a tree that shows all its windows
const TICK = 40, LONGEST = 20_000; // milliseconds between two steps of a run; of a whole run

export class TreePane {
  constructor(app, id, changeLeaf) {
    Object.assign(this, { app, id, changeLeaf });
    this.folds = 0; // how often nodes were folded or unfolded
    this.laid = ""; // what the nodes that are drawn were laid out for
    this.shown = null; // what is drawn: { root, events, nodes, sampled }
    this.step = 0;
    this.headline = make("p", { class: "quiet headline", id: `${id}-headline` });
    this.canvas = make("div", { class: "tree", id });
    this.slider = make("input", { type: "range", id: `${id}-step`, min: 0, max: 0, value: 0, "aria-label": "Step of the search", oninput: () => this.to(Number(this.slider.value)) });
    this.caption = make("p", { class: "tree-caption", id: `${id}-caption`, "aria-live": "polite" });
    this.code = make("ol", { class: "code", id: `${id}-code`, tabindex: 0, "aria-label": "The algorithm" });
    const step = (text, label, by) => make("button", { type: "button", text, "aria-label": label, title: label, onclick: () => this.to(by()) });
    this.runner = make("button", { type: "button", text: "Run", id: `${id}-run`, onclick: () => this.run() });
    this.controls = make(
      "div", { class: "row", id: `${id}-controls` },
      step("«", "First step", () => 0), step("‹", "One step back", () => this.step - 1), step("›", "One step on", () => this.step + 1), step("»", "Last step", () => this.shown.events.length - 1),
      this.runner, make("button", { type: "button", text: "+", "aria-label": "Larger", onclick: () => this.zoom(1.25) }), make("button", { type: "button", text: "−", "aria-label": "Smaller", onclick: () => this.zoom(0.8) }),
      make("button", { type: "button", text: "Fit", onclick: () => this.fit() }), make("button", { type: "button", text: "Unfold", onclick: () => this.unfold() }),
    );
    this.root = make("div", { class: "pane", hidden: true }, this.headline, this.controls, this.slider, this.caption, this.canvas, this.code);
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.pull(event));
    this.canvas.addEventListener("pointerup", () => (this.held = null));
    this.canvas.addEventListener("keydown", (event) => event.stopPropagation());
  }

  clear() {
    this.shown = null;
    this.halt();
    this.root.hidden = true;
  }

  // A tree as the server tells it, of the position at a node of the game.
  take({ tree, headline, remark, code }, node) {
    this.node = node;
    this.shown = tree.visits ? mergeVisits(tree, node.position.players) : tree.steps ? mergeProof(tree) : mergeTwigs(tree);
    fold(this.shown.root, this.shown.sampled ? 26 : 160);
    this.headline.textContent = remark ? `${headline}. ${remark}` : headline;
    this.lines = (code ?? []).map(({ text, steps }) => ({ steps, item: make("li", { text }) }));
    this.code.replaceChildren(...this.lines.map(({ item }) => item));
    this.code.hidden = !this.lines.length;
    this.root.hidden = false;
    this.slider.max = this.shown.events.length - 1;
    this.folds += 1;
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
    this.point(tagOf(event));
    this.render();
  }

  // The line of the algorithm that does this.
  point(tag) {
    const line = this.lines.find(({ steps }) => steps.includes(tag)) ?? (tag === "again" ? this.lines.find(({ steps }) => steps.includes("enter")) : null);
    for (const { item } of this.lines) item.classList.toggle("now", item === line?.item);
  }

  run() {
    if (this.timer) return this.halt();
    const { length } = this.shown.events;
    if (this.step >= length - 1) this.to(0);
    const pause = Math.max(TICK, Math.min(600, LONGEST / length));
    const stride = Math.max(1, Math.round((length * pause) / LONGEST));
    this.timer = setInterval(() => (this.step < length - 1 ? this.to(this.step + stride) : this.halt()), pause);
    this.runner.textContent = "Pause";
    return null;
  }

  halt() {
    clearInterval(this.timer);
    this.timer = null;
    this.runner.textContent = "Run";
  }

  unfold() {
    fold(this.shown.root, MOST);
    this.folds += 1;
    this.view = null;
    this.render();
  }

  // --- drawing ---

  // Nodes are laid out when others are to be shown, and are then changed where a step changes them.
  render() {
    const event = this.shown.events[this.step];
    const path = new Set(pathOf(event.node));
    const key = `${this.folds}/${[...path].filter((node) => node.parent && !node.parent.open).map((node) => node.number)}`;
    if (!this.view || key !== this.laid) this.lay(path);
    this.laid = key;
    const last = this.step === this.shown.events.length - 1;
    for (const node of this.nodes) this.update(node, path.has(node), last);
    this.follow(event.node);
    this.aim();
  }

  lay(path) {
    const { nodes, width, depth } = layOut(this.shown.root, path, this.shown.nodes.length < SMALL);
    this.nodes = nodes;
    const [w, h] = [Math.max(4, width) * ACROSS, (depth + 1) * DOWN + 20];
    const box = { w: Math.max(200, this.canvas.clientWidth), h: Math.max(120, this.canvas.clientHeight) };
    this.whole = { x: 0, y: 0, w, h };
    for (const node of nodes) Object.assign(node, { px: (node.x + 0.5) * ACROSS, py: node.level * DOWN + 30 });
    if (!this.view) {
      const scale = Math.max(0.65, Math.min(1.6, box.w / w, box.h / h)); // smaller, and nobody could read it
      const { root } = this.shown;
      this.view = { x: w < box.w / scale ? (w - box.w / scale) / 2 : Math.max(0, Math.min(root.px - box.w / scale / 2, w - box.w / scale)), y: 0, w: box.w / scale, h: box.h / scale };
    }
    this.svg = draw("svg", { role: "img", "aria-label": this.headline.textContent });
    const edges = draw("g"), shapes = draw("g");
    for (const node of nodes) {
      node.drawn = {};
      if (node.parent) edges.append(...this.edge(node));
      shapes.append(this.shape(node));
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

  edge(node) {
    const { px: x1, py: y1 } = node.parent;
    const [mx, my] = [node.px + 16, node.py - DOWN / 2 + 6];
    const line = draw("line", { x1, y1: y1 + SHAPE, x2: node.px, y2: node.py - SHAPE });
    const label = draw("text", { x: x1 + (node.px - x1) * 0.62, y: y1 + (node.py - y1) * 0.55, text: node.move });
    const isCut = node.parent.cutAt !== null && node === node.parent.children.at(-1);
    const cuts = isCut ? [draw("line", { x1: mx - 5, y1: my + 4, x2: mx + 5, y2: my - 4 }), draw("line", { x1: mx - 2, y1: my + 8, x2: mx + 8, y2: my })] : [];
    Object.assign(node.drawn, { line, label, cuts });
    return [line, label, ...cuts];
  }

  shape(node) {
    const { px: x, py: y } = node;
    const group = draw("g", { onclick: () => this.click(node), onpointerenter: () => this.peek(node), onpointerleave: () => this.unpeek() });
    const s = SHAPE;
    const half = Math.max(s + 4, node.player === null ? widest(node) / 2 : 0);
    const numbered = node.vector && Number.isInteger(node.player); // a circle with the player's number
    const shapes = numbered ? { [node.player]: () => draw("circle", { class: "shape", cx: x, cy: y, r: s }) } : {
      0: () => draw("polygon", { class: "shape", points: `${x},${y - s} ${x - s - 3},${y + s} ${x + s + 3},${y + s}` }),
      1: () => draw("polygon", { class: "shape", points: `${x},${y + s} ${x - s - 3},${y - s} ${x + s + 3},${y - s}` }),
      chance: () => draw("circle", { class: "shape", cx: x, cy: y, r: s }),
    };
    group.append((shapes[node.player] ?? (() => draw("rect", { class: "shape", x: x - half, y: y - s, width: 2 * half, height: 2 * s, rx: node.ended === "over" ? 1 : 8 })))());
    const value = draw("text", shapes[node.player] ? { class: "beside", x: x + s + 6, y: y + 5 } : { x, y: y + 4 });
    const window = draw("text", { class: "window", x, y: y - s - 5 });
    const bounds = draw("text", { class: "bounds", x: x - s - 5, y: y + 4 });
    group.append(value, window, bounds);
    if (numbered) group.append(draw("text", { class: "player", x, y: y + 4, text: node.player + 1 }));
    if (node.hidden) group.append(draw("text", { class: "fold", x, y: y + s + 14, text: `… ${node.hidden}` }));
    group.append(draw("title", { text: `${pathOf(node).map((n) => n.move).filter(Boolean).join(" ") || "the root"}${node.ended ? `, ${node.ended}` : ""}` }));
    Object.assign(node.drawn, { group, value, window, bounds });
    return group;
  }

  // What of a node is another one at this step; what is as it was is left alone.
  update(node, onPath, last) {
    const { drawn } = node;
    const seen = node.entered <= this.step;
    const lit = onPath && seen;
    const now = {
      group: `node${lit ? " path" : ""}${seen ? "" : " pale"}`, line: `edge${lit ? " path" : ""}${node.best && last ? " best" : ""}${seen ? "" : " pale"}`, label: `move${seen ? "" : " pale"}`,
      value: valueText(node, this.step), window: onPath || this.shown.nodes.length < SMALL ? windowText(node, this.step) : "", bounds: boundsText(node, this.step), cut: node.parent?.cutAt <= this.step ? "cut" : "cut unseen-cut",
    };
    const before = drawn.now ?? {};
    drawn.now = now;
    for (const part of ["group", "line", "label"]) if (now[part] !== before[part]) drawn[part]?.setAttribute("class", now[part]);
    for (const part of ["value", "window", "bounds"]) if (now[part] !== before[part]) drawn[part].textContent = now[part];
    if (now.cut !== before.cut) drawn.cuts?.forEach((stroke) => stroke.setAttribute("class", now.cut));
  }

  click(node) {
    if (this.held?.moved) return;
    const { text } = this.app.game.at.position;
    const span = node.ended === "over" ? leafSpan(text, pathOf(node).slice(1).map((n) => n.move)) : null;
    if (span) return this.edit(node, text, span);
    if (!node.children.length) return;
    node.open = !node.open;
    this.folds += 1;
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
      if (input.value !== "") await this.changeLeaf(text.slice(0, span[0]) + Number(input.value) + text.slice(span[1]));
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
      if (!drawing?.querySelector("[data-cell]") || this.root.hidden) return;
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
