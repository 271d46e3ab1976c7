// The tab for mate problems: load one, solve it, walk through every defence.

import { short } from "./analyse.js";
import { Board, announce } from "./board.js";
import { h, textButton } from "./dom.js";
import { openEditor } from "./editor.js";
import { acceptDrops, askForFormat, askForRecord } from "./files.js";
import { MoveList, nodeName, stepped, stepper } from "./game-view.js";
import { colorName, t } from "./texts.js";

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
    this.moves = new MoveList(this.game, (node) => this.goTo(node));
    /** @param {RecordSource} record */
    const load = (record) => this.request({ type: "load", record });
    this.solve = textButton("solveIt", () => this.request({ type: this.message?.solving ? "stop" : "solve" }), { class: "main", id: "solve" });
    this.defences = textButton("defences", () => this.request({ type: "solve-defences" }), { id: "defences" });
    this.result = h("p", { class: "result", role: "status" });
    this.detail = h("p", { class: "note" });
    this.element = h("section", { class: "tabpanel solve", "aria-label": t("solve") },
      h("div", { class: "barboard" }, this.board.element),
      h("div", { class: "panel" },
        h("div", { class: "row" },
          textButton("loadProblem", () => askForRecord(app, load), { id: "load-problem" }),
          textButton("edit", () => this.message && openEditor(this.message.position.sfen, (text) => load({ text }))),
          textButton("save", () => askForFormat(app, "solve")),
          textButton("flip", () => this.board.flip())),
        h("div", { class: "row" }, this.solve, this.defences),
        this.result, this.detail,
        this.moves.element,
        h("div", { class: "row spread" }, stepper((steps) => this.step(steps))),
        h("p", { class: "note" }, t("defenceHint"))));
    acceptDrops(app, this.element, load);
  }

  close() {}

  /** @param {SolveRequest} request */
  request(request) {
    this.app.request({ solve: request });
  }

  /** @param {number} node */
  goTo(node) {
    if (node !== this.game.at) this.request({ type: "go-to", node });
  }

  /** @param {number} steps */
  step(steps) {
    this.goTo(stepped(this.game, this.game.at, steps));
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    if (key === "f") this.board.flip();
    else if (key === ",") this.step(-1);
    else if (key === ".") this.step(1);
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
    if (!before && this.board.orientation.isUpsideDown(attacker)) this.board.flip();
    this.board.show(position);
    this.moves.update(changed);
    this.solve.textContent = t(solving ? "stop" : "solveIt");
    this.defences.disabled = solving;
    this.defences.textContent = t(position.turn === attacker ? "findMate" : "defences");
    this.drawResult(message);
    const node = this.game.current();
    if (before && node && before.position.sfen !== position.sfen) announce(nodeName(node));
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
