// The analysis tab: the engine's lines, the evaluation, the tree of moves.

import { Board, announce } from "./board.js";
import { batched, h, textButton } from "./dom.js";
import { openEditor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { acceptDrops, askForFormat, askForRecord, share } from "./files.js";
import { MoveList, nodeName, stepped, stepper, valueName, valueSign, winningChance } from "./game-view.js";
import { Graph } from "./graph.js";
import { askForGame } from "./play.js";
import { colorName, pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").AnalyseMessage} AnalyseMessage
 * @typedef {import("./protocol.js").AnalyseRequest} AnalyseRequest
 * @typedef {import("./protocol.js").ColorLetter} ColorLetter
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
    this.board = new Board((mv) => this.request({ type: "move", move: mv }));
    this.barFill = h("div", { class: "barfill" });
    this.barText = h("span", { class: "bartext" });
    this.bar = h("div", { class: "bar", role: "img" }, this.barFill, this.barText);
    this.moves = new MoveList(this.game, (node) => this.goTo(node));
    this.graph = new Graph(this.game, (node) => this.goTo(node));
    this.engine = h("button", { type: "button", class: "switch", role: "switch", id: "engine", onclick: () => this.setEngine(!this.message?.thinking) }, t("think"));
    this.count = h("select", { id: "lines", "aria-label": t("lines"), onchange: () => this.setEngine(Boolean(this.message?.thinking)) },
      [1, 2, 3, 4, 5, 8].map((count) => h("option", { value: count }, String(count))));
    this.speed = h("span", { class: "speed" });
    this.lines = h("ol", { class: "lines", "aria-label": t("lines") });
    this.analyseGame = h("button", { type: "button", id: "analyse-game", onclick: () => this.toggleGameAnalysis() }, t("analyseWholeGame"));
    this.each = h("select", { id: "each", "aria-label": t("perMove") }, [["100", "0.1 s"], ["300", "0.3 s"], ["1000", "1 s"], ["3000", "3 s"], ["10000", "10 s"]].map(([value, name]) => h("option", { value, selected: value === "300" }, `${name} ${t("perMove")}`)));
    this.progress = h("progress", { max: 1, value: 0, hidden: true });
    this.progressText = h("span", { class: "info" });
    this.comment = h("textarea", { class: "comment", rows: 2, placeholder: t("comment"), "aria-label": t("comment"), maxlength: 4000,
      onchange: () => this.request({ type: "comment", node: this.game.at, text: this.comment.value }) });
    this.explorer = new Explorer(app, (mv) => this.request({ type: "move", move: mv }));
    /** @type {import("./lookout.js").Lookout | null} */
    this.lookout = null;
    this.lookoutPlace = h("div");
    this.loadLookout();
    this.summary = h("p", { class: "note" });
    /** @param {RecordSource} record */
    const load = (record) => this.request({ type: "load", record });
    this.element = h("section", { class: "tabpanel analyse", "aria-label": t("analyse") },
      h("div", { class: "barboard" }, this.bar, this.board.element),
      h("div", { class: "panel" },
        h("div", { class: "row" },
          textButton("open", () => askForRecord(app, load), { class: "main", id: "open" }),
          textButton("edit", () => this.withPosition((current) => openEditor(current, (sfen) => this.request({ type: "set-position", sfen })))),
          textButton("save", () => askForFormat(app, "analyse")),
          textButton("share", () => share(app, "analyse")),
          textButton("flip", () => this.board.flip())),
        h("div", { class: "row spread" }, h("div", { class: "row" }, this.engine, h("label", { class: "inline" }, t("lines"), this.count)), this.speed),
        this.lines,
        this.graph.element,
        h("div", { class: "row" }, this.analyseGame, this.each, this.progress, this.progressText),
        this.summary,
        this.moves.element,
        this.explorer.element,
        this.lookoutPlace,
        h("div", { class: "row spread" }, stepper((steps) => this.step(steps)),
          h("div", { class: "row" },
            textButton("promoteLine", () => this.request({ type: "promote", node: this.game.at })),
            textButton("removeLine", () => this.request({ type: "remove", node: this.game.at })))),
        this.comment,
        h("div", { class: "row" },
          textButton("playFromHere", () => this.withPosition((sfen) => askForGame(app, sfen))),
          textButton("solveThis", () => this.withPosition((sfen) => app.solve(sfen))))));
    acceptDrops(app, this.element, load);
    this.drawLive = batched(() => this.drawLines());
  }

  close() {}

  /** Loads what is said about a position on demand. */
  async loadLookout() {
    const { Lookout } = await import("./lookout.js");
    this.lookout = new Lookout(this.app, this.board);
    this.lookoutPlace.append(this.lookout.element);
    if (this.message) this.lookout.look(this.message.position.sfen);
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

  toggleGameAnalysis() {
    if (this.message?.gameAnalysis) this.request({ type: "stop-analysing-game" });
    else this.request({ type: "analyse-game", millis: Number(this.each.value) });
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
    else if (key === "e") this.setEngine(!this.message?.thinking);
    else if (key === ",") this.step(-1);
    else if (key === ".") this.step(1);
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

  /**
   * Shows a message of the server.
   * @param {AnalyseMessage} message
   * @param {number[]} changed the nodes of the game that changed
   */
  receive(message, changed) {
    const before = this.message;
    this.message = message;
    this.board.show(message.position);
    this.explorer.look(message.position.sfen);
    this.lookout?.look(message.position.sfen);
    this.moves.update(changed);
    this.graph.draw();
    this.engine.setAttribute("aria-checked", String(message.thinking));
    this.count.value = String(message.lines);
    const node = this.game.current();
    if (document.activeElement !== this.comment) this.comment.value = node?.comment ?? "";
    const { gameAnalysis } = message;
    this.progress.hidden = !gameAnalysis;
    this.analyseGame.textContent = t(gameAnalysis ? "stopAnalysing" : "analyseWholeGame");
    this.progressText.textContent = gameAnalysis ? t("positionsDone", gameAnalysis.done, gameAnalysis.total) : "";
    if (gameAnalysis) this.progress.value = gameAnalysis.done / gameAnalysis.total;
    this.drawSummary();
    this.drawLive();
    if (before && node && before.position.sfen !== message.position.sfen) announce(nodeName(node));
  }

  /** Counts the slips of both sides. */
  drawSummary() {
    /** @param {ColorLetter} color */
    const counts = (color) => {
      const count = { dubious: 0, mistake: 0, blunder: 0 };
      for (const [id, grade] of this.game.slips) {
        // Only the Japanese name of a move says whose it is.
        const isBlack = this.game.nodes[id]?.ja.startsWith("▲");
        if (isBlack === (color === "b")) count[grade]++;
      }
      return h("span", {}, t("slips", colorName(color), count.dubious, count.mistake, count.blunder));
    };
    this.summary.hidden = this.game.slips.size === 0;
    this.summary.replaceChildren(counts("b"), counts("w"));
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
    const ideas = this.message?.thinking ? lines.slice(0, 3).flatMap((line) => line.moves.slice(0, 1)) : [];
    this.board.showArrows(ideas.map(({ move }) => ({ move })));
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
    this.bar.setAttribute("aria-label", text);
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
