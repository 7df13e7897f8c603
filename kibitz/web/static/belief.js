// What the player to move thinks possible: how many positions, and the likeliest of them.

import { make, picture } from "./dom.js";
import { percent } from "./words.js";

export function believed(belief) {
  if (!belief) return [];
  const size = `${belief.size} ${belief.size === 1 ? "position is" : "positions are"} possible${belief.complete ? "" : ", or more: this is a sample"}`;
  const words = Object.keys(belief.cells).length ? `${size}. On the board: how likely it is that something lies there which is not seen.` : `${size}.`;
  const one = ({ chance, svg, text }) => make("figure", { class: "possible" }, picture(svg) ?? make("pre", { text }), make("figcaption", { text: percent(chance) }));
  return [make("h2", { text: "Belief" }), make("p", { class: "quiet", id: "belief", text: words }), make("div", { class: "possibles" }, ...belief.likeliest.map(one))];
}
