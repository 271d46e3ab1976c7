// The card that is shown when a game is over: who won and how, and what to do next.

import { h, iconButton, textButton } from "./dom.js";
import { askForFormat } from "./files.js";
import { clockName, resultName } from "./game-view.js";
import { t } from "./texts.js";

/** @typedef {import("./main.js").App} App */

export class ResultCard {
  /**
   * @param {App} app
   * @param {() => void} again begins a game like this one
   */
  constructor(app, again) {
    this.title = h("h2", {});
    this.detail = h("p", { class: "note" });
    this.element = h("div", { class: "resultcard", role: "region", "aria-label": t("result"), hidden: true },
      iconButton("plus", t("close"), () => this.hide(), { class: "icon turned-cross", id: "close-card" }),
      this.title, this.detail,
      h("div", { class: "row" },
        textButton("review", () => app.replaceStudy({ type: "load-played-game", replace: false, review: 300 }), { class: "main", id: "review-game" }),
        textButton("rematch", again, { id: "again" }),
        textButton("save", () => askForFormat(app, "play"), { id: "save-card" })));
  }

  /**
   * @param {import("./protocol.js").EndView} over
   * @param {import("./game-view.js").GameView} game
   */
  show(over, game) {
    this.title.textContent = resultName(over);
    const moves = game.mainLine().filter((id) => game.nodes[id]?.move);
    /** @param {number} odd */
    const spent = (odd) => clockName(moves.reduce((sum, id) => sum + ((game.nodes[id]?.ply ?? 0) % 2 === odd ? game.nodes[id]?.time ?? 0 : 0), 0));
    this.detail.textContent = `${t("movesPlayed", moves.length)} · ${t("timesSpent", spent(1), spent(0))}`;
    this.element.hidden = false;
  }

  hide() {
    this.element.hidden = true;
  }
}
