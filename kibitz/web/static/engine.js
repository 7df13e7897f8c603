// The choice of a search and its options as a form; read back as text, `alphabeta(depth=8, table=64)`, which is what the server takes.

import { make } from "./dom.js";

export class EngineForm {
  // `beside`: stands at the picker; `first`: fields above the options, which are folded; `acts`: stands beside what they are folded to.
  constructor(root, searches, { id, changed, hide = [], usual = {}, beside = null, first = [], acts = null }) {
    Object.assign(this, { searches, changed, hide, id, usual });
    this.chosen = null;
    this.picker = make("select", { id: `${id}-engine`, onchange: () => this.pick(this.picker.value) });
    this.about = make("small", {});
    this.options = make("div", { class: "scroll" });
    this.summary = make("summary", { text: "Options" });
    const label = make("label", { for: `${id}-engine`, text: "Search", class: beside ? "unseen" : "" });
    const choice = beside ? [make("div", { class: "engine" }, label, this.picker, beside), this.about] : [make("div", { class: "field" }, label, this.picker, this.about)];
    this.more = make("details", { class: "more" }, this.summary, ...first, this.options);
    root.append(...choice, acts ? make("div", { class: "settings" }, this.more, acts) : this.more);
  }

  // Only these fit the game; another game begins with its usual search.
  offer(names, game = this.game, usual = "") {
    if (this.names?.join() === names.join() && this.game === game) return;
    const another = this.game !== game;
    Object.assign(this, { names, game });
    this.picker.replaceChildren(...names.map((name) => make("option", { value: name, text: name })));
    const name = !another && names.includes(this.chosen) ? this.chosen : names.includes(usual) ? usual : names[0];
    if (name !== undefined && (name !== this.chosen || !this.options.childElementCount)) this.pick(name, true);
    this.picker.value = this.chosen ?? "";
  }

  pick(name, quietly = false) {
    this.chosen = name;
    this.picker.value = name;
    const search = this.searches.find((s) => s.search === name);
    this.about.textContent = this.about.title = search.about;
    const shown = [...search.limits, ...search.options].filter((o) => !this.hide.includes(o.name));
    this.options.replaceChildren(...shown.map((o) => field({ ...o, default: this.usual[o.name] ?? o.default }, `${this.id}-${o.name}`, () => this.changed())));
    if (!quietly) this.changed();
  }

  // As it is written for the server.
  get text() {
    const search = this.searches.find((s) => s.search === this.chosen);
    if (!search) return "";
    const given = [];
    for (const o of [...search.limits, ...search.options]) {
      const input = this.options.querySelector(`[id="${this.id}-${o.name}"]`);
      const value = input ? read(o, input) : o.default;
      if (String(value) !== String(o.default) && value !== "") given.push(`${o.name}=${written(o, value)}`);
    }
    return given.length ? `${this.chosen}(${given.join(", ")})` : this.chosen;
  }

  takes(option) {
    return this.searches.find((s) => s.search === this.chosen)?.options.some((o) => o.name === option) ?? false;
  }

  // Does such a text name a search that is offered?
  fits(text) {
    return this.names.includes(/^\s*\w*/.exec(text)[0].trim());
  }

  // From such a text, as in an address; options that are unknown are left out.
  set text(text) {
    const [, name, options = ""] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [];
    if (!this.fits(text)) return;
    this.pick(name, true);
    for (const part of options.split(",")) {
      const [key, value] = part.split("=").map((piece) => piece?.trim());
      const input = key && this.options.querySelector(`[id="${CSS.escape(this.id)}-${CSS.escape(key)}"]`);
      if (!input || value === undefined) continue;
      if (input.type === "checkbox") input.checked = /^true$/i.test(value);
      else input.value = value.replace(/^['"]|['"]$/g, "");
    }
  }
}

// A row of a form for one option or parameter.
export function field(o, id, changed) {
  let input;
  if (o.choices) {
    input = make("select", { id, onchange: changed }, ...o.choices.map((c) => make("option", { value: String(c), text: String(c) })));
    input.value = String(o.default);
  } else if (o.kind === "yes") {
    input = make("input", { id, type: "checkbox", checked: o.default, onchange: changed });
  } else if (o.kind === "number") {
    input = make("input", { id, type: "number", value: o.default, min: o.low, max: o.high, step: o.whole ? 1 : "any", onchange: changed });
  } else {
    input = make("input", { id, type: "text", value: o.default, onchange: changed });
  }
  return make("div", { class: "field" }, make("label", { for: id, text: o.name }), input, make("small", { text: o.about || o.range, title: o.range }));
}

export const read = (o, input) => (o.kind === "yes" && !o.choices ? input.checked : input.value);

function written(o, value) {
  if (o.kind === "yes") return value === true || value === "true" ? "True" : "False";
  return o.kind === "number" || /^[a-z_]\w*$/i.test(value) ? String(value) : JSON.stringify(String(value));
}
