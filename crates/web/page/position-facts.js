// What is said about the position of the analysis board on demand: the names of the opening and of the
// castles, what the opponent threatens, whether there is a brinkmate.

import { h } from "./dom.js";
import { valueName } from "./game-view.js";
import { e } from "./texts-engines.js";
import { colorName, namesText, pick } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").LookMessage} LookMessage
 * @typedef {import("./protocol.js").MoveView} MoveView
 * @typedef {import("./board.js").Board} Board
 */

export class PositionFacts {
  /**
   * @param {App} app
   * @param {Board} board
   */
  constructor(app, board) {
    this.app = app;
    this.board = board;
    this.sfen = "";
    this.names = h("p", { class: "names", role: "status" });
    this.said = h("p", { class: "said", role: "status" });
    this.element = h("div", { class: "position-facts" }, this.names,
      h("button", { type: "button", id: "threat", onclick: () => this.ask("threat") }, e("threat")),
      h("button", { type: "button", id: "brinkmate", onclick: () => this.ask("brinkmate") }, e("brinkmate")),
      this.said);
  }

  /**
   * Looks at another position.
   * @param {string} sfen
   */
  look(sfen) {
    if (sfen === this.sfen) return;
    this.sfen = sfen;
    this.said.textContent = "";
    this.app.request({ look: { type: "names", tab: "analyse" } });
  }

  /** @param {"threat" | "brinkmate"} type */
  ask(type) {
    this.said.textContent = e("looking");
    this.app.request({ look: { type, sfen: this.sfen } });
  }

  /** @param {LookMessage} message */
  receive(message) {
    switch (message.what) {
      case "names":
        this.names.textContent = namesText(message);
        break;
      case "threat": {
        if (message.sfen !== this.sfen) return;
        const foe = colorName(this.sfen.split(" ")[1] === "b" ? "w" : "b");
        this.said.textContent = message.mate === null ? e("threatens", foe, lineName(message.moves), valueName(message.value))
          : e("threatensMate", foe, message.mate, lineName(message.moves));
        this.arrow(message.moves);
        break;
      }
      case "brinkmate":
        if (message.sfen !== this.sfen) return;
        this.said.textContent = e(`found-${message.found}`, lineName(message.moves));
        this.arrow(message.moves);
        break;
    }
  }

  /** @param {MoveView[]} moves */
  arrow(moves) {
    const [first] = moves;
    if (first) this.board.showArrows([{ move: first.move, kind: "hint" }]);
  }
}

/** @param {MoveView[]} moves */
function lineName(moves) {
  return moves.map((mv) => pick(mv)).join(" ");
}
