// The library: every game that is kept, listed and searched, opened, renamed, brought in and out.

import { announce } from "./board.js";
import { h, isWriting } from "./dom.js";
import { base64, dialog, saveBlob } from "./files.js";
import { LoadedTab } from "./lazy.js";
import { l } from "./texts-library.js";
import { pick, t } from "./texts.js";
import { zip } from "./zip.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").ActView} ActView
 * @typedef {import("./protocol.js").GameSearch} GameSearch
 * @typedef {import("./protocol.js").LibraryGame} LibraryGame
 * @typedef {import("./protocol.js").LibraryMessage} LibraryMessage
 * @typedef {import("./protocol.js").LibraryRequest} LibraryRequest
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 */

const PAGE = 100; // games that are asked for at a time
const BATCH = 900_000; // bytes of files that are sent at a time
const LARGEST = 1_400_000;
const EXPORTED = 200; // records that are asked for at a time

export class LibraryTab extends LoadedTab {
  /** @param {App} app */
  constructor(app) {
    super(app);
    /** @type {LibraryGame[]} */
    this.games = [];
    this.total = 0;
    this.isBin = false;
    /** @type {Set<number>} */
    this.chosen = new Set();
    /**
     * Gets the next answer that is no list.
     * @type {((message: LibraryMessage) => void) | null}
     */
    this.onAnswer = null;
    this.buildFields();
    this.body = h("tbody");
    this.all = h("input", { type: "checkbox", "aria-label": l("selectAll"), onchange: () => this.chooseAll() });
    this.table = h("table", { class: "games" },
      h("thead", {}, h("tr", {}, h("th", {}, this.all),
        ["black", "white", "result", "plies", "opening", "date", "event"].map((name) => h("th", { scope: "col", class: name }, l(/** @type {"black"} */ (name)))), h("th", {}))),
      this.body);
    this.list = h("div", { class: "gamelist", tabindex: 0, role: "region", "aria-label": t("library"), onscroll: () => this.scrolled() }, this.table);
    this.count = h("p", { class: "note found", role: "status" });
    this.note = h("p", { class: "note", role: "status", hidden: true });
    this.element = h("section", { class: "tabpanel library", "aria-label": t("library") },
      h("h1", { class: "unseen" }, t("library")),
      h("div", { class: "panel" }, this.fieldRow, this.actionRow, this.note, this.count, this.list));
    this.acceptFiles();
    this.find();
  }

  buildFields() {
    const look = () => this.find();
    this.text = h("input", { type: "search", id: "find", class: "wide", placeholder: l("search"), "aria-label": l("search"), oninput: look });
    this.from = h("input", { type: "date", id: "from", "aria-label": l("from"), onchange: look });
    this.to = h("input", { type: "date", id: "to", "aria-label": l("to"), onchange: look });
    this.opening = h("select", { id: "opening", "aria-label": l("opening"), onchange: look }, h("option", { value: "" }, l("anyOpening")));
    this.source = h("select", { id: "source", "aria-label": l("anySource"), onchange: look },
      h("option", { value: "" }, l("anySource")), /** @type {const} */ (["played", "analysed", "imported"]).map((name) => h("option", { value: name }, l(name))));
    this.order = h("select", { id: "order", "aria-label": l("order"), onchange: look },
      /** @type {const} */ (["changed", "date", "black", "white", "plies"]).map((name) => h("option", { value: name }, l(name))));
    this.position = h("input", { type: "checkbox", id: "position", onchange: look });
    this.fieldRow = h("div", { class: "row fields" }, this.text,
      h("label", { class: "inline" }, l("from"), this.from), h("label", { class: "inline" }, l("to"), this.to),
      this.opening, this.source, h("label", { class: "inline" }, l("order"), this.order),
      h("label", { class: "inline" }, this.position, l("position")));
    this.files = h("input", { type: "file", multiple: true, hidden: true, id: "files", onchange: () => this.importFrom(this.files) });
    this.folder = h("input", { type: "file", multiple: true, webkitdirectory: true, hidden: true, id: "folder", onchange: () => this.importFrom(this.folder) });
    /** @type {(id: string, text: string, act: () => void) => HTMLButtonElement} */
    const button = (id, text, act) => h("button", { type: "button", id, onclick: act }, text);
    this.remove = button("delete", l("remove"), () => this.act({ type: this.isBin ? "restore" : "delete", ids: this.ids() }));
    this.export = button("export", l("exportGames"), () => this.askForExport());
    this.bin = button("bin", l("bin", 0), () => this.toggleBin());
    this.actionRow = h("div", { class: "row" }, this.files, this.folder,
      button("import-files", l("importFiles"), () => this.files?.click()), button("import-folder", l("importFolder"), () => this.folder?.click()),
      this.export, this.remove, this.bin);
  }

