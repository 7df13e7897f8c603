// Where not all is seen: from whose side the page looks. What the others did is not shown, and stands in the address only in a form that nobody reads by chance.

import { make } from "./dom.js";
import { sideName } from "./words.js";

const MOVER = "mover", ALL = "all";

export class Seat {
  constructor(root, app) {
    Object.assign(this, { root, app });
    this.pick = make("select", { id: "seat", onchange: () => this.changed() });
    root.append("Seen by ", this.pick);
  }

  get hidden() {
    return this.app.listed.hidden;
  }

  // Another game.
  offer() {
    this.root.hidden = !this.hidden;
    if (!this.hidden) return;
    const sides = this.app.listed.sides.map((_, i) => make("option", { value: i, text: sideName(this.app.listed, i) }));
    this.pick.replaceChildren(...sides, make("option", { value: MOVER, text: "whoever moves" }), make("option", { value: ALL, text: "everybody: all open" }));
    this.pick.value = "0";
  }

  get value() {
    return this.hidden ? this.pick.value : "";
  }

  set value(seat) {
    if (this.hidden && [...this.pick.options].some((o) => o.value === seat)) this.pick.value = seat;
  }

  take(seat) {
    this.pick.value = String(seat);
    return this.changed();
  }

  // All that is known of the game is known to somebody else.
  changed() {
    const forget = (node) => {
      node.position = node.result = null;
      node.children.forEach(forget);
    };
    forget(this.app.game.root);
    return this.app.walk(this.app.game.at);
  }

  // A position as it is seen from there.
  async show(place) {
    if (!this.hidden || this.value === ALL) return this.app.link.show(place);
    if (this.value !== MOVER) return this.app.link.show({ ...place, observer: Number(this.value) });
    const { turn, made } = await this.app.link.show(place);
    return this.app.link.show({ ...place, observer: turn >= 0 ? turn : Math.max(0, made.at(-1)?.by ?? 0) });
  }
}
