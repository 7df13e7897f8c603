// The bar beside the board: what the position is worth to whom, on the game's own scale.

import { $, make } from "./dom.js";
import { first, share, short, sideName } from "./words.js";

const initial = (side) => /(\d+)$/.exec(side)?.[1] ?? side.charAt(0).toUpperCase();

export function showBar(p, result, flipped) {
  showShares(p, result);
  $("bar").classList.toggle("low", false);
  if (p?.over && p.players === 2) return fill(p, p.utility[0], "exact", flipped);
  if (p && p.players <= 2 && result && result.value !== null) {
    const { value, bound } = first(p, result.value, result.bound);
    return fill(p, value, bound, flipped);
  }
  $("bar-fill").style.height = "50%";
  $("bar-text").textContent = "";
  return null;
}

// The share of the side at the bottom: the first player, or the second on a board that is turned.
function fill(p, value, bound, flipped) {
  const part = flipped ? 1 - share(p, value) : share(p, value);
  $("bar-fill").style.height = `${100 * part}%`;
  $("bar").classList.toggle("low", part < 0.12);
  $("bar-text").textContent = short(flipped && p.sum !== null ? p.sum - value : value, bound);
}

// Of more than two players each has a part of the bar; equal ones, and pale, while nothing is known.
function showShares(p, result) {
  const bar = $("bar");
  bar.querySelectorAll(".part").forEach((part) => part.remove());
  const many = p?.players > 2;
  $("bar-fill").hidden = $("bar-text").hidden = many;
  if (!many) return;
  const values = p.over ? p.utility : result?.values ?? [];
  const known = values.length === p.players && !values.some((v) => v === null);
  const parts = p.sides.map((_, i) => (known ? Math.max(0, values[i] - p.values[0]) : 1));
  const whole = parts.reduce((sum, part) => sum + part, 0) || 1;
  bar.append(...parts.map((part, i) => make("div", {
    class: `part p${i % 6}${known ? "" : " open"}`, title: `${sideName(p, i)}: ${known ? short(values[i]) : "not known yet"}`,
    style: `height: ${(100 * part) / whole}%`, text: part / whole > 0.06 ? initial(p.sides[i]) : "",
  })));
}