  /** @param {LibraryRequest} request */
  request(request) {
    this.app.request({ library: request });
  }

  /**
   * What is looked for.
   * @param {number} offset
   * @returns {GameSearch}
   */
  search(offset) {
    const board = this.app.messages.analyse?.position.sfen ?? null;
    return {
      text: this.text?.value ?? "", from: this.from?.value ?? "", to: this.to?.value ?? "",
      opening: this.opening?.value ?? "", sfen: this.position?.checked ? board : null,
      source: /** @type {GameSearch["source"]} */ (this.source?.value || null),
      order: /** @type {GameSearch["order"]} */ (this.order?.value || "changed"),
      deleted: this.isBin, offset, limit: PAGE,
    };
  }

  /** Looks for games from the first one on. */
  find() {
    this.chosen.clear();
    this.request({ type: "find", ...this.search(0) });
  }

  scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.list;
    const isAtEnd = scrollTop + clientHeight > scrollHeight - 400;
    if (!isAtEnd || this.isWaiting || this.games.length >= this.total) return;
    this.isWaiting = true;
    this.request({ type: "find", ...this.search(this.games.length) });
  }

  /**
   * Shows a message of the server.
   * @param {ServerMessage} message
   */
  take(message) {
    if (message.type !== "library") return;
    if (message.what === "games") return this.showGames(message);
    if (message.what === "opened") return this.app.go("analyse");
    if (message.what === "done") return this.done(message.act);
    this.onAnswer?.(message);
  }

  /** @param {Extract<LibraryMessage, { what: "games" }>} message */
  showGames({ total, offset, games, openings, binned }) {
    this.isWaiting = false;
    this.total = total;
    if (offset === 0) this.games = [];
    if (offset === this.games.length) this.games.push(...games);
    const known = this.opening?.value ?? "";
    this.opening?.replaceChildren(h("option", { value: "" }, l("anyOpening")),
      ...openings.map(({ name, count }) => h("option", { value: name.en, selected: name.en === known }, `${pick(name)} (${count})`)));
    if (this.bin) this.bin.textContent = this.isBin ? l("backToGames") : l("bin", binned);
    const isEmpty = total === 0;
    const isAll = !this.text?.value && !this.from?.value && !this.to?.value && !known && !this.source?.value && !this.position?.checked && !this.isBin;
    this.count.textContent = isEmpty ? (isAll ? l("empty") : l("nothing")) : l("found", total);
    this.list.hidden = isEmpty;
    const drawn = offset === 0 ? [] : [...this.body.children];
    this.body.replaceChildren(...drawn, ...games.map((game) => this.row(game)));
    if (offset === 0) this.list.scrollTop = 0;
    this.update();
  }

  /** @param {LibraryGame} game */
  row(game) {
    const { id, names, opening } = game;
    const title = `${names.black || t("black")} – ${names.white || t("white")}`;
    const box = h("input", { type: "checkbox", checked: this.chosen.has(id), "aria-label": l("select", title), onchange: () => {
      if (box.checked) this.chosen.add(id);
      else this.chosen.delete(id);
      this.update();
    } });
    const result = { b: l("blackWon"), w: l("whiteWon"), d: l("drawn") }[game.result] ?? l("unknown");
    const mark = { b: "☗", w: "☖", d: "＝" }[game.result] ?? "";
    const open = h("button", { type: "button", class: "link", "data-open": id, onclick: () => this.request({ type: "open", id }) }, `☗ ${names.black || t("black")}`);
    return h("tr", { "data-game": id, ondblclick: (event) => !isWriting(event.target) && this.request({ type: "open", id }) },
      h("td", {}, box),
      h("td", { class: "black" }, open),
      h("td", { class: "white" }, `☖ ${names.white || t("white")}`),
      h("td", { class: "result", title: result }, mark, h("span", { class: "unseen" }, result)),
      h("td", { class: "plies" }, String(game.plies)),
      h("td", { class: "opening" }, opening ? pick(opening) : l("nameless")),
      h("td", { class: "date" }, game.date),
      h("td", { class: "event" }, names.event, game.source === "played" ? h("span", { class: "tag" }, l("played")) : null),
      h("td", { class: "tools" },
        game.versions > 0 && h("button", { type: "button", class: "icon", title: l("versions"), "aria-label": `${l("versions")}: ${title}`, onclick: () => this.showVersions(id) }, "⟲"),
        h("button", { type: "button", class: "icon", "data-rename": id, title: l("rename"), "aria-label": `${l("rename")}: ${title}`, onclick: () => this.askForNames(game) }, "✎")));
  }

  /** Shows how many games are chosen and what can be done with them. */
  update() {
    const count = this.chosen.size;
    if (this.remove) {
      this.remove.disabled = count === 0;
      this.remove.textContent = this.isBin ? l("restore") : l("remove");
    }
    if (this.export) this.export.disabled = this.total === 0;
    this.all.checked = count > 0 && count >= this.games.length;
    if (this.total > 0) this.count.textContent = l("found", this.total) + (count ? ` · ${l("chosen", count)}` : "");
  }

  ids() {
    return [...this.chosen];
  }

  chooseAll() {
    this.chosen = new Set(this.all.checked ? this.games.map(({ id }) => id) : []);
    for (const box of this.body.querySelectorAll("input")) box.checked = this.all.checked;
    this.update();
  }

  /** @param {LibraryRequest} request */
  act(request) {
    this.request(request);
  }

  /** @param {ActView | null} act */
  done(act) {
    this.find();
    if (!act) {
      announce(l("undone"));
      return;
    }
    const texts = { delete: l("didDelete", act.games), restore: l("didRestore", act.games), rename: l("didRename"), import: l("didImport", act.games) };
    this.offerUndo(texts[act.kind], act.act);
  }

  /**
   * Says what was done, with a button that takes it back.
   * @param {string} text
   * @param {number} act
   */
  offerUndo(text, act) {
    this.app.toasts.querySelector(".undo")?.remove();
    const toast = h("div", { class: "toast undo", role: "status" }, h("span", {}, text),
      h("button", { type: "button", id: "undo", onclick: () => {
        toast.remove();
        this.request({ type: "undo", act });
      } }, l("undo")));
    this.app.toasts.append(toast);
    setTimeout(() => toast.remove(), 30_000);
  }

  toggleBin() {
    this.isBin = !this.isBin;
    this.find();
  }

  /** @param {LibraryGame} game */
  askForNames({ id, names }) {
    /** @type {(name: "black" | "white" | "event") => HTMLInputElement} */
    const field = (name) => h("input", { id: `name-${name}`, value: names[name], maxlength: 100 });
    const fields = { black: field("black"), white: field("white"), event: field("event") };
    const save = () => {
      box.close();
      this.act({ type: "rename", id, names: { black: fields.black.value, white: fields.white.value, event: fields.event.value } });
    };
    const box = dialog(l("rename"), h("div", { class: "column form", onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // it would press the button that gets the focus back
      save();
    } },
      /** @type {const} */ (["black", "white", "event"]).map((name) => h("label", {}, h("span", {}, l(name)), fields[name])),
      h("button", { type: "button", class: "main", id: "save-names", onclick: save }, l("save"))));
    fields.black.focus();
  }

  /** @param {number} id */
  showVersions(id) {
    this.onAnswer = (message) => {
      if (message.what !== "versions") return;
      const box = dialog(l("versions"), h("div", { class: "column" }, message.versions.map(({ version, at, plies }) =>
        h("button", { type: "button", onclick: () => {
          box.close();
          this.request({ type: "open-version", version });
        } }, l("versionOf", new Date(at * 1000).toLocaleString(), plies)))));
    };
    this.request({ type: "versions", id });
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    if (key === "/") this.text?.focus();
    else if (key === "Delete" && this.chosen.size) this.act({ type: this.isBin ? "restore" : "delete", ids: this.ids() });
    else return false;
    return true;
  }

  // ---- Many games in and out ----

  acceptFiles() {
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer) this.importFiles([...event.dataTransfer.files]);
    });
  }

  /** @param {HTMLInputElement | undefined} field */
  importFrom(field) {
    if (!field?.files) return;
    const files = [...field.files].filter(({ name }) => /\.(kifu?|ki2u?|csa|jkf|json|usi|sfen|txt)$/i.test(name));
    this.importFiles(files);
    field.value = "";
  }

  /**
   * The next answer of the server to a request.
   * @param {LibraryRequest} request
   * @returns {Promise<LibraryMessage>}
   */
  answer(request) {
    return new Promise((done) => {
      this.onAnswer = done;
      this.request(request);
    });
  }

  /** @param {File[]} files */
  async importFiles(files) {
    /** @type {number | null} */
    let act = null;
    let [sent, added, known] = [0, 0, 0];
    /** @type {{ name: string, why: string }[]} */
    const failed = [];
    while (sent < files.length) {
      const batch = [];
      for (let size = 0; sent < files.length; sent++) {
        const file = /** @type {File} */ (files[sent]);
        if (file.size > LARGEST) {
          failed.push({ name: file.name, why: l("tooLarge") });
          continue;
        }
        if (batch.length && size + file.size > BATCH) break;
        size += file.size;
        batch.push({ name: file.webkitRelativePath || file.name, bytes: await base64(file) });
      }
      this.tell(l("importing", sent, files.length));
      const said = await this.answer({ type: "import", act, files: batch });
      if (said.what !== "imported") return;
      act = said.act;
      added += said.added;
      known += said.known;
      failed.push(...said.failed.map(({ name, why }) => ({ name, why: pick(why) })));
    }
    this.tell(l("importDone", added, known), failed);
    if (act !== null && added > 0) this.offerUndo(l("didImport", added), act);
    this.find();
  }

  /**
   * Says how an import or an export went.
   * @param {string} text
   * @param {{ name: string, why: string }[]} [failed]
   */
  tell(text, failed = []) {
    this.note.hidden = false;
    this.note.replaceChildren(text, ...(failed.length ? [h("details", {}, h("summary", {}, l("importFailed", failed.length)),
      h("ul", {}, failed.slice(0, 200).map(({ name, why }) => h("li", {}, `${name}: ${why}`))))] : []));
  }

  askForExport() {
    const format = h("select", { id: "export-format" }, ["kif", "ki2", "csa", "jkf", "usi"].map((name) => h("option", { value: name }, name.toUpperCase())));
    const box = dialog(l("exportGames"), h("div", { class: "column" },
      h("p", { class: "note" }, l("found", this.chosen.size || this.total)),
      h("label", {}, t("format"), format),
      h("button", { type: "button", class: "main", id: "export-now", onclick: () => {
        box.close();
        this.exportGames(format.value);
      } }, l("exportGames"))));
  }

  /** @param {string} format */
  async exportGames(format) {
    const ids = this.chosen.size ? this.ids() : await this.allIds();
    const files = [];
    for (let at = 0; at < ids.length; at += EXPORTED) {
      this.tell(l("exporting", at, ids.length));
      const said = await this.answer({ type: "export", ids: ids.slice(at, at + EXPORTED), format });
      if (said.what !== "records") return;
      files.push(...said.files);
    }
    this.tell(l("exporting", ids.length, ids.length));
    const [only] = files;
    if (files.length === 1 && only) saveBlob(new Blob([only.text]), only.name);
    else saveBlob(zip(files), "tesuji-games.zip");
  }

  /** The numbers of all games that fit. */
  async allIds() {
    /** @type {number[]} */
    const ids = [];
    const show = this.showGames;
    while (ids.length < this.total) {
      const said = await new Promise((/** @type {(message: Extract<LibraryMessage, { what: "games" }>) => void} */ done) => {
        this.showGames = done;
        this.request({ type: "find", ...this.search(ids.length), limit: 500 });
      });
      if (said.games.length === 0) break;
      ids.push(...said.games.map(({ id }) => id));
    }
    this.showGames = show;
    return ids;
  }
}
