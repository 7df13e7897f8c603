// What a search that gives no results yet is doing: waiting for its turn, compiling (for how long), thinking.

import { make } from "./dom.js";

const SOON = 2; // seconds before the time is told

export class Status {
  constructor(id) {
    this.root = make("p", { class: "waiting", id, role: "status", hidden: true });
  }

  // Say it; nothing: hide it. `counting`: with the seconds that it takes, which a screen reader is spared.
  tell(text, counting = false) {
    clearInterval(this.timer);
    this.root.hidden = !text;
    this.root.textContent = text;
    if (!text || !counting) return;
    const began = performance.now();
    const seconds = make("span", { "aria-hidden": "true" });
    this.root.append(seconds);
    this.timer = setInterval(() => {
      const so = Math.floor((performance.now() - began) / 1000);
      if (so >= SOON) seconds.textContent = ` ${so} s`;
    }, 500);
  }

  // A message from the server about it; false where it says something else.
  hear(message) {
    if (message.is === "waiting") this.tell(`Waiting: ${message.before} before you`);
    else if (message.is === "working") this.tell(`${message.words[0].toUpperCase()}${message.words.slice(1)}, the first time only …`, true);
    else return false;
    return true;
  }
}
