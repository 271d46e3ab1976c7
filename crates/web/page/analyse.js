// The analysis tab: the engine's lines, the evaluation, the tree of moves.

import { Board, announce } from "./board.js";
import { confirmed } from "./confirm.js";
import { batched, h, menu, toolButton } from "./dom.js";
import { openEditor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { acceptDrops, askForFormat, askForRecord, openShare } from "./files.js";
import { MoveList, nodeName, stepper, valueName, valueSign, winningChance } from "./game-view.js";
import { Graph } from "./graph.js";
import { askForGame } from "./new-game.js";
import { ReviewPanel } from "./review.js";
import { STEP_KEYS, Stepping } from "./stepping.js";
import { colorName, pick, setHandicap, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").AnalyseMessage} AnalyseMessage
 * @typedef {import("./protocol.js").AnalyseRequest} AnalyseRequest
 * @typedef {import("./protocol.js").LineView} LineView
 * @typedef {import("./protocol.js").LiveMessage} LiveMessage
 * @typedef {import("./protocol.js").MoveView} MoveView
 * @typedef {import("./protocol.js").RecordSource} RecordSource
 */

export class AnalyseTab {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.game = app.games.analyse;
    /** @type {AnalyseMessage | null} */
    this.message = null;
    /** @type {LiveMessage | null} */
    this.live = null;
    this.stepping = new Stepping(this.game, (node) => this.request({ type: "go-to", node }));
    this.review = new ReviewPanel(this);
    this.board = new Board((mv) => this.review.takes(mv) || this.request({ type: "move", move: mv }));
    this.barFill = h("div", { class: "barfill" });
    this.barText = h("span", { class: "bartext" });
    this.bar = h("div", { class: "bar", role: "img", "aria-label": t("noEvaluation") }, this.barFill, this.barText);
    this.moves = new MoveList(this.game, (node) => this.goTo(node));
    this.graph = new Graph(this.game, (node) => this.goTo(node));
    this.engine = h("button", { type: "button", class: "switch", role: "switch", id: "engine", onclick: () => this.setEngine(!this.message?.thinking) }, t("think"));
    this.count = h("select", { id: "lines", "aria-label": t("lines"), onchange: () => this.setEngine(Boolean(this.message?.thinking)) },
      [1, 2, 3, 4, 5, 8].map((count) => h("option", { value: count }, String(count))));
    this.speed = h("span", { class: "speed" });
    this.lines = h("ol", { class: "lines", "aria-label": t("lines") });
    this.comment = h("textarea", { class: "comment", rows: 2, placeholder: t("comment"), "aria-label": t("comment"), maxlength: 4000, oninput: () => this.sendComment() });
    this.explorer = new Explorer(app, (mv) => this.request({ type: "move", move: mv }));
    /** @type {import("./position-facts.js").PositionFacts | null} */
    this.facts = null;
    this.factsPlace = h("div");
    this.loadFacts();
    /** @param {RecordSource} record */
    const load = (record) => app.loadStudy(record);
    this.element = h("section", { class: "tabpanel analyse", "aria-label": t("analyse") },
      h("h1", { class: "unseen" }, t("analyse")),
      h("div", { class: "boardarea" }, h("div", { class: "barboard" }, this.bar, this.board.element)),
      h("div", { class: "panel" },
        this.toolbar(load),
        h("div", { class: "row spread" }, h("div", { class: "row" }, this.engine, h("label", { class: "inline" }, t("lines"), this.count)), this.speed),
        this.lines,
        this.graph.element,
        this.review.element,
        h("h2", { class: "unseen" }, t("moves")),
        this.moves.element,
        this.explorer.element,
        this.factsPlace,
        h("div", { class: "row spread toolbar" }, stepper((steps) => this.step(steps)),
          h("div", { class: "row" },
            toolButton("up", "promoteLine", () => this.request({ type: "promote", node: this.game.at })),
            toolButton("trash", "removeLine", () => this.remove(), { class: "danger" }))),
        this.comment));
    this.board.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.step(Math.sign(event.deltaY));
    }, { passive: false });
    acceptDrops(app, this.element, load);
    this.drawLive = batched(() => this.drawLines());
  }

  close() {}

  /**
   * The buttons for the game as a whole.
   * @param {(record: RecordSource) => void} load
   */
  toolbar(load) {
    const { app } = this;
    return h("div", { class: "row toolbar" },
      toolButton("folder", "open", () => askForRecord(app, load), { class: "main", id: "open" }),
      toolButton("pencil", "edit", () => this.withPosition((current) => openEditor(current, (sfen) => app.replaceStudy({ type: "set-position", sfen, replace: false })))),
      toolButton("save", "save", () => askForFormat(app, "analyse")),
      toolButton("share", "share", () => openShare(app, "analyse")),
      toolButton("flip", "flip", () => this.flip()),
      menu(t("more"),
        toolButton("crown", "playFromHere", () => this.withPosition((sfen) => askForGame(app, sfen))),
        toolButton("bulb", "solveThis", () => this.withPosition((sfen) => app.solve(sfen)))));
  }

  flip() {
    this.board.flip();
    this.drawPlates();
    this.drawLive();
  }

  /** Removes the move that is shown and everything behind it, after a question. */
  remove() {
    const { at, nodes } = this.game;
    if (at === 0) return;
    /** @type {(id: number) => number} */
    const size = (id) => (nodes[id]?.children ?? []).reduce((sum, child) => sum + size(child), 1);
    confirmed(t("removeSure", size(at) - 1), "removeThis", () => this.request({ type: "remove", node: at }));
  }

  /** Sends a comment while it is written, and keeps it here until the server has it. */
  sendComment() {
    const draft = { node: this.game.at, text: this.comment.value };
    localStorage.setItem("draft", JSON.stringify(draft));
    this.request({ type: "comment", ...draft });
  }

  /** Sends a comment again that a page wrote and the server never got. */
  resendDraft() {
    const stored = localStorage.getItem("draft");
    if (!stored) return;
    localStorage.removeItem("draft");
    try {
      const { node, text } = JSON.parse(stored);
      const known = this.game.nodes[node];
      if (known && typeof text === "string" && known.comment !== text) this.request({ type: "comment", node, text });
    } catch {
      // An entry that is not ours.
    }
  }

  /** Loads what is said about a position on demand. */
  async loadFacts() {
    const { PositionFacts } = await import("./position-facts.js");
    this.facts = new PositionFacts(this.app, this.board);
    this.factsPlace.append(this.facts.element);
    if (this.message) this.facts.look(this.message.position.sfen);
  }

  /** @param {AnalyseRequest} request */
  request(request) {
    this.app.request({ analyse: request });
  }

  /**
   * Does something with the position that is shown, once there is one.
   * @param {(sfen: string) => void} act
   */
  withPosition(act) {
    if (this.message) act(this.message.position.sfen);
  }

  /** @param {boolean} on */
  setEngine(on) {
    this.request({ type: "set-engine", on, lines: Number(this.count.value) });
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
    if (key === "f") this.flip();
    else if (key === "e") this.setEngine(!this.message?.thinking);
    else if (key === "n") this.review.goToSlip(1);
    else if (key === "p") this.review.goToSlip(-1);
    else if (steps !== undefined) this.step(steps);
    else return false;
    return true;
  }

  /**
   * Shows what the engine says.
   * @param {LiveMessage} live
   * @param {number[]} changed the nodes of the game that changed
   */
  receiveLive(live, changed) {
    this.live = live;
    this.moves.update(changed);
    if (changed.length) this.graph.draw();
    this.drawLive();
  }

  /** @param {import("./protocol.js").ReviewMessage} review */
  receiveReview(review) {
    this.review.receive(review);
    this.moves.update([]);
    this.graph.draw();
    this.drawLive();
  }

  /**
   * Shows a message of the server.
   * @param {AnalyseMessage} message
   * @param {number[]} changed the nodes of the game that changed
   */
  receive(message, changed) {
    const before = this.message;
    this.message = message;
    setHandicap(this.game.isHandicap);
    if (!before) this.resendDraft();
    this.board.show(message.position);
    this.drawPlates();
    this.explorer.look(message.position.sfen);
    this.facts?.look(message.position.sfen);
    this.moves.update(changed);
    this.graph.draw();
    this.engine.setAttribute("aria-checked", String(message.thinking));
    this.count.value = String(message.lines);
    const node = this.game.current();
    // What is being written stays, unless another move is shown.
    const isOther = this.comment.dataset.node !== String(this.game.at);
    if (isOther || document.activeElement !== this.comment) this.comment.value = node?.comment ?? "";
    this.comment.dataset.node = String(this.game.at);
    this.stepping.shown(this.game.at);
    this.review.show(message);
    this.drawLive();
    if (before && node && before.position.sfen !== message.position.sfen) announce(nodeName(node));
  }

  /** Writes the names of the players beside the board. */
  drawPlates() {
    for (const place of /** @type {const} */ (["top", "bottom"])) {
      const color = this.board.orientation[place];
      const name = this.game.players[color === "b" ? 0 : 1];
      const { element, name: field } = this.board.plates[place];
      field.replaceChildren(h("span", { class: "side" }, `${color === "b" ? "☗" : "☖"} ${colorName(color)}`), h("span", { class: "who" }, name));
      element.classList.toggle("turn", this.message?.position.turn === color);
    }
  }

  /** The engine's lines for the position that is shown. */
  currentLines() {
    return this.live && this.live.node === this.game.at ? this.live.lines : [];
  }

  drawLines() {
    const lines = this.currentLines();
    const node = this.game.current();
    const best = lines[0];
    const value = best ? best.value : node?.value;
    this.drawBar(value, best ? best.mate : node?.mate);
    this.fillLines(lines);
    this.speed.textContent = best ? `${t("depth", best.depth)} · ${t("nodesPerSecond", short((best.nodes / Math.max(best.millis, 1)) * 1000))}` : "";
    const ideas = this.message?.thinking && !this.review.trying ? lines.slice(0, 3).flatMap((line) => line.moves.slice(0, 1)) : [];
    const better = this.review.arrows();
    this.board.showArrows(better.length ? better : ideas.map(({ move }) => ({ move })));
  }

  /**
   * Writes the lines into the elements that are there: a button that is about to be clicked stays.
   * @param {LineView[]} lines
   */
  fillLines(lines) {
    while (this.lines.children.length > lines.length) this.lines.lastElementChild?.remove();
    while (this.lines.children.length < lines.length) this.lines.append(h("li", {}, h("span", { class: "score" }), h("span", { class: "pv" })));
    lines.forEach((line, rank) => {
      const [score, moves] = this.lines.children[rank]?.children ?? [];
      if (!score || !moves) return;
      score.className = `score ${line.value >= 0 ? "good" : "bad"}`;
      score.textContent = (line.bound === "=" ? "" : line.bound) + valueName(line.value, line.mate);
      while (moves.children.length > line.moves.length) moves.lastElementChild?.remove();
      while (moves.children.length < line.moves.length) {
        const place = moves.children.length;
        moves.append(h("button", { type: "button", class: "pvmove", onclick: () => this.follow(this.live?.lines[rank]?.moves ?? [], place) }));
      }
      line.moves.forEach((mv, place) => {
        const element = moves.children[place];
        if (element && element.textContent !== pick(mv)) element.textContent = pick(mv);
      });
    });
  }

  /**
   * Plays a line of the engine up to a move.
   * @param {MoveView[]} moves
   * @param {number} place
   */
  follow(moves, place) {
    for (const { move } of moves.slice(0, place + 1)) this.request({ type: "move", move });
  }

  /**
   * Shows an evaluation for Black as a bar.
   * @param {number | undefined} value
   * @param {number | null | undefined} mate
   */
  drawBar(value, mate) {
    const chance = value === undefined ? 0.5 : winningChance(value);
    this.barFill.style.height = `${(chance * 100).toFixed(1)}%`;
    this.bar.classList.toggle("flipped", this.board.orientation.flipped);
    const text = value === undefined ? "" : valueSign(value, mate);
    this.barText.textContent = text;
    this.bar.setAttribute("aria-label", text || t("noEvaluation"));
  }
}

/**
 * A large number in few characters.
 * @param {number} count
 */
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(0)}k`;
  return String(Math.round(count));
}
