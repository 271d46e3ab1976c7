// The form for the engine inside the program: threads, memory, evaluation and book, and the parts that the
// player is put together from: which search, on which board, with which table.

import { h } from "./dom.js";
import { e } from "./texts-engines.js";

/**
 * @typedef {import("./protocol.js").BuiltinSettings} BuiltinSettings
 * @typedef {import("./protocol.js").PlayerChoices} PlayerChoices
 */

/** The player that is usual. */
const USUAL = "search=tournament";
const SWITCHES = /** @type {const} */ (["null-move", "futility", "reductions", "mate"]);

/**
 * The values of words such as `search=pvs board=scan`.
 * @param {string} words
 */
function read(words) {
  return new Map(words.split(/\s+/).filter(Boolean).map((word) => /** @type {[string, string]} */ (word.split("="))));
}

export class PlayerForm {
  /** @param {(settings: BuiltinSettings) => void} apply */
  constructor(apply) {
    this.apply = apply;
    /** @type {PlayerChoices} */
    this.choices = { search: [], board: [], table: [], past: [] };
    /** Whether something was entered that is not applied yet. */
    this.isTouched = false;
    this.element = h("div", { class: "column form", oninput: () => { this.isTouched = true; } });
    this.help = h("p", { class: "note", id: "preset-help" });
    this.parts = h("div", { class: "parts", role: "group", "aria-label": e("parts") });
    this.preset = h("select", { id: "preset", onchange: () => this.choosePreset() });
    this.threads = h("input", { type: "number", id: "threads", min: 1 });
    this.hash = h("input", { type: "number", id: "hash", min: 2, max: 1048576 });
    this.eval = h("input", { id: "eval", placeholder: e("evalHint"), spellcheck: "false" });
    this.book = h("input", { id: "book", placeholder: e("bookHint"), spellcheck: "false" });
    const changed = () => this.partsChanged();
    this.search = h("select", { id: "part-search", onchange: changed });
    this.board = h("select", { id: "part-board", onchange: changed });
    this.table = h("select", { id: "part-table", onchange: changed });
    this.quiescence = h("select", { id: "part-quiescence", onchange: changed });
    this.switches = SWITCHES.map((name) => ({ name, box: h("input", { type: "checkbox", id: `part-${name}`, onchange: changed }) }));
    this.switchRow = h("div", { class: "row" }, this.switches.map(({ name, box }) => h("label", { class: "inline" }, box, e(name))));
  }

  /**
   * Shows how the engine is set up.
   * @param {BuiltinSettings} builtin
   * @param {number} cores
   * @param {PlayerChoices} choices
   */
  show(builtin, cores, choices) {
    if (this.isTouched) return;
    this.choices = choices;
    this.threads.max = String(Math.max(cores, builtin.threads));
    this.threads.value = String(builtin.threads);
    this.hash.value = String(builtin.hash);
    this.eval.value = builtin.eval;
    this.book.value = builtin.book;
    const named = (/** @type {string[]} */ names) => names.map((name) => h("option", { value: name }, name));
    const usual = () => h("option", { value: "" }, e("usual"));
    this.search.replaceChildren(...named(choices.search));
    this.board.replaceChildren(...named(choices.board));
    this.table.replaceChildren(usual(), ...named(choices.table));
    this.quiescence.replaceChildren(usual(), h("option", { value: "on" }, e("on")), h("option", { value: "off" }, e("off")));
    this.preset.replaceChildren(h("option", { value: USUAL }, "Tesuji"), ...choices.past.map(({ name, parts }) => h("option", { value: parts }, name)), h("option", { value: "" }, e("ownParts")));
    this.fill(builtin.parts || USUAL);
    this.draw(cores);
  }

  /** @param {number} cores */
  draw(cores) {
    /** @type {(text: string, ...fields: HTMLElement[]) => HTMLElement} */
    const row = (text, ...fields) => h("label", {}, h("span", {}, text), fields);
    this.parts.replaceChildren(row(e("search"), this.search), row(e("board"), this.board), row(e("table"), this.table), row(e("quiescence"), this.quiescence));
    this.element.replaceChildren(
      row(e("threads"), this.threads, h("output", {}, `/ ${cores}`)), row(e("hash"), this.hash),
      row(e("evalFile"), this.eval), row(e("book"), this.book),
      row(e("player"), this.preset), this.help, this.parts, this.switchRow,
      h("div", { class: "row" }, h("button", { type: "button", class: "main", id: "configure", onclick: () => this.send() }, e("apply"))));
  }

  send() {
    this.isTouched = false;
    this.apply(this.settings());
  }

  /** @param {string} words */
  fill(words) {
    const parts = read(words);
    this.search.value = parts.get("search") ?? "tournament";
    this.board.value = parts.get("board") ?? "position";
    this.table.value = parts.get("table") ?? "";
    this.quiescence.value = parts.get("quiescence") ?? "";
    for (const { name, box } of this.switches) box.checked = parts.get(name) !== "off";
    this.partsChanged();
  }

  /** A player of the past has its parts, and the evaluation that everybody has. */
  choosePreset() {
    const words = this.preset.value;
    if (!words) return this.partsChanged();
    this.eval.value = this.choices.past.find(({ parts }) => parts === words)?.eval ?? "builtin";
    this.fill(words);
  }

  /** Names the player that the parts are, if it has a name. */
  partsChanged() {
    const words = this.words();
    const player = this.choices.past.find(({ parts }) => parts === words);
    this.preset.value = words === USUAL || player ? words : "";
    this.switchRow.hidden = this.search.value !== "classic";
    this.help.textContent = player ? e(/** @type {"kuma2013"} */ (player.name)) : words === USUAL ? e("usualHelp") : words;
  }

  /** The parts in the order in which the server writes them. */
  words() {
    const { search, board, table, quiescence } = this;
    return [
      `search=${search.value}`,
      board.value !== "position" && `board=${board.value}`,
      table.value && `table=${table.value}`,
      quiescence.value && `quiescence=${quiescence.value}`,
      ...(search.value === "classic" ? this.switches.map(({ name, box }) => !box.checked && `${name}=off`) : []),
    ].filter(Boolean).join(" ");
  }

  /** @returns {BuiltinSettings} */
  settings() {
    return {
      threads: Number(this.threads.value) || 1,
      hash: Number(this.hash.value) || 96,
      eval: this.eval.value.trim() || "builtin",
      book: this.book.value.trim(),
      parts: this.words(),
    };
  }
}
