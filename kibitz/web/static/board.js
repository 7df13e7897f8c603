// The drawn board made clickable. The drawing marks its cells (`data-cell`), moves name theirs in order: clicks, drags, arrows and marks come from these alone.

import { draw, make, picture } from "./dom.js";
import { percent } from "./words.js";

const LABELLED = 9; // moves whose visits are told on the board; the others have a dot

export class Board {
  constructor(root, { play }) {
    this.root = root;
    this.play = play; // called with a move's name
    this.flipped = false;
    this.chosen = []; // cells clicked so far
    this.position = null;
    this.cells = new Map(); // by name: { shapes, box }
    this.svg = null;
    this.drag = null;
  }

  // Draw a position; `live`: may moves be made?
  show(position, live) {
    this.position = position;
    this.live = live;
    this.chosen = [];
    this.cells.clear();
    const drawing = picture(position.svg);
    this.svg = drawing;
    if (!drawing) {
      this.root.replaceChildren(make("pre", { text: position.text, role: "img", "aria-label": "The position as text" }));
      return;
    }
    const marked = position.moves.some((m) => m.cells.length) || drawing.querySelector("[data-cell]");
    drawing.classList.toggle("drawn-tree", !marked);
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", `Board of ${position.label}`);
    this.root.replaceChildren(drawing);
    this.all = draw("g");
    this.all.append(...drawing.childNodes);
    this.marks = draw("g", { class: "marks" });
    this.hits = draw("g");
    this.ghost = draw("g", { class: "marks" });
    this.findCells();
    this.all.append(this.marks, this.hits, this.ghost);
    drawing.append(this.all);
    this.turn();
    this.showLast();
    drawing.addEventListener("pointerdown", (event) => this.press(event));
    drawing.addEventListener("pointermove", (event) => this.move(event));
    drawing.addEventListener("pointerup", (event) => this.release(event));
    drawing.addEventListener("pointercancel", () => this.drop());
  }

  findCells() {
    this.svg.append(this.all); // shapes have a size only where they are shown
    for (const shape of this.all.querySelectorAll("[data-cell]")) {
      const name = shape.dataset.cell;
      const b = shape.getBBox();
      const cell = this.cells.get(name) ?? { shapes: [], x1: Infinity, y1: Infinity, x2: -Infinity, y2: -Infinity };
      cell.shapes.push(shape);
      Object.assign(cell, { x1: Math.min(cell.x1, b.x), y1: Math.min(cell.y1, b.y), x2: Math.max(cell.x2, b.x + b.width), y2: Math.max(cell.y2, b.y + b.height) });
      this.cells.set(name, cell);
    }
    for (const [name, cell] of this.cells) {
      Object.assign(cell, { x: (cell.x1 + cell.x2) / 2, y: (cell.y1 + cell.y2) / 2 });
      const first = cell.shapes[0].getBBox();
      cell.size = Math.min(first.width, first.height, cell.x2 - cell.x1, cell.y2 - cell.y1);
      if (cell.y2 - cell.y1 > 1.5 * cell.size) cell.y = cell.y1 + cell.size / 2; // marks of a whole column stand at its top
      const group = draw("g", { class: "cell", "data-hit": name, role: "button", "aria-label": name, tabindex: "-1", onkeydown: (event) => this.key(event, name) });
      for (const shape of cell.shapes) group.append(this.copy(shape, "hit"));
      cell.hit = group;
      this.hits.append(group);
    }
    this.offer();
  }

  copy(shape, name) {
    const copy = shape.cloneNode(false);
    for (const attribute of ["data-cell", "fill", "stroke", "style", "class", "id"]) copy.removeAttribute(attribute);
    copy.setAttribute("class", name);
    return copy;
  }

  turn() {
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    const turned = this.flipped ? `rotate(180 ${x + width / 2} ${y + height / 2})` : "";
    this.all.setAttribute("transform", turned);
    for (const upright of this.all.querySelectorAll("text, use, path")) this.keepUpright(upright);
  }

