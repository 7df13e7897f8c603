// The page: one game, one board, three tabs. Everything that makes the view is in the address.

import { Analysis, drawGraph } from "./analyse.js";
import { showBar } from "./bar.js";
import { Board } from "./board.js";
import { $, make } from "./dom.js";
import { field, read } from "./engine.js";
import { Game, fromAddress, toAddress } from "./game.js";
import { Link, fetchJson } from "./link.js";
import { listMoves } from "./movelist.js";
import { Match } from "./play.js";
import { Seat } from "./seat.js";
import { TreeView } from "./tree.js";
import { ending, percent, sentence, sideName, who } from "./words.js";

const KEPT = "kibitz.address"; // where the browser keeps an unfinished game
const TABS = ["play", "analyse", "tree"];

class App {
  async start() {
    const { games, searches, limits } = await fetchJson("/games.json");
    Object.assign(this, { games, searches, limits, game: null, view: { tab: "play", flipped: false }, walking: false, turnNumber: 0 });
    this.link = new Link({ hear: (message) => this.hear(message), online: (yes) => this.online(yes) });
    this.board = new Board($("board"), { play: (name) => this.play(name) });
    $("game").append(...games.map((g) => make("option", { value: g.game, text: g.own ? `${g.game} (yours)` : g.game, title: g.about })));
    this.seat = new Seat($("seat-pick"), this);
    this.match = new Match($("panel-play"), this);
    this.analysis = new Analysis($("panel-analyse"), this);
    this.tree = new TreeView($("panel-tree"), this);
    this.listen();
    await this.link.start();
    const own = games.find((g) => g.own)?.game;
    const kept = location.hash.length > 1 ? location.hash : own ? "" : localStorage.getItem(KEPT) ?? "";
    await this.open(fromAddress(kept), own);
    document.body.dataset.ready = "true";
  }

  // --- games and positions ---

  get listed() {
    return this.games.find((g) => g.game === this.game.name);
  }

  // What an address says; where it is wrong, why, and a new game.
  async open(wanted, usual = "connect4") {
    const name = wanted.game || usual || this.games[0].game;
    const known = this.games.some((g) => g.game === name);
    const game = new Game(known ? name : this.games[0].game, known ? wanted.parameters : {}, known ? wanted.position : "");
    this.view.tab = wanted.tab;
    this.board.flipped = this.view.flipped = wanted.flip;
    let trouble = known ? "" : `There is no game '${name}' here.`;
    try {
      const position = await this.link.show({ ...game.place(), moves: known ? wanted.moves : "" });
      const last = game.adopt(position.made);
      if (!this.games.find((g) => g.game === game.name).hidden) last.position = position;
      game.at = wanted.at !== null && wanted.at < last.ply ? [game.root, ...game.path(last)][wanted.at] : last;
    } catch (error) {
      trouble = `This position cannot be shown: ${error.message}`;
      Object.assign(game, { name: known ? name : game.name, parameters: {}, start: "" });
    }
    this.game = game;
    this.walking = true;
    this.showSettings();
    this.seat.offer();
    if (wanted.seat) this.seat.value = wanted.seat;
    this.showTab();
    const shown = await this.go(game.at);
    this.walking = false;
    if (shown && wanted.engine) {
      const form = this.formOf(wanted.tab);
      if (!form.fits(wanted.engine) && !trouble) trouble = `This game has no search '${wanted.engine}'; ${form.chosen ?? "none"} is chosen instead.`;
      form.text = wanted.engine;
    }
    if (shown) this.match.seats = wanted;
    this.analysis.explain();
    if (trouble) this.warn(trouble);
    this.remember();
    if (shown && !trouble && wanted.at === null) this.match.moved(); // an opponent who was thinking when the page was left thinks on
  }

  formOf(tab) {
    return { play: this.match, analyse: this.analysis, tree: this.tree }[tab].form;
  }

  async newGame(name, parameters = {}, start = "") {
    if (this.analysis.running) this.analysis.stop();
    const before = this.game;
    this.game = new Game(name, parameters, start);
    if (name !== before.name) this.seat.offer();
    this.clearNotice();
    const fine = await this.go(this.game.root);
    if (!fine) {
      this.game = before;
      $("game").value = before.name;
      this.seat.offer();
      return false;
    }
    this.showSettings();
    return true;
  }

  async positionOf(node) {
    if (!node.position) {
      const position = await this.seat.show(this.game.place(node));
      node.position = position;
      for (const [i, made] of position.made.entries()) Object.assign(this.game.path(node)[i] ?? {}, { said: "", ...made });
    }
    return node.position;
  }

  // Show a node of the game; false where the server refuses it.
  async go(node) {
    if (!node) return false;
    const turn = ++this.turnNumber;
    const before = this.game.at;
    this.game.at = node;
    try {
      await this.positionOf(node);
    } catch (error) {
      if (turn === this.turnNumber) {
        this.game.at = before;
        if (node.parent) node.parent.children = node.parent.children.filter((child) => child !== node);
        if (node.parent?.next === node) node.parent.next = null;
        this.warn(error.message);
      }
      return false;
    }
    if (turn !== this.turnNumber) return false;
    this.render();
    return true;
  }

