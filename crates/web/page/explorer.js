// The opening explorer: the moves of books for the position that is shown, and the user's own book.

import { h } from "./dom.js";
import { valueName } from "./game-view.js";
import { pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").BookMoveView} BookMoveView
 * @typedef {import("./protocol.js").BookView} BookView
 * @typedef {import("./protocol.js").ExploreMessage} ExploreMessage
 */

export class Explorer {
  /**
   * @param {App} app
   * @param {(mv: string) => void} play plays a move on the board beside it
   */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    this.sfen = "";
    this.books = h("div", { class: "books" });
    this.move = h("input", { id: "book-move", size: 6, maxlength: 5, placeholder: "7g7f", "aria-label": t("bookMove") });
    this.weight = h("input", { id: "book-weight", type: "number", min: 1, max: 1000, value: 1, "aria-label": t("bookWeight") });
    this.element = h("details", { class: "explorer", id: "explorer", ontoggle: () => this.look(this.sfen, true) },
      h("summary", {}, t("openings")),
      this.books,
      h("form", { class: "row", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.edit(this.move.value.trim(), Number(this.weight.value));
        this.move.value = "";
      } }, this.move, this.weight, h("button", { type: "submit", id: "book-add" }, t("bookAdd"))));
  }

  /**
   * Asks the books about a position, if the explorer is open.
   * @param {string} sfen
   * @param {boolean} [anew]
   */
  look(sfen, anew = false) {
    const isOther = sfen !== this.sfen;
    this.sfen = sfen;
    if (sfen && this.element.open && (isOther || anew)) this.app.request({ explore: { type: "look", sfen } });
  }

  /**
   * @param {string} move
   * @param {number} weight
   */
  edit(move, weight) {
    if (this.sfen && move) this.app.request({ explore: { type: "edit", sfen: this.sfen, move, weight } });
  }

  /** @param {ExploreMessage} message */
  receive(message) {
    if (message.sfen !== this.sfen) return;
    this.books.replaceChildren(...message.books.flatMap((book) => [this.table(book), problem(book)]));
  }

  /** @param {BookView} book */
  table(book) {
    const name = book.isOwn ? t("ownBook") : (book.name ?? t("builtinBook"));
    const games = book.moves.reduce((sum, { count }) => sum + count, 0);
    if (!book.moves.length) return h("p", { class: "note" }, `${name}: ${t("notInBook")}`);
    return h("table", { class: "book" },
      h("caption", {}, name),
      h("thead", {}, h("tr", {}, [t("bookMove"), t("bookCount"), t("bookResults"), t("bookValue"), ""].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, book.moves.map((row) => this.row(book, row, games))));
  }

  /**
   * @param {BookView} book
   * @param {BookMoveView} row
   * @param {number} games
   */
  row(book, row, games) {
    const { move, value, depth, count, won, lost, win } = row;
    const share = games ? ` (${Math.round((count / games) * 100)} %)` : "";
    const edit = book.isOwn
      ? h("button", { type: "button", class: "small", "aria-label": t("bookRemove"), title: t("bookRemove"), onclick: () => this.edit(move.move, 0) }, "✕")
      : h("button", { type: "button", class: "small", "aria-label": t("bookAdd"), title: t("bookAdd"), onclick: () => this.edit(move.move, 1) }, "☆");
    const outcome = win ? h("span", { class: win.wins ? "good" : "bad" }, outcomeName(win)) : "";
    return h("tr", {},
      h("td", {}, h("button", { type: "button", class: "pvmove", "data-move": move.move, onclick: () => this.play(move.move) }, pick(move))),
      h("td", {}, `${count}${share}`),
      h("td", {}, won || lost ? `${won}–${lost}` : "", outcome),
      h("td", {}, value === null ? "" : `${valueName(value, null)}${depth ? ` · ${t("depth", depth)}` : ""}`),
      h("td", {}, edit));
  }
}

/**
 * What is wrong with a book that is shown nevertheless.
 * @param {BookView} book
 */
function problem(book) {
  return book.problem ? h("p", { class: "note bad" }, pick(book.problem)) : "";
}

/** @param {NonNullable<BookMoveView["win"]>} win */
function outcomeName(win) {
  const name = t(win.wins ? "bookWins" : "bookLoses");
  const plies = win.plies === null ? t("byRepetition") : String(win.plies);
  return ` ${name} ${plies}${win.proven ? ` ${t("bookProven")}` : ` · ${t("bookChallenges", win.challenges)}`}`;
}
