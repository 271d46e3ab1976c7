// The training tab: graded problems, checked move by move, with hints, streaks and the whole proof.

import { Board, announce } from "./board.js";
import { h } from "./dom.js";
import { dialog, readFile } from "./files.js";
import { LoadedTab } from "./lazy.js";
import { ProofExplorer } from "./proof.js";
import { x } from "./texts-train.js";
import { pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").MoveView} MoveView
 * @typedef {import("./protocol.js").ProblemSetView} ProblemSetView
 * @typedef {import("./protocol.js").ProblemView} ProblemView
 * @typedef {import("./protocol.js").RecordSource} RecordSource
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 * @typedef {import("./protocol.js").StepView} StepView
 * @typedef {import("./protocol.js").TrainMessage} TrainMessage
 * @typedef {import("./protocol.js").SolvingProgress} SolvingProgress
 * @typedef {import("./protocol.js").TrainRequest} TrainRequest
 */

export class TrainTab extends LoadedTab {
  /** @param {App} app */
  constructor(app) {
    super(app);
    /** @type {ProblemView | null} */
    this.problem = null;
    /**
     * The problem that is on the board.
     * @type {ProblemView | null}
     */
    this.shown = null;
    /** @type {MoveView[]} */
    this.line = [];
    this.isClean = true;
    this.isOver = false;
    this.hints = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.board = new Board((mv) => this.move(mv));
    this.proof = new ProofExplorer(app, (line) => this.showLine(line));
    this.title = h("h1", { class: "title" });
    this.task = h("p", { class: "note" });
    this.status = h("p", { class: "result", role: "status" });
    this.moves = h("p", { class: "line" });
    this.sets = h("div", { class: "sets", role: "group", "aria-label": x("sets") });
    this.progress = h("dl", { class: "progress" });
    this.buildButtons();
    this.element = h("section", { class: "tabpanel train", "aria-label": t("train") },
      h("div", { class: "boardarea" }, this.board.element),
      h("div", { class: "panel" }, this.sets, this.progress, this.title, this.task, this.status, this.moves, this.buttons,
        this.proof.element, h("p", { class: "note" }, x("keys"))));
    this.request({ type: "sets" });
  }

  buildButtons() {
    /** @type {(id: string, text: string, act: () => void, kind?: string) => HTMLButtonElement} */
    const button = (id, text, act, kind) => h("button", { type: "button", id, class: kind, onclick: act }, text);
    this.next = button("train-next", x("next"), () => this.go(1, true), "main");
    this.hint = button("train-hint", x("hint"), () => this.askForHint());
    this.solution = button("train-solution", x("solution"), () => this.askForSolution());
    this.buttons = h("div", { class: "row" }, this.next, this.hint,
      button("train-again", x("again"), () => this.again()), this.solution,
      button("train-explore", x("explore"), () => this.problem && this.proof.open(this.problem.position.sfen)),
      button("train-previous", x("previous"), () => this.go(-1, false)));
  }

  close() {
    clearInterval(this.timer);
  }

  /** @param {TrainRequest} request */
  request(request) {
    this.app.request({ train: request });
  }

  /**
   * Shows a message of the server.
   * @param {ServerMessage} message
   */
  take(message) {
    if (message.type !== "train") return;
    switch (message.what) {
      case "sets": return this.showSets(message);
      case "problem": return this.showProblem(message);
      case "step": return this.showStep(message);
      case "hint": return this.showHint(message.origin, message.move);
      case "solution": return this.playSolution(message.moves);
      case "proof": return this.proof.receive(message);
    }
  }

  // ---- Sets ----

  /** @param {Extract<TrainMessage, { what: "sets" }>} message */
  showSets({ sets, progress, removed }) {
    this.showProgress(progress);
    const chosen = this.problem?.set ?? localStorage.getItem("train-set") ?? "m3";
    this.sets.replaceChildren(...sets.map((set) => this.setButton(set)),
      h("button", { type: "button", class: "set add", id: "add-set", onclick: () => this.askForSet() }, x("addSet")));
    if (removed) this.offerUndo(removed.name, removed.text);
    const first = sets.find(({ name }) => name === (this.expected ?? chosen)) ?? sets[0];
    this.expected = undefined;
    if (first && first.name !== this.problem?.set) this.openSet(first.name);
    else this.markSet();
  }

  /** @param {ProblemSetView} set */
  setButton({ name, kind, plies, total, solved }) {
    const title = kind === "own" ? name.slice(2) : kind === "brinkmate" ? x("brinkmate") : x("mateIn", plies ?? 0);
    return h("button", { type: "button", class: "set", "data-set": name, title: x("solvedOf", solved, total), onclick: () => this.openSet(name) },
      h("b", {}, title), h("span", { class: "note" }, `${solved} / ${total}`), h("progress", { max: Math.max(total, 1), value: solved, "aria-hidden": "true" }));
  }

  /** @param {string} set */
  openSet(set) {
    localStorage.setItem("train-set", set);
    const number = Number(localStorage.getItem(`train-${set}`) ?? 0);
    this.request({ type: "problem", set, number, unsolved: true });
  }

  markSet() {
    for (const button of this.sets.querySelectorAll("[data-set]")) {
      button.setAttribute("aria-pressed", String(button instanceof HTMLElement && button.dataset.set === this.problem?.set));
    }
  }

  askForSet() {
    const name = h("input", { id: "set-name", value: x("mySet"), maxlength: 60 });
    const area = h("textarea", { rows: 8, id: "set-text", placeholder: x("addHelp"), "aria-label": x("addHelp"), spellcheck: "false" });
    /** @param {RecordSource} record */
    const add = (record) => {
      box.close();
      this.expected = `u:${name.value.trim()}`;
      this.request({ type: "add-set", name: name.value, record });
    };
    const file = h("input", { type: "file", id: "set-file", "aria-label": t("chooseFile"), onchange: () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      if (name.value === x("mySet")) name.value = chosen.name.replace(/\.[^.]*$/, "");
      readFile(this.app, chosen, add);
    } });
    const box = dialog(x("addSet"), h("div", { class: "column" },
      h("label", {}, x("nameOfSet"), " ", name), h("p", { class: "note" }, x("addHelp")), area,
      h("div", { class: "row spread" }, file, h("button", { type: "button", class: "main", id: "set-add", onclick: () => add({ text: area.value }) }, x("addSet")))));
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  offerUndo(name, text) {
    const toast = h("div", { class: "toast undo", role: "status" }, h("span", {}, x("removed", name)),
      h("button", { type: "button", id: "undo", onclick: () => {
        toast.remove();
        this.expected = `u:${name}`;
        this.request({ type: "add-set", name, record: { text } });
      } }, x("undo")));
    this.app.toasts.append(toast);
    setTimeout(() => toast.remove(), 30_000);
  }

  // ---- A problem ----

  /** @param {ProblemView} problem */
  showProblem(problem) {
    const isFirst = this.problem?.set !== problem.set;
    this.problem = problem;
    localStorage.setItem(`train-${problem.set}`, String(problem.number));
    if (isFirst) this.markSet();
    this.proof.hide();
    this.again();
    const kind = problem.kind === "brinkmate" ? x("brinkmate") : problem.plies ? x("mateIn", problem.plies) : "";
    this.title.textContent = [kind, x("numberOf", problem.number + 1, problem.total)].filter(Boolean).join(" · ");
    this.task.replaceChildren(...[problem.solved ? `✓ ${x("done")}` : "", problem.unique ? "" : x("marked")].filter(Boolean).join(" · "));
    if (problem.kind === "own") {
      this.task.append(h("button", { type: "button", class: "link", id: "remove-set", onclick: () => this.request({ type: "remove-set", name: problem.set }) }, x("removeSet")));
    }
    announce(`${this.title.textContent}. ${this.status.textContent}`);
  }

  /** Begins the problem from its first position. */
  again() {
    const { problem } = this;
    if (!problem) return;
    clearInterval(this.timer);
    if (this.shown !== problem) this.isClean = true;
    else if (this.isOver) this.isClean = false; // solved once, it counts no more
    this.shown = problem;
    this.line = [];
    this.isOver = false;
    this.hints = 0;
    const isUpsideDown = this.board.orientation.isUpsideDown(problem.position.turn);
    if (isUpsideDown) this.board.flip();
    this.board.show(problem.position);
    this.board.showArrows([]);
    const task = problem.kind === "brinkmate" ? x("findBrinkmate") : problem.plies ? x("findMate", problem.plies) : x("findAnyMate");
    this.say(task, "");
    this.drawLine();
  }

  /**
   * @param {string} text
   * @param {"" | "good" | "bad"} mood
   */
  say(text, mood) {
    this.status.textContent = text;
    this.status.className = `result ${mood}`;
  }

  drawLine() {
    this.moves.textContent = this.line.map((mv) => pick(mv)).join("  ");
    if (this.next) this.next.classList.toggle("calls", this.isOver);
  }

  /**
   * Goes to another problem of the set.
   * @param {number} steps
   * @param {boolean} unsolved
   */
  go(steps, unsolved) {
    const { problem } = this;
    if (problem) this.request({ type: "problem", set: problem.set, number: Math.max(0, problem.number + steps), unsolved });
  }

  /** The problem and where it stands, for the server. */
  place() {
    return { set: this.problem?.set ?? "", number: this.problem?.number ?? 0, line: this.line.map((mv) => mv.move) };
  }

  /** @param {string} mv */
  move(mv) {
    if (this.isOver) return;
    this.say(x("thinking"), "");
    this.request({ type: "move", ...this.place(), move: mv, clean: this.isClean });
  }

  /** @param {StepView} step */
  showStep({ verdict, position, line, left, progress }) {
    const isBrinkmate = this.problem?.kind === "brinkmate";
    this.line = line;
    this.hints = 0;
    this.board.show(position);
    this.board.showArrows([]);
    this.showProgress(progress);
    const isRight = verdict === "right" || verdict === "solved";
    if (verdict === "wrong" || verdict === "longer") this.isClean = false;
    this.isOver = verdict === "solved";
    const text = verdict === "right" ? x("right", left ?? 0) : verdict === "solved" ? (isBrinkmate ? x("solvedBrinkmate") : x("solved"))
      : verdict === "wrong" && isBrinkmate ? x("wrongBrinkmate") : x(verdict);
    this.say(text, isRight ? "good" : "bad");
    this.drawLine();
    announce(text);
    if (this.isOver) this.request({ type: "sets" });
  }

  askForHint() {
    if (this.isOver || !this.problem) return;
    this.isClean = false;
    this.hints++;
    this.request({ type: "hint", ...this.place() });
  }

  /**
   * First the piece that moves, then the move.
   * @param {string} origin
   * @param {MoveView} mv
   */
  showHint(origin, mv) {
    if (this.hints <= 1) {
      this.say(x("hintFrom"), "");
      this.board.select(origin);
    } else {
      this.say(x("hintIs", pick(mv)), "");
      this.board.release();
      this.board.showArrows([{ move: mv.move, kind: "hint" }]);
    }
  }

  askForSolution() {
    if (!this.problem) return;
    this.isClean = false;
    this.request({ type: "solution", ...this.place(), line: [] });
  }

  /**
   * Plays the solution on the board, move by move.
   * @param {MoveView[]} moves
   */
  playSolution(moves) {
    this.again();
    this.isClean = false;
    this.isOver = true;
    this.line = moves;
    this.drawLine();
    let shown = 0;
    const step = () => {
      const mv = moves[shown++];
      if (mv) this.board.showArrows([{ move: mv.move, kind: "hint" }]);
      this.showLine(moves.slice(0, shown - 1).map(({ move }) => move));
      if (shown > moves.length) clearInterval(this.timer);
    };
    step();
    this.timer = setInterval(step, 900);
  }

  /**
   * Shows the position behind some moves, as far as the page can tell it: arrows of the line.
   * @param {string[]} line
   */
  showLine(line) {
    if (!this.problem) return;
    this.app.onPosition = (position) => this.board.show(position);
    this.app.request({ look: { type: "line", sfen: this.problem.position.sfen, line } });
  }

  /** @param {SolvingProgress} progress */
  showProgress({ streak, best, solved, today }) {
    /** @type {[string, number][]} */
    const figures = [[x("streak"), streak], [x("best"), best], [x("today"), today], [x("all"), solved]];
    this.progress.replaceChildren(...figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))));
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    if (key === "n") this.go(1, true);
    else if (key === "p") this.go(-1, false);
    else if (key === "h") this.askForHint();
    else if (key === "r") this.again();
    else if (key === "f") this.board.flip();
    else return false;
    return true;
  }
}