  async play(name) {
    if (!name) return;
    this.clearNotice();
    await this.go(this.game.add(name));
  }

  async walk(node) {
    this.walking = true; // looking back is no wish that the engine move
    await this.go(node);
    this.walking = false;
  }

  roll() {
    const { moves } = this.game.at.position;
    let left = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
    for (const move of moves) {
      left -= move.chance;
      if (left < 0) return this.play(move.name);
    }
    return this.play(moves.at(-1).name);
  }

  // All that chance decides before somebody moves.
  async rollOn() {
    const { game } = this;
    while (this.game === game && game.at.position?.turn === -2) {
      const { at } = game;
      await this.roll();
      if (game.at === at) return; // the server refused it
    }
  }

  // --- showing ---

  render() {
    const p = this.game.at.position;
    const live = !p.over && p.turn !== -2;
    this.board.show(p, live || p.moves.some((m) => m.cells.length));
    for (const tab of ["play", "analyse"]) this.formOf(tab).offer(p.engines, this.game.name, p.usual);
    this.tree.offer(p.drawn, this.game.name, p.drawn.includes("alphabeta") ? "alphabeta" : p.usual);
    this.match.offer(p);
    const said = p.over ? ending(p) : p.turn === -2 ? "Chance decides" : `${who(p, p.turn)} to move`;
    const last = p.made.at(-1);
    const rolled = last?.by === -2 && p.turn >= 0 && p.observer === undefined ? `, rolled ${last.name}` : "";
    $("turn").textContent = `${said}${rolled}`;
    $("says").textContent = `${last ? `${who(p, last.by)} ${last.said ? `moved: ${last.said}` : `played ${last.name}`}. ` : ""}${said}.`;
    $("position-text").value = p.text;
    this.showHand(p);
    this.showMoves();
    this.drawGraph();
    this.verdict();
    this.remember();
    for (const [id, off] of [["back", !this.game.at.parent], ["to-start", !this.game.at.parent], ["undo", !this.game.at.parent], ["forward", !this.game.next()], ["to-end", !this.game.next()], ["redo", !this.game.next()]]) $(id).disabled = off;
    if (this.view.tab === "play") this.match.moved();
    this.analysis.moved();
    this.tree.moved();
  }

  // Buttons for what cannot be clicked on the board: dice, passes, games without cells.
  showHand(p) {
    const hand = $("hand");
    hand.replaceChildren();
    if (p.turn === -2) {
      const open = p.observer === undefined; // what is dealt in secret is neither shown nor chosen
      hand.append(make("button", { type: "button", class: "main", id: "roll", text: open ? "Roll the dice" : "Go on", onclick: () => this.roll() }));
      if (open && (p.made.at(-1)?.by ?? -2) === -2) hand.append(make("button", { type: "button", id: "roll-on", title: "Until somebody is to move", text: "All rolls", onclick: () => this.rollOn() }));
      if (open) hand.append(make("span", { class: "label", text: "or choose:" }), ...p.moves.map((m) => make("button", { type: "button", text: m.name, title: `chance ${percent(m.chance)}`, onclick: () => this.play(m.name) })));
      return;
    }
    if (p.observer !== undefined && p.turn !== p.observer && !p.over) {
      hand.append(make("span", { class: "label", text: `${who(p, p.turn)} moves, out of sight.` }));
      if (this.match.isMine(p.turn)) hand.append(make("button", { type: "button", text: `Look as ${sideName(p, p.turn)}`, onclick: () => this.seat.take(p.turn) }));
      return;
    }
    const without = p.moves.filter((m) => !m.cells.length || !m.cells.every((cell) => this.board.cells.has(cell)));
    if (without.length && without.length === p.moves.length) hand.append(make("span", { class: "label", text: "Moves:" }));
    hand.append(...without.map((m) => make("button", { type: "button", class: "move", text: m.name, onclick: () => this.play(m.name) })));
  }

  verdict() {
    const { position, result } = this.game.at;
    $("verdict").textContent = position && result ? sentence(result) : "";
    showBar(position, result, this.view.flipped);
  }

  drawGraph() {
    this.worst = drawGraph($("graph"), this.game, (node) => this.walk(node));
    for (const button of $("moves").querySelectorAll("button")) button.classList.toggle("bad", this.worst.has(button.node));
  }

  showMoves() {
    listMoves($("moves"), this.game, (node) => this.walk(node));
  }

  showSettings() {
    $("game").value = this.game.name;
    const { parameters } = this.listed;
    $("parameters-drop").hidden = !parameters.length;
    const form = $("parameters");
    const given = this.game.parameters;
    form.replaceChildren(
      ...parameters.map((p) => field({ ...p, default: given[p.name] ?? p.default }, `parameter-${p.name}`, () => {})),
      make("button", { type: "submit", class: "main", text: "New game with these" }),
    );
  }

