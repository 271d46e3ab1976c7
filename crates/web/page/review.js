// The review of a game: how well both sides played, where it turned, and what would have been better
// at each slip.

import { h, iconButton, menu, textButton, toolButton } from "./dom.js";
import { nodeName, valueName } from "./game-view.js";
import { colorName, pick, t } from "./texts.js";

/**
 * @typedef {import("./analyse.js").AnalyseTab} AnalyseTab
 * @typedef {import("./protocol.js").AnalyseMessage} AnalyseMessage
 * @typedef {import("./protocol.js").ColorLetter} ColorLetter
 * @typedef {import("./protocol.js").ReviewMessage} ReviewMessage
 * @typedef {import("./protocol.js").SlipView} SlipView
 * @typedef {import("./protocol.js").TrialView} TrialView
 */

const SECONDS = ["0.1", "0.3", "1", "3", "10"];
const MARKS = { dubious: "?!", mistake: "?", blunder: "??" };

export class ReviewPanel {
  /** @param {AnalyseTab} tab */
  constructor(tab) {
    this.tab = tab;
    this.game = tab.game;
    /** @type {ReviewMessage} */
    this.review = { accuracy: [null, null], slips: [] };
    /**
     * The slip that the user tries to do better.
     * @type {SlipView | null}
     */
    this.trying = null;
    this.start = h("button", { type: "button", id: "analyse-game", onclick: () => this.toggle() }, t("analyseWholeGame"));
    this.each = h("select", { id: "each", "aria-label": t("perMove") }, SECONDS.map((seconds) => h("option", { value: Number(seconds) * 1000, selected: seconds === "0.3" }, t("secondsPerMove", seconds))));
    this.progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("analyseWholeGame") });
    this.progressText = h("span", { class: "info" });
    this.players = h("div", { class: "accuracies" });
    this.steps = h("div", { class: "row slipsteps" },
      iconButton("previous", t("previousSlip"), () => this.goToSlip(-1), { id: "previous-slip" }),
      iconButton("next", t("nextSlip"), () => this.goToSlip(1), { id: "next-slip" }));
    this.turning = h("div", { class: "row turning" });
    this.card = h("div", { class: "slipcard", role: "status" });
    this.found = h("div", { class: "found", hidden: true }, this.players, h("div", { class: "row spread" }, this.steps, this.turning), this.card);
    this.report = menu(t("report"),
      toolButton("print", "printReport", () => void this.makeReport("printReport"), { id: "print-report" }),
      toolButton("save", "saveReport", () => void this.makeReport("saveReport"), { id: "save-report" }),
      toolButton("save", "saveReportPicture", () => void this.makeReport("saveReportPicture"), { id: "save-report-picture" }));
    this.report.id = "report";
    this.element = h("section", { class: "review", "aria-label": t("review") },
      h("h2", { class: "unseen" }, t("review")),
      h("div", { class: "row" }, this.start, this.each, this.progress, this.progressText, this.report),
      this.found);
  }

  /**
   * Makes a report; what it needs is loaded only then.
   * @param {"printReport" | "saveReport" | "saveReportPicture"} way
   */
  async makeReport(way) {
    const report = await import("./report.js");
    await report[way](this.tab.app, this.review);
  }

  toggle() {
    if (this.tab.message?.gameAnalysis) this.tab.request({ type: "stop-analysing-game" });
    else this.tab.request({ type: "analyse-game", millis: Number(this.each.value) });
  }

  /** @param {ReviewMessage} review */
  receive(review) {
    this.review = review;
    this.trying = null;
    this.draw();
  }

  /** The slip of the move that is shown. */
  current() {
    return this.review.slips.find(({ node }) => node === this.game.at) ?? null;
  }

  /**
   * Goes to the next slip, or the one before.
   * @param {number} way
   */
  goToSlip(way) {
    const ply = this.game.current()?.ply ?? 0;
    /** @param {SlipView} slip */
    const plyOf = (slip) => this.game.nodes[slip.node]?.ply ?? 0;
    const { slips } = this.review;
    const slip = way > 0 ? slips.find((other) => plyOf(other) > ply) : slips.findLast((other) => plyOf(other) < ply);
    if (slip) {
      this.trying = null;
      this.tab.goTo(slip.node);
    }
  }

  /** @param {AnalyseMessage} message */
  show(message) {
    const { gameAnalysis, trial } = message;
    this.progress.hidden = !gameAnalysis;
    this.start.textContent = t(gameAnalysis ? "stopAnalysing" : "analyseWholeGame");
    this.progressText.textContent = gameAnalysis ? t("positionsDone", gameAnalysis.done, gameAnalysis.total) : "";
    if (gameAnalysis) this.progress.value = gameAnalysis.done / gameAnalysis.total;
    const parent = this.trying && this.game.nodes[this.trying.node]?.parent;
    // Whoever goes elsewhere has stopped trying.
    if (this.trying && parent !== this.game.at && this.tab.stepping.target === null) this.trying = null;
    this.trial = trial;
    this.draw();
  }

  draw() {
    const { accuracy, slips } = this.review;
    const isReviewed = accuracy.some((value) => value !== null);
    this.found.hidden = !isReviewed;
    this.report.hidden = !isReviewed;
    if (!isReviewed) return;
    this.players.replaceChildren(...(/** @type {ColorLetter[]} */ (["b", "w"])).map((color, place) => this.badge(color, accuracy[place] ?? null)));
    this.turning.replaceChildren(...slips.filter((slip) => slip.isTurningPoint).slice(0, 4).map((slip) => {
      const node = this.game.nodes[slip.node];
      return h("button", { type: "button", class: `chip ${slip.grade}`, title: t("turningPoint"), onclick: () => this.tab.goTo(slip.node) }, `↯ ${node?.ply ?? ""} ${node ? nodeName(node) : ""}`);
    }));
    this.drawCard();
  }

  /**
   * How well a side played.
   * @param {ColorLetter} color
   * @param {number | null} accuracy
   */
  badge(color, accuracy) {
    const name = this.game.players[color === "b" ? 0 : 1] || colorName(color);
    const count = { dubious: 0, mistake: 0, blunder: 0 };
    for (const slip of this.review.slips) if (slip.color === color) count[slip.grade]++;
    const full = t("slips", name, count.dubious, count.mistake, count.blunder);
    return h("div", { class: "badge", title: full },
      h("span", { class: "who" }, `${color === "b" ? "☗" : "☖"} ${name}`),
      h("strong", { title: t("accuracy") }, accuracy === null ? "–" : `${accuracy.toFixed(1)}%`),
      h("span", { class: "counts", "aria-label": full }, `?! ${count.dubious}  ? ${count.mistake}  ?? ${count.blunder}`));
  }

  /** Shows what would have been better, or how the user does. */
  drawCard() {
    if (this.trying) return this.drawTrial(this.trying);
    const slip = this.current();
    this.card.hidden = !slip;
    this.card.replaceChildren();
    if (!slip) return;
    const node = this.game.nodes[slip.node];
    this.card.append(
      h("p", {}, h("strong", { class: `grade ${slip.grade}` }, `${node ? nodeName(node) : ""} ${MARKS[slip.grade]}`), ` ${t(slip.grade)}, −${Math.round(slip.loss * 100)}% `,
        h("span", { class: "info" }, `${valueName(slip.best, slip.bestMate)} → ${valueName(slip.played, slip.playedMate)}`)),
      h("p", { class: "better" }, h("span", { class: "info" }, `${t("better")} `),
        slip.line.map((mv, place) => h("button", { type: "button", class: "pvmove", onclick: () => this.follow(slip, place) }, pick(mv)))),
      h("div", { class: "row" },
        textButton("tryAgain", () => this.tryAgain(slip), { id: "try-again", class: "main" }),
        textButton("addBetterLine", () => this.tab.request({ type: "add-better-line", node: slip.node }), { id: "add-better" })));
  }

  /**
   * Plays the better line up to a move.
   * @param {SlipView} slip
   * @param {number} place
   */
  follow(slip, place) {
    const parent = this.game.nodes[slip.node]?.parent ?? 0;
    this.tab.request({ type: "go-to", node: parent });
    this.tab.follow(slip.line, place);
  }

  /** @param {SlipView} slip */
  tryAgain(slip) {
    this.trying = slip;
    this.trial = null;
    this.tab.goTo(this.game.nodes[slip.node]?.parent ?? 0);
    this.draw();
  }

  /**
   * Takes a move of the user, if it is one that is tried.
   * @param {string} mv
   */
  takes(mv) {
    if (!this.trying) return false;
    this.tab.request({ type: "try", node: this.trying.node, move: mv });
    return true;
  }

  /** @param {SlipView} slip */
  drawTrial(slip) {
    /** @type {TrialView | null | undefined} */
    const trial = this.trial?.node === slip.node ? this.trial : null;
    const text = trial ? t(`trial-${trial.verdict}`, pick(trial.tried)) : t("tryNow", colorName(slip.color));
    this.card.hidden = false;
    this.card.replaceChildren(
      h("p", { class: `trial ${trial?.verdict ?? ""}` }, text),
      h("div", { class: "row" },
        textButton("showAnswer", () => {
          this.trying = null;
          this.tab.goTo(slip.node);
        }, { id: "show-answer" })));
  }

  /** The arrows for the slip that is shown: the better line. */
  arrows() {
    const slip = this.trying ? null : this.current();
    return slip ? slip.line.slice(0, 3).map(({ move }) => /** @type {import("./board.js").Arrow} */ ({ move, kind: "better" })) : [];
  }
}
