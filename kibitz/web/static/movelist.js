// The moves made, with what else was tried beside them.

import { make } from "./dom.js";

export function listMoves(root, game, walk) {
  root.replaceChildren();
  const button = (node) => {
    const made = make("button", { type: "button", text: node.said || node.name, "aria-current": node === game.at ? "true" : null, onclick: () => walk(node) });
    made.node = node;
    return made;
  };
  const branch = (node) => {
    const parts = [];
    for (let n = node; n; n = game.next(n)) parts.push(button(n));
    return make("span", { class: "branch" }, " (", ...parts, ") ");
  };
  for (const node of game.line().slice(1)) {
    const number = node.ply % 2 ? make("span", { class: "number", text: `${(node.ply + 1) / 2}.` }) : null;
    root.append(make("span", { class: "made" }, number, button(node)), " ");
    for (const other of node.parent.children) if (other !== node) root.append(branch(other));
  }
  if (!root.childElementCount) root.append(make("span", { class: "quiet", text: "none yet" }));
  root.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}