  showTab() {
    for (const tab of TABS) {
      const chosen = tab === this.view.tab;
      $(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
      $(`tab-${tab}`).setAttribute("tabindex", chosen ? "0" : "-1");
      $(`panel-${tab}`).hidden = !chosen;
    }
    document.querySelector(".page").classList.toggle("wide-tree", this.view.tab === "tree");
    document.querySelector(".page").classList.toggle("beside", this.view.tab === "tree" && this.tree.both.checked);
  }

  pickTab(tab) {
    if (this.analysis.running && tab !== "analyse") this.analysis.stop();
    this.view.tab = tab;
    this.showTab();
    this.analysis.mark();
    this.remember();
    if (tab === "play") this.match.moved();
  }

  // --- what comes from the server ---

  hear(message) {
    if (message.is === "hello") return;
    if (this.match.hear(message) || this.analysis.hear(message) || this.tree.hear(message)) return;
    if (message.is === "error") this.warn(message.text);
  }

  online(yes) {
    $("offline").hidden = yes;
    if (yes && this.analysis?.running) this.analysis.start();
  }

  // To a screen reader.
  tell(text) {
    $("says").textContent = text;
  }

  warn(text) {
    $("notice").textContent = text;
    $("notice").hidden = false;
  }

  clearNotice() {
    $("notice").hidden = true;
  }

  remember() {
    if (!this.game) return;
    const engines = Object.fromEntries(TABS.map((tab) => [tab, this.formOf(tab).text]));
    const address = toAddress({ ...this.view, ...engines, ...this.match.seats, seat: this.seat.value }, this.game);
    if (address !== location.hash) history.replaceState(null, "", address);
    localStorage.setItem(KEPT, address);
  }

  // --- what the user does ---

  listen() {
    $("game").addEventListener("change", () => this.newGame($("game").value));
    $("parameters").addEventListener("submit", (event) => {
      event.preventDefault();
      const given = {};
      for (const p of this.listed.parameters) {
        const value = read(p, $(`parameter-${p.name}`));
        if (String(value) !== String(p.default)) given[p.name] = value;
      }
      this.newGame(this.game.name, given).then((fine) => fine && ($("parameters-drop").open = false));
    });
    $("position-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.newGame(this.game.name, this.game.parameters, $("position-text").value.trim()).then((fine) => fine && ($("position-drop").open = false));
    });
    $("copy-position").addEventListener("click", () => this.copy(this.game.at.position.text, $("copy-position")));
    $("copy-moves").addEventListener("click", () => this.copy(this.game.path().map((n) => n.said || n.name).join(" "), $("copy-moves")));
    $("share").addEventListener("click", () => this.copy(location.href, $("share")));
    $("menu").addEventListener("click", () => $("menu").setAttribute("aria-expanded", String(document.querySelector(".top").classList.toggle("open"))));
    $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    $("help").addEventListener("click", () => $("keys").showModal());
    for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => this.pickTab(tab));
    document.querySelector(".tabs").addEventListener("keydown", (event) => this.turnTabs(event));
    const on = (id, act) => $(id).addEventListener("click", act);
    on("to-start", () => this.walk(this.game.root));
    on("to-end", () => this.walk(this.game.line().at(-1)));
    on("back", () => this.walk(this.game.at.parent));
    on("forward", () => this.walk(this.game.next()));
    on("undo", () => this.undo());
    on("redo", () => this.walk(this.game.next()));
    on("flip", () => this.flip());
    on("new", () => this.newGame(this.game.name, this.game.parameters, this.game.start));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.open(fromAddress(location.hash)));
  }

  // Back to where the user is to move, where an engine moves for the other side.
  undo() {
    let node = this.game.at.parent;
    while (node?.parent && node.position && !this.match.isMine(node.position.turn) && this.view.tab === "play") node = node.parent;
    return this.walk(node);
  }

  flip() {
    this.view.flipped = !this.view.flipped;
    this.board.flip();
    this.verdict();
    this.remember();
  }

  async copy(text, button) {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      this.warn(`Copy it from here: ${text}`);
    }
    setTimeout(() => (button.textContent = said), 1500);
  }

  turnTabs(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const next = TABS[(TABS.indexOf(this.view.tab) + step + TABS.length) % TABS.length];
    this.pickTab(next);
    $(`tab-${next}`).focus();
  }

  key(event) {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog, [role=menu], .tree");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.game) return;
    const line = this.game.at.result?.lines[Number(event.key) - 1];
    const acts = {
      ArrowLeft: () => this.walk(this.game.at.parent), ArrowRight: () => this.walk(this.game.next()), f: () => this.flip(), u: () => this.undo(),
      h: () => $("hints").click(), "/": () => $("game").focus(), "?": () => $("keys").showModal(),
      " ": () => (event.target.closest("button, summary, input, [role=button]") ? null : (this.view.tab !== "analyse" && this.pickTab("analyse"), this.analysis.toggle() ?? true)),
    };
    const act = acts[event.key] ?? (line ? () => this.play(line.moves[0]) : null);
    if (act && act() !== null) event.preventDefault();
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("kibitz.theme", theme);
}

setTheme(localStorage.getItem("kibitz.theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
const app = new App();
app.start().catch((error) => {
  $("notice").textContent = `The page could not start: ${error.message}. Is kibitz serve still running?`;
  $("notice").hidden = false;
});