  keepUpright(shape) {
    if (shape.dataset.own === undefined) shape.dataset.own = shape.getAttribute("transform") ?? "";
    const b = shape.getBBox();
    const turned = this.flipped ? ` rotate(180 ${b.x + b.width / 2} ${b.y + b.height / 2})` : "";
    shape.setAttribute("transform", shape.dataset.own + turned);
  }

  flip() {
    this.flipped = !this.flipped;
    if (this.svg) this.turn();
  }

  // --- choosing a move ---

  // Moves that begin with the cells chosen.
  get open() {
    return this.live ? this.position.moves.filter((m) => m.cells.length && this.chosen.every((cell, i) => m.cells[i] === cell)) : [];
  }

  offer() {
    const next = new Set(this.open.map((m) => m.cells[this.chosen.length] ?? m.cells.at(-1)));
    if (this.chosen.length) for (const m of this.open) next.add(m.cells.at(-1));
    const sources = new Set(this.live ? this.position.moves.map((m) => m.cells[0]) : []);
    for (const [name, cell] of this.cells) {
      const can = next.has(name) || sources.has(name);
      cell.hit.classList.toggle("can", can);
      cell.hit.setAttribute("tabindex", can ? "0" : "-1");
      cell.hit.setAttribute("aria-disabled", String(!can));
    }
    this.clearMarks("choice");
    if (!this.chosen.length) return;
    for (const name of this.chosen) this.tint(name, "mark-chosen choice");
    for (const name of next) {
      const cell = this.cells.get(name);
      if (cell) this.marks.append(draw("circle", { class: "mark-target choice", cx: cell.x, cy: cell.y, r: cell.size * 0.15 }));
    }
  }

  // Where the cells of a move lie; a cell that stands for several places, such as a column, is told apart by its spots.
  placesOf(move) {
    const cells = move.cells.map((name) => this.cells.get(name)).filter(Boolean);
    return move.spots?.length ? move.spots.map(([x, y]) => ({ x, y, size: cells[0]?.size ?? 36 })) : cells;
  }

  // Colour a cell, below what stands on it.
  tint(name, kind) {
    const shapes = this.cells.get(name)?.shapes ?? [];
    const grounds = shapes.filter((shape) => shape.tagName !== "circle");
    for (const shape of grounds.length ? grounds : shapes) shape.after(this.copy(shape, kind));
  }

  choose(name) {
    this.closeMenu();
    const at = this.chosen.length;
    const here = this.open.filter((m) => m.cells[at] === name);
    const ends = at ? this.open.filter((m) => m.cells.at(-1) === name) : [];
    if (!here.length && !ends.length) {
      const again = this.chosen.length && this.chosen[0] !== name && this.live && this.position.moves.some((m) => m.cells[0] === name);
      this.chosen = [];
      if (again) return this.choose(name);
      return this.offer();
    }
    const done = here.filter((m) => m.cells.length === at + 1);
    if (done.length) return this.decide(here, name); // a longer one that begins with it is offered beside it
    if (at && !here.length) return this.decide(ends, name);
    if (at && here.length === 1) return this.decide(here, name);
    this.chosen.push(name);
    return this.offer();
  }

  decide(moves, name) {
    if (moves.length === 1) return this.play(moves[0].name);
    const cell = this.cells.get(name);
    const place = this.svg.getBoundingClientRect();
    const point = new DOMPoint(cell.x, cell.y).matrixTransform(this.all.getScreenCTM());
    const menu = make("div", { class: "menu", role: "menu", "aria-label": "Which move?" });
    menu.style.left = `${Math.max(110, Math.min(point.x - this.root.getBoundingClientRect().left, place.width - 110))}px`;
    menu.style.top = `${point.y - this.root.getBoundingClientRect().top}px`;
    for (const move of moves) menu.append(make("button", { type: "button", role: "menuitem", text: move.name, onclick: () => this.play(move.name) }));
    menu.addEventListener("keydown", (event) => event.key === "Escape" && this.closeMenu());
    this.root.append(menu);
    menu.firstChild.focus();
  }

