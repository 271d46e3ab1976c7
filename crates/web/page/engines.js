// The tab with the engines: the setup of the one inside the program, engines that the user adds with
// their options, two of them side by side, small tournaments.

import { Board } from "./board.js";
import { h } from "./dom.js";
import { dialog } from "./files.js";
import { valueName } from "./game-view.js";
import { LoadedTab } from "./lazy.js";
import { PlayerForm } from "./player-form.js";
import { e } from "./texts-engines.js";
import { pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").EngineView} EngineView
 * @typedef {import("./protocol.js").EnginesMessage} EnginesMessage
 * @typedef {import("./protocol.js").EnginesRequest} EnginesRequest
 * @typedef {import("./protocol.js").OptionView} OptionView
 * @typedef {import("./protocol.js").PastPlayerView} PastPlayerView
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 * @typedef {import("./protocol.js").SideView} SideView
 * @typedef {import("./protocol.js").StandingsView} StandingsView
 */

const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

export class EnginesTab extends LoadedTab {
  /** @param {App} app */
  constructor(app) {
    super(app);
    /** @type {EngineView[]} */
    this.engines = [];
    this.isComparing = false;
    this.isPlaying = false;
    this.isLocal = true;
    this.warning = h("p", { class: "banner", hidden: true }, e("notLocal"));
    /** @type {PastPlayerView[]} */
    this.past = [];
    this.form = new PlayerForm((settings) => {
      this.request({ type: "configure", ...settings });
      this.note.textContent = e("applied");
    });
    this.list = h("div", { class: "column", id: "engine-list" });
    this.path = h("input", { id: "engine-path", class: "wide", placeholder: e("path"), "aria-label": e("path"), spellcheck: "false" });
    this.note = h("p", { class: "note", role: "status" });
    this.sides = h("div", { class: "sides" });
    this.choices = { left: h("select", { id: "left", "aria-label": e("left") }), right: h("select", { id: "right", "aria-label": e("right") }) };
    this.compare = h("button", { type: "button", class: "main", id: "compare", onclick: () => this.toggleComparing() }, e("start"));
    this.players = h("div", { class: "row", role: "group", "aria-label": e("players"), id: "players" });
    this.rounds = h("input", { type: "number", id: "rounds", min: 1, max: 20, value: 1 });
    this.perMove = h("select", { id: "per-move" }, ["0.1", "0.5", "1", "3"].map((value) => h("option", { value }, e("seconds", value))));
    this.play = h("button", { type: "button", class: "main", id: "tournament", onclick: () => this.toggleTournament() }, e("start"));
    this.standings = h("div", { class: "column", id: "standings" });
    this.liveNames = h("p", {});
    this.liveBoard = new Board(() => {});
    this.live = h("div", { class: "live", id: "live", hidden: true }, this.liveNames, this.liveBoard.element);
    this.element = this.draw();
    this.request({ type: "state" });
    this.request({ type: "lines" });
    this.request({ type: "standings" });
    this.timer = setInterval(() => this.poll(), 400);
  }

  draw() {
    const add = () => {
      this.note.textContent = e("adding");
      this.request({ type: "add", path: this.path.value, options: [] });
    };
    return h("section", { class: "tabpanel engines", "aria-label": t("engines") },
      h("h1", { class: "unseen" }, t("engines")),
      h("div", { class: "panel" }, this.warning, h("h2", {}, e("builtin")), this.form.element,
        h("h2", {}, e("added")), this.list,
        h("div", { class: "row" }, this.path, h("button", { type: "button", id: "add-engine", onclick: add }, e("add"))), this.note),
      h("div", { class: "panel" },
        h("h2", {}, e("compare")), h("p", { class: "note" }, e("compareHelp")),
        h("div", { class: "row" }, this.choices.left, this.choices.right, this.compare), this.sides,
        h("h2", {}, e("tournament")), this.players,
        h("div", { class: "row" }, h("label", { class: "inline" }, e("rounds"), this.rounds), h("label", { class: "inline" }, e("perMove"), this.perMove), this.play),
        this.live, this.standings, h("p", { class: "note" }, e("inLibrary"))));
  }

  close() {
    clearInterval(this.timer);
    if (this.isComparing) this.request({ type: "stop-comparing" });
  }

  poll() {
    if (this.isComparing) this.request({ type: "lines" });
    if (this.isPlaying) this.request({ type: "standings" });
  }

  /** @param {EnginesRequest} request */
  request(request) {
    this.app.request({ engines: request });
  }

  /**
   * Shows a message of the server.
   * @param {ServerMessage} message
   */
  take(message) {
    if (message.type === "error") this.note.textContent = "";
    if (message.type !== "engines") {
      if (message.type === "library" && message.what === "opened") this.app.go("analyse");
      return;
    }
    switch (message.what) {
      case "state": return this.showState(message);
      case "lines": return this.showLines(message.sides);
      case "standings": return this.showStandings(message);
    }
  }

  /** @param {Extract<EnginesMessage, { what: "state" }>} state */
  showState({ builtin, cores, engines, choices, local }) {
    this.engines = engines;
    this.past = choices.past;
    this.isLocal = local;
    this.warning.hidden = local;
    this.note.textContent = "";
    this.form.show(builtin, cores, choices);
    this.list.replaceChildren(...(engines.length ? engines.map((engine) => this.row(engine)) : [h("p", { class: "note" }, e("none"))]));
    this.fillChoices();
    for (const field of this.element.querySelectorAll("input, button, select")) field.toggleAttribute("disabled", !local);
  }

  fillChoices() {
    const all = [{ id: 0, name: "Tesuji" }, ...this.past, ...this.engines];
    for (const [place, select] of Object.entries(this.choices)) {
      const chosen = select.value || (place === "right" ? String(this.engines[0]?.id ?? 0) : "0");
      select.replaceChildren(...all.map(({ id, name }) => h("option", { value: id, selected: String(id) === chosen }, name)));
    }
    // Players of the past take part only if they are asked to.
    const known = new Map([...this.players.querySelectorAll("input")].map((box) => [box.value, box.checked]));
    const plays = (/** @type {number} */ id) => known.get(String(id)) ?? !this.past.some((player) => player.id === id);
    this.players.replaceChildren(...all.map(({ id, name }) => h("label", { class: "inline" },
      h("input", { type: "checkbox", value: id, checked: plays(id) }), name)));
  }

  /** @param {EngineView} engine */
  row(engine) {
    const { id, name, path, error, options } = engine;
    return h("div", { class: "row spread", "data-engine": id },
      h("div", {}, h("b", {}, name), h("p", { class: "note" }, error ?? path)),
      h("div", { class: "row" },
        h("button", { type: "button", "data-options": id, onclick: () => this.askForOptions(engine) }, `${e("options")} (${options.length})`),
        h("button", { type: "button", "data-remove": id, onclick: () => this.remove(engine) }, e("remove"))));
  }

  /** @param {EngineView} engine */
  remove({ id, name, path, options }) {
    this.request({ type: "remove", engine: id });
    const set = options.map((option) => /** @type {[string, string]} */ ([option.name, option.value]));
    const toast = h("div", { class: "toast undo", role: "status" }, h("span", {}, e("removed", name)),
      h("button", { type: "button", id: "undo", onclick: () => {
        toast.remove();
        this.request({ type: "add", path, options: set });
      } }, e("undo")));
    this.app.toasts.append(toast);
    setTimeout(() => toast.remove(), 30_000);
  }

  /** @param {EngineView} engine */
  askForOptions({ id, name, options }) {
    const fields = options.map((option) => ({ option, field: control(option) }));
    const save = () => {
      box.close();
      this.request({ type: "set-options", engine: id, options: fields.map(({ option, field }) => [option.name, valueOf(field)]) });
    };
    const reset = () => {
      box.close();
      this.request({ type: "set-options", engine: id, options: [] });
    };
    const box = dialog(`${name} – ${e("options")}`, h("div", { class: "column" },
      h("div", { class: "options" }, fields.map(({ option, field }) => h("label", {}, h("span", {}, option.name), field))),
      h("div", { class: "row spread" }, h("button", { type: "button", id: "defaults", onclick: reset }, e("defaults")),
        h("button", { type: "button", class: "main", id: "save-options", onclick: save }, e("save")))));
    box.classList.add("large");
  }

  // ---- Side by side ----

  toggleComparing() {
    if (this.isComparing) {
      this.isComparing = false;
      this.request({ type: "stop-comparing" });
    } else {
      this.isComparing = true;
      const sfen = this.app.messages.analyse?.position.sfen ?? START;
      this.request({ type: "compare", engines: [Number(this.choices.left.value), Number(this.choices.right.value)], sfen });
    }
    this.compare.textContent = e(this.isComparing ? "stop" : "start");
  }

  /** @param {SideView[]} sides */
  showLines(sides) {
    this.sides.replaceChildren(...sides.map(({ name, lines, error }) => h("div", { class: "side" },
      h("h3", {}, name, lines[0] ? h("span", { class: "length" }, e("depth", lines[0].depth)) : null),
      error ? h("p", { class: "note" }, error) : null,
      h("ul", { class: "lines" }, lines.map((line) => h("li", {},
        h("span", { class: `score ${line.value >= 0 ? "good" : "bad"}` }, valueName(line.value, line.mate)),
        h("span", { class: "pv" }, line.moves.slice(0, 8).map((mv) => pick(mv)).join(" "))))))));
  }

  // ---- Tournaments ----

  toggleTournament() {
    if (this.isPlaying) return this.request({ type: "stop-tournament" });
    const engines = [...this.players.querySelectorAll("input:checked")].map((box) => Number(box instanceof HTMLInputElement ? box.value : 0));
    this.request({ type: "start-tournament", engines, rounds: Number(this.rounds.value) || 1, millis: Math.round(Number(this.perMove.value) * 1000) });
  }

  /** @param {Extract<EnginesMessage, { what: "standings" }>} standings */
  showStandings({ running, done, total, players, games, error, live }) {
    this.live.hidden = !live;
    if (live) {
      this.liveNames.textContent = `☗ ${live.black} – ☖ ${live.white} · ${e("plies", live.plies)}`;
      if (live.position.sfen !== this.liveBoard.position?.sfen) this.liveBoard.show(live.position);
    }
    this.isPlaying = running;
    this.play.textContent = e(running ? "stop" : "start");
    if (!total) return this.standings.replaceChildren();
    const points = (/** @type {StandingsView["players"][number]} */ player) => player.wins + player.draws / 2;
    const order = players.map((player, place) => ({ player, place })).sort((a, b) => points(b.player) - points(a.player));
    const table = h("table", { class: "crosstable" },
      h("thead", {}, h("tr", {}, ["", e("name"), e("points"), e("score"), ...order.map((_, rank) => String(rank + 1))].map((text) => h("th", {}, text)))),
      h("tbody", {}, order.map(({ player, place }, rank) => h("tr", {}, h("td", {}, String(rank + 1)), h("td", {}, player.name), h("td", {}, String(points(player))),
        h("td", {}, `${player.wins}–${player.draws}–${player.losses}`), order.map((other) => h("td", {}, other.place === place ? "·" : String(player.against[other.place] ?? 0)))))));
    const last = games.slice(-12).reverse().map(({ black, white, result, plies, id }) => h("li", {},
      h("button", { type: "button", class: "link", "data-game": id, onclick: () => this.app.request({ library: { type: "open", id } }) },
        `☗ ${black} – ☖ ${white}: ${{ b: "1–0", w: "0–1" }[result] ?? "½–½"} (${plies})`)));
    this.standings.replaceChildren(h("p", { class: "note" }, e("progress", done, total)), h("progress", { max: total, value: done }),
      error ? h("p", { class: "result bad" }, error) : h("span"), table, h("ul", { class: "tournament-games" }, last));
  }
}

/**
 * The control that suits an option.
 * @param {OptionView} option
 */
function control({ name, value, control: kind }) {
  switch (kind.kind) {
    case "check": return h("input", { type: "checkbox", "data-option": name, checked: value === "true" });
    case "spin": return h("input", { type: "number", "data-option": name, min: kind.min, max: kind.max, value });
    case "combo": return h("select", { "data-option": name }, kind.choices.map((choice) => h("option", { value: choice, selected: choice === value }, choice)));
    case "button": return h("input", { type: "checkbox", "data-option": name, disabled: true });
    default: return h("input", { "data-option": name, value, spellcheck: "false" });
  }
}

/** @param {HTMLInputElement | HTMLSelectElement} field */
function valueOf(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? String(field.checked) : field.value;
}
