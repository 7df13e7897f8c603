// The Tree tab: the search as it really ran, event by event, and the lines of its algorithm beside it; two searches of the same position side by side, with what each did.

import { make } from "./dom.js";
import { EngineForm } from "./engine.js";
import { Status } from "./status.js";
import { counts } from "./treedata.js";
import { TreePane } from "./treepane.js";
import { count } from "./words.js";

const USUAL = 400; // visits to record
const SECOND = "minimax"; // what a search is set beside, where nobody says

export class TreeView {
  constructor(root, app) {
    this.app = app;
    this.id = null;
    this.found = []; // a tree for each search
    const first = make("div", { class: "choice" }), second = make("div", { class: "choice", id: "beside", hidden: true });
    this.button = make("button", { type: "button", class: "main", id: "grow", text: "Show the tree", onclick: () => this.ask() });
    this.size = make("input", { id: "tree-size", type: "number", min: 10, max: app.limits.visits, value: Math.min(USUAL, app.limits.visits) });
    const size = make("div", { class: "field" }, make("label", { for: "tree-size", text: "Visits to record" }), this.size, make("small", { text: "The search goes as deep as that allows" }));
    this.both = make("input", { type: "checkbox", id: "compare", onchange: () => this.compare() });
    this.together = make("button", { type: "button", id: "run-both", text: "Run both", hidden: true, onclick: () => this.panes.forEach((pane) => pane.run()) });
    const acts = make("div", { class: "row acts" }, make("label", { class: "check" }, this.both, "Beside another search"), this.together);
    this.forms = [first, second].map((place, i) => new EngineForm(place, app.searches, { id: i ? "tree-beside" : "tree", changed: () => app.remember(), hide: ["time", "nodes"], beside: i ? make("span", {}) : this.button, first: i ? [] : [size], acts: i ? null : acts }));
    this.choices = [first, second];
    const changeLeaf = async (text) => (await app.newGame(app.game.name, app.game.parameters, text)) && this.ask();
    this.panes = ["tree", "tree-two"].map((id) => new TreePane(app, id, changeLeaf));
    this.state = new Status("tree-state");
    this.tally = make("div", { id: "tally" });
    root.append(
      make("div", { class: "choices" }, first, second),
      this.state.root, this.tally, make("div", { class: "panes" }, ...this.panes.map((pane) => pane.root)),
    );
  }

  // The first search; what the address tells.
  get form() {
    return this.forms[0];
  }

  offer(names, game, usual) {
    this.forms[0].offer(names, game, usual);
    this.forms[1].offer(names, game, names.includes(SECOND) ? SECOND : names.at(-1));
    this.button.disabled = !names.length;
    if (!names.length) this.state.tell("No search of this game leaves a tree of positions.");
    else if (this.state.root.dataset.empty) this.state.tell("");
    this.state.root.dataset.empty = names.length ? "" : "yes";
  }

  compare() {
    this.choices[1].hidden = !this.both.checked;
    this.clear();
    this.app.showTab();
  }

  // Another position: the trees are of the one before.
  moved() {
    if (this.found.length && this.node !== this.app.game.at) this.clear();
  }

  clear() {
    this.found = [];
    this.panes.forEach((pane) => pane.clear());
    this.tally.replaceChildren();
    this.together.hidden = true;
  }

  ask() {
    this.clear();
    this.app.clearNotice();
    this.node = this.app.game.at;
    this.next();
  }

  // One search after the other: a page has one at a time.
  next() {
    const visits = Math.max(1, Math.min(this.app.limits.visits, Number(this.size.value) || USUAL));
    this.state.tell("Searching …");
    this.id = this.app.link.send({ do: "tree", ...this.app.game.place(this.node), player: this.forms[this.found.length].text, visits });
  }

  hear(message) {
    if (message.id !== this.id) return false;
    if (this.state.hear(message)) return true;
    if (message.is === "tree") this.take(message);
    else if (message.is === "error") {
      this.state.tell("");
      this.app.warn(message.text);
    } else if (message.is === "stopped") this.ended();
    return true;
  }

  take(message) {
    this.state.tell("");
    const pane = this.panes[this.found.length];
    pane.take(message, this.node);
    if (matchMedia("(max-width: 860px)").matches) pane.root.scrollIntoView({ block: "start" }); // on a phone the tree stands below the board
    this.found.push(counts(message.tree, pane.shown));
  }

  ended() {
    this.state.tell("");
    if (this.found.length === 1 && this.both.checked) return this.next();
    if (this.found.length === 2) this.tallied();
    return null;
  }

  // What each of two searches did.
  tallied() {
    this.together.hidden = false;
    const kinds = [...new Set(this.found.flatMap(Object.keys))].filter((kind) => this.found.some((counted) => counted[kind]));
    const head = make("tr", {}, make("th", { scope: "col", text: "" }), ...this.forms.map((form) => make("th", { scope: "col", text: form.chosen })));
    const rows = kinds.map((kind) => make("tr", {}, make("th", { scope: "row", text: kind }), ...this.found.map((counted) => make("td", { text: counted[kind] === undefined ? "–" : count(counted[kind]) }))));
    this.tally.replaceChildren(make("table", { class: "small" }, make("thead", {}, head), make("tbody", {}, ...rows)));
    for (const pane of this.panes) pane.fit();
  }
}