  closeMenu() {
    this.root.querySelector(".menu")?.remove();
  }

  key(event, name) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(name);
  }

  // --- pointing and dragging ---

  cellAt(event) {
    const under = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.closest?.("[data-hit]"));
    return under?.closest("[data-hit]").dataset.hit ?? null;
  }

  press(event) {
    const name = this.cellAt(event);
    if (name === null || !this.live || event.button > 0) return this.closeMenu();
    const started = this.chosen.length === 0 && this.position.moves.some((m) => m.cells[0] === name && m.cells.length > 1);
    this.drag = { name, x: event.clientX, y: event.clientY, moved: false };
    this.choose(name);
    if (!started || !this.chosen.length) this.drag = null;
    return null;
  }

  move(event) {
    if (!this.drag) return;
    const far = Math.hypot(event.clientX - this.drag.x, event.clientY - this.drag.y) > 6;
    if (far && !this.drag.moved) {
      this.drag.moved = true;
      this.lift(this.cells.get(this.drag.name));
      this.svg.setPointerCapture?.(event.pointerId);
    }
    if (!this.drag.moved) return;
    const scale = this.all.getScreenCTM();
    this.ghost.setAttribute("transform", `translate(${(event.clientX - this.drag.x) / scale.a} ${(event.clientY - this.drag.y) / scale.d})`);
  }

  lift(cell) {
    const outside = (shape) => !this.marks.contains(shape) && !this.hits.contains(shape) && !this.ghost.contains(shape) && !shape.closest("defs");
    for (const shape of this.all.querySelectorAll("circle, use, path, text")) {
      if (!outside(shape)) continue;
      const r = shape.getBoundingClientRect();
      const { x, y } = new DOMPoint(r.x + r.width / 2, r.y + r.height / 2).matrixTransform(this.all.getScreenCTM().inverse());
      if (x < cell.x1 || x > cell.x2 || y < cell.y1 || y > cell.y2) continue;
      const copy = shape.cloneNode(true);
      copy.removeAttribute("data-cell");
      this.ghost.append(copy);
      shape.style.opacity = 0.25;
    }
  }

  release(event) {
    const drag = this.drag;
    this.drop();
    if (!drag?.moved) return;
    const name = this.cellAt(event);
    if (name !== null && name !== drag.name) this.choose(name);
  }

  drop() {
    this.drag = null;
    this.ghost?.replaceChildren();
    for (const shape of this.all?.querySelectorAll("circle, use, path, text") ?? []) shape.style.opacity = "";
  }

  // --- marks ---

  clearMarks(kind) {
    this.all?.querySelectorAll(`.${kind}`).forEach((mark) => mark.remove());
  }

  showLast(wanted = true) {
    if (!this.svg) return;
    this.clearMarks("mark-last");
    const last = this.position.made.at(-1);
    if (!wanted || !last) return;
    if (last.spots?.length) for (const { x, y, size } of this.placesOf(last)) this.marks.append(draw("circle", { class: "mark-last rim", cx: x, cy: y, r: size * 0.44, "stroke-width": size * 0.08 }));
    else for (const name of last.cells) this.tint(name, "mark-last");
  }

  // Moves as arrows or rings, the first one strongest.
  showBest(names) {
    this.point("best", names.map((name) => this.position?.moves.find((m) => m.name === name)));
  }

  // What the other side would do if it were its turn.
  showThreat(cells) {
    this.point("threat", [{ cells }]);
  }

  point(kind, moves) {
    if (!this.svg) return;
    this.clearMarks(kind);
    moves.forEach((move, i) => {
      const places = move ? this.placesOf(move) : [];
      if (!places.length) return;
      const group = draw("g", { class: kind, opacity: i ? 0.45 : 1 });
      if (places.length > 1) group.append(...arrow(places));
      else for (const halo of [true, false]) group.append(draw("circle", { class: halo ? "halo" : "ring", cx: places[0].x, cy: places[0].y, r: places[0].size * 0.42, "stroke-width": places[0].size * ((i ? 0.035 : 0.06) + (halo ? 0.05 : 0)) }));
      this.marks.append(group);
    });
  }

  // How likely it is that something lies on a cell which is not seen.
  showBelief(cells) {
    if (!this.svg) return;
    this.clearMarks("belief");
    const most = Math.max(0.01, ...Object.values(cells));
    for (const [name, chance] of Object.entries(cells)) {
      const cell = this.cells.get(name);
      if (!cell || chance < 0.005) continue;
      const mark = draw("g", { class: "belief" }, draw("rect", { x: cell.x - cell.size * 0.46, y: cell.y - cell.size * 0.46, width: cell.size * 0.92, height: cell.size * 0.92, rx: cell.size * 0.1, "fill-opacity": 0.12 + (0.6 * chance) / most }));
      const label = draw("text", { class: "belief-text", x: cell.x, y: cell.y + cell.size * 0.34, "font-size": cell.size * 0.2, text: percent(chance).replace(/\.\d/, "") });
      mark.append(label);
      this.marks.append(mark);
      if (this.flipped) this.keepUpright(label);
    }
  }

  // How much of a Monte Carlo search went into each move; `figure` gives another number of a move to be written there.
  showVisits(lines, figure = null) {
    if (!this.svg) return;
    this.clearMarks("share");
    const total = lines.reduce((sum, line) => sum + (line.visits ?? 0), 0);
    const at = new Map();
    for (const line of total ? lines : []) {
      const move = this.position.moves.find((m) => m.name === line.moves[0]);
      const cell = move && this.placesOf(move).at(-1);
      if (!cell) continue;
      const key = `${cell.x},${cell.y}`;
      const before = at.get(key); // several moves may end here: the number is that of the one looked at most
      const most = before && before.line.visits >= line.visits ? before.line : line;
      at.set(key, { cell, line: most, part: (before?.part ?? 0) + line.visits / total });
    }
    const parts = [...at.values()].map(({ part }) => part);
    const most = Math.max(...parts);
    const told = parts.sort((a, b) => b - a)[LABELLED - 1] ?? 0;
    for (const { cell, part, line } of at.values()) {
      if (part < 0.002) continue;
      const number = figure ? figure(line) : part;
      const [weight, named] = [part / most, part >= told];
      const mark = draw("g", { class: "share" }, draw("circle", { class: "visits", cx: cell.x, cy: cell.y, r: cell.size * (named ? 0.36 : 0.06 + 0.16 * weight), "fill-opacity": named ? 0.45 + 0.5 * weight : 0.5 }));
      this.marks.append(mark);
      if (!named) continue;
      const label = draw("text", { class: "visits-text", x: cell.x, y: cell.y, dy: "0.35em", "font-size": cell.size * 0.26, text: number === null ? "–" : percent(number).replace(/\.\d/, "") });
      mark.append(label);
      if (this.flipped) this.keepUpright(label);
    }
  }
}

function arrow(places) {
  const width = places[0].size * 0.13;
  const [a, b] = [places.at(-2), places.at(-1)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const end = { x: b.x - dx * width * 1.9, y: b.y - dy * width * 1.9 };
  const points = [...places.slice(0, -1), end].map((p) => `${p.x},${p.y}`).join(" ");
  const head = [[b.x + dx * width * 0.4, b.y + dy * width * 0.4], [end.x - dy * width * 1.5, end.y + dx * width * 1.5], [end.x + dy * width * 1.5, end.y - dx * width * 1.5]];
  return [draw("polyline", { class: "arrow", points, "stroke-width": width }), draw("polygon", { class: "arrow-head", points: head.map((p) => p.join(",")).join(" ") })];
}
