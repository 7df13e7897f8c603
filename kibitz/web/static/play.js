// The Play tab: who plays which side, how strong, and what chance does.

import { make } from "./dom.js";
import { EngineForm } from "./engine.js";
import { Status } from "./status.js";
import { sideName } from "./words.js";

const LEVELS = [
  ["Beginner", { nodes: 30 }],
  ["Easy", { nodes: 500 }],
  ["Medium", { nodes: 10_000 }],
  ["Strong: 1 second", { time: 1 }],
  ["Full: 5 seconds", { time: 5 }],
];
const USUAL = "2"; // of these
const APART = 200; // between two ratings that are offered

export class Match {
  constructor(root, app) {
    this.app = app;
    this.id = null;
    this.node = null;
    this.side = make("select", { id: "side", onchange: () => this.sat() });
    this.level = make("select", { id: "level", onchange: () => app.remember() });
    this.dice = make("select", { id: "dice", onchange: () => this.moved() }, make("option", { value: "ask", text: "I roll, or choose" }), make("option", { value: "roll", text: "rolled at once" }));
    const field = (id, text, input) => make("div", { class: "field" }, make("label", { for: id, text }), input);
    this.diceField = field("dice", "Chance", this.dice);
    this.opponent = make("div", { id: "opponent" }, field("level", "Opponent", this.level));
    root.append(field("side", "You play", this.side), this.opponent);
    this.form = new EngineForm(this.opponent, app.searches, { id: "play", changed: () => (this.offerLevels(), app.remember()), hide: ["time", "depth", "nodes", "strength", "lines"] });
    this.state = new Status("play-state");
    this.words = make("p", { class: "quiet", id: "play-words" });
    root.append(this.diceField, this.state.root, this.words);
  }

  // Another game: its sides.
  offer(position) {
    this.offerLevels();
    const { name } = this.app.game;
    const wanted = `${position.sides}${this.app.seat.hidden ? name : ""}`;
    if (this.side.dataset.players === wanted) return;
    this.side.dataset.players = wanted;
    const sides = position.sides.map((_, i) => make("option", { value: i, text: sideName(position, i) }));
    this.side.replaceChildren(make("option", { value: "all", text: "all sides" }), ...sides, make("option", { value: "none", text: "none: watch" }));
    this.side.value = "0";
    this.opponent.hidden = false;
    this.dice.value = this.app.seat.hidden ? "roll" : "ask";
  }

  // Who plays and how strong, as it stands in the address; empty where it is as usual.
  get seats() {
    return { side: this.side.value === "0" ? "" : this.side.value, level: this.level.value === USUAL ? "" : this.level.value };
  }

  set seats({ side, level }) {
    for (const [select, value] of [[this.side, side], [this.level, level]]) if ([...select.options].some((o) => o.value === value)) select.value = value;
    this.opponent.hidden = this.side.value === "all";
  }

  // How strong: by effort, or by rating where that was measured.
  offerLevels() {
    const { chosen } = this.form;
    const [low, high] = this.app.listed?.ratings[chosen] ?? [0, -1];
    const rated = Array.from({ length: Math.max(0, Math.floor((high - low) / APART) + 1) }, (_, i) => Math.min(high, Math.ceil(low / 50) * 50 + i * APART));
    const wanted = `${chosen}${rated}`;
    if (this.level.dataset.offered === wanted) return;
    const before = this.level.value || USUAL;
    this.level.dataset.offered = wanted;
    this.level.replaceChildren(...LEVELS.map(([text], i) => make("option", { value: i, text })), ...rated.map((r) => make("option", { value: `r${r}`, text: `rated ${r}` })));
    this.level.value = [...this.level.options].some((o) => o.value === before) ? before : USUAL;
  }

  // The search as it is asked, and what it may use.
  get engine() {
    const rating = /^r(\d+)$/.exec(this.level.value)?.[1];
    const { text } = this.form;
    if (!rating) return { player: text, limits: LEVELS[this.level.value][1] };
    return { player: text.endsWith(")") ? text.replace(/\)$/, `, strength=${rating})`) : `${text}(strength=${rating})`, limits: { time: 5 } };
  }

  // Another side is played: where not all is seen, it is looked from there.
  sat() {
    const { seat } = this.app;
    this.opponent.hidden = this.side.value === "all";
    this.app.remember();
    if (seat.hidden) return seat.take({ all: "mover", none: "all" }[this.side.value] ?? this.side.value).then(() => this.moved());
    return this.moved();
  }

  isMine(turn) {
    return this.side.value === "all" || this.side.value === String(turn);
  }

  // The page shows another position: whose turn is it?
  moved() {
    const { game, view } = this.app;
    const p = game.at.position;
    if (this.id !== null) {
      this.app.link.send({ do: "stop" });
      this.id = null;
    }
    this.state.tell("");
    this.diceField.hidden = !this.app.listed.chance;
    if (!p || p.over || view.tab !== "play" || this.app.walking) return;
    if (p.turn === -2) {
      if (this.dice.value === "roll" || this.side.value === "none") this.app.roll();
    } else if (!this.isMine(p.turn)) {
      this.node = game.at;
      this.app.clearNotice();
      this.state.tell("Thinking …");
      this.id = this.app.link.send({ do: "play", ...game.place(), ...this.engine });
    }
  }

  hear(message) {
    if (message.id !== this.id) return false;
    if (this.state.hear(message)) return true;
    if (message.is === "error") {
      this.id = null;
      this.state.tell("");
      this.app.warn(message.text);
    } else if (message.is === "move") {
      this.words.textContent = `${message.words}`;
      this.state.tell("");
      const here = this.node === this.app.game.at;
      this.id = null;
      if (here) this.app.play(message.name);
    } else if (message.is === "stopped") this.state.tell("");
    return true;
  }
}
