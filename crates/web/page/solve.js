// The tab for mate problems: load one, solve it, walk through every defence.

import { short } from "./analyse.js";
import { Board, announce } from "./board.js";
import { h, textButton, toolButton } from "./dom.js";
import { openEditor } from "./editor.js";
import { acceptDrops, askForFormat, askForRecord, openShare } from "./files.js";
import { MoveList, nodeName, stepper } from "./game-view.js";
import { STEP_KEYS, Stepping } from "./stepping.js";
import { colorName, setHandicap, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").RecordSource} RecordSource
 * @typedef {import("./protocol.js").SolveMessage} SolveMessage
 * @typedef {import("./protocol.js").SolveRequest} SolveRequest
 * @typedef {import("./protocol.js").SolveResult} SolveResult
 */

export class SolveTab {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.game = app.games.solve;
    /** @type {SolveMessage | null} */
    this.message = null;
    this.board = new Board((mv) => this.request({ type: "move", move: mv }));
    this.stepping = new Stepping(this.game, (node) => this.request({ type: "go-to", node }));
    this.moves = new MoveList(this.game, (node) => this.goTo(node));
    /** @param {RecordSource} record */
    const load = (record) => this.request({ type: "load", record });
    this.solve = textButton("solveIt", () => this.request({ type: this.message?.solving ? "stop" : "solve" }), { class: "main", id: "solve" });
    this.defences = textButton("defences", () => this.request({ type: "solve-defences" }), { id: "defences" });
    this.result = h("p", { class: "result", role: "status" });
    this.detail = h("p", { class: "note" });
    this.attempt = h("p", { class: "attempt", role: "alert" });
    this.again = textButton("tryAnother", () => this.step(-2), { id: "try-another", hidden: true });
    this.element = h("section", { class: "tabpanel solve", "aria-label": t("solve") },
      h("h1", { class: "unseen" }, t("solve")),
      h("div", { class: "boardarea" }, this.board.element),
      h("div", { class: "panel" },
        h("div", { class: "row toolbar" },
          toolButton("folder", "loadProblem", () => askForRecord(app, load), { id: "load-problem", class: "main" }),
          toolButton("pencil", "edit", () => this.message && openEditor(this.message.position.sfen, (text) => load({ text }))),
          toolButton("save", "save", () => askForFormat(app, "solve")),
          toolButton("share", "share", () => openShare(app, "solve")),
          toolButton("flip", "flip", () => this.board.flip())),
        h("div", { class: "row" }, this.solve, this.defences),
        this.result, this.detail,
        h("div", { class: "row" }, this.attempt, this.again),
        h("h2", { class: "unseen" }, t("moves")),
        this.moves.element,
        h("div", { class: "row spread" }, stepper((steps) => this.step(steps))),
        h("p", { class: "note" }, t("defenceHint"))));
    this.board.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.step(Math.sign(event.deltaY));
    }, { passive: false });
    acceptDrops(app, this.element, load);
  }

  close() {}

  /** @param {SolveRequest} request */
  request(request) {
    this.app.request({ solve: request });
  }

  /** @param {number} node */
  goTo(node) {
    this.stepping.goTo(node);
  }

  /** @param {number} steps */
  step(steps) {
    this.stepping.step(steps);
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    const steps = STEP_KEYS[key];
    if (key === "f") this.board.flip();
    else if (steps !== undefined) this.step(steps);
    else return false;
    return true;
  }

  /**
   * Shows a message of the server.
   * @param {SolveMessage} message
   * @param {number[]} changed the nodes of the game that changed
   */
  receive(message, changed) {
    const before = this.message;
    this.message = message;
    const { position, solving, attacker } = message;
    setHandicap(false);
    // Every problem is seen from the side that mates; one that is flipped by hand stays so.
    const isOther = !before || before.attacker !== attacker || (changed.includes(0) && this.game.nodes.length === 1);
    if (isOther && this.board.orientation.isUpsideDown(attacker)) this.board.flip();
    this.board.show(position);
    this.moves.update(changed);
    this.stepping.shown(this.game.at);
    this.drawAttempt(message);
    this.solve.textContent = t(solving ? "stop" : "solveIt");
    this.defences.disabled = solving;
    this.defences.textContent = t(position.turn === attacker ? "findMate" : "defences");
    this.drawResult(message);
    const node = this.game.current();
    if (before && node && before.position.sfen !== position.sfen) announce(nodeName(node));
  }

  /**
   * Says whether the user's move was right.
   * @param {SolveMessage} message
   */
  drawAttempt({ attempt }) {
    const text = attempt ? attemptText(attempt) : "";
    if (this.attempt.textContent !== text) this.attempt.textContent = text;
    this.attempt.dataset.verdict = attempt?.verdict ?? "";
    this.again.hidden = attempt?.verdict !== "wrong";
  }

  /** @param {SolveMessage} message */
  drawResult({ result, solving, progress, attacker }) {
    const side = t("attackerIs", colorName(attacker));
    let text = t("notSolved");
    let detail = side;
    if (solving) {
      text = t("solving");
      if (progress) detail = t("progress", short(progress.nodes), Math.round(progress.millis / 1000), progress.depth);
    } else if (result) {
      text = resultText(result);
      detail = [side, t("nodesTold", short(result.nodes)), ...remarks(result)].join(" · ");
    }
    this.result.textContent = text;
    this.result.classList.toggle("found", Boolean(result) && !solving);
    this.detail.textContent = detail;
  }
}

/** @param {import("./protocol.js").SolveAttempt} attempt */
function attemptText(attempt) {
  switch (attempt.verdict) {
    case "checking": return t("checking");
    case "right": return t("right", attempt.left - 1);
    case "wrong": return t("wrong");
    case "solved": return t("solvedByYou");
    case "unknown": return t("attemptUnknown");
  }
}

/** @param {SolveResult} result */
function resultText(result) {
  switch (result.found) {
    case "mate": return t(result.shortest ? "solved" : "solvedLong", result.plies);
    case "no-mate": return t("noMate");
    case "unknown": return t("unknown");
  }
}

/**
 * What composers say about a solution.
 * @param {SolveResult} result
 */
function remarks(result) {
  if (result.found !== "mate") return [];
  const { counted, plies, surplus } = result;
  return [...(counted !== plies ? [t("counted", counted)] : []), ...(surplus > 0 ? [t("surplus", surplus)] : [])];
}
