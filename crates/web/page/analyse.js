// Analysing: the engine's lines, the evaluation, the tree of moves.

import { h, batched } from "./dom.js";
import { Board, announce } from "./board.js";
import { openEditor } from "./editor.js";
import { askForFormat, askForRecord, readFile, share } from "./files.js";
import { Graph } from "./graph.js";
import { MoveList, chance, nodeName, stepped, stepper, valueName, valueSign } from "./sheet.js";
import { language, t } from "./words.js";
import { askForGame } from "./play.js";

export class Analyse {
  constructor(app) {
    this.app = app;
    this.sheet = app.sheets.study;
    this.board = new Board((mv) => app.wish({ do: "try", move: mv }));
    this.bar = h("div", { class: "bar", role: "img" }, h("div", { class: "barfill" }), h("span", { class: "bartext" }));
    this.moves = new MoveList(this.sheet, (node) => this.go(node));
    this.graph = new Graph(this.sheet, (node) => this.go(node));
    const button = (word, act, extra) => h("button", { type: "button", onclick: act, "data-word": word, ...extra }, t(word));
    this.engine = h("button", { type: "button", class: "switch", role: "switch", id: "engine", onclick: () => this.think(!this.last?.thinking) }, t("think"));
    this.count = h("select", { id: "lines", "aria-label": t("lines"), onchange: () => this.think(this.last?.thinking) },
      [1, 2, 3, 4, 5, 8].map((count) => h("option", { value: count }, String(count))));
    this.speed = h("span", { class: "speed" });
    this.lines = h("ol", { class: "lines", "aria-label": t("lines") });
    this.judge = h("button", { type: "button", id: "judge", onclick: () => this.judgeGame() }, t("judge"));
    this.each = h("select", { id: "each", "aria-label": t("perMove") }, [["100", "0.1 s"], ["300", "0.3 s"], ["1000", "1 s"], ["3000", "3 s"], ["10000", "10 s"]].map(([value, name]) => h("option", { value, selected: value === "300" }, `${name} ${t("perMove")}`)));
    this.progress = h("progress", { max: 1, value: 0, hidden: true });
    this.told = h("span", { class: "told" });
    this.comment = h("textarea", { class: "comment", rows: 2, placeholder: t("comment"), "aria-label": t("comment"), maxlength: 4000,
      onchange: () => app.wish({ do: "comment", node: this.sheet.at, text: this.comment.value }) });
    this.summary = h("p", { class: "note" });
    const load = (what) => app.wish({ do: "load", ...what });
    this.element = h("section", { class: "corner analyse", "aria-label": t("analyse") },
      h("div", { class: "barboard" }, this.bar, this.board.element),
      h("div", { class: "panel" },
        h("div", { class: "row" },
          button("open", () => askForRecord(load, (text) => app.sorry(text)), { class: "main", id: "open" }),
          button("edit", () => openEditor(this.last.position.sfen, (sfen) => app.wish({ do: "set-up", sfen }))),
          button("save", () => askForFormat(app, "study")),
          button("share", () => share(app, "study")),
          button("flip", () => this.board.flip())),
        h("div", { class: "row spread" }, h("div", { class: "row" }, this.engine, h("label", { class: "inline" }, t("lines"), this.count)), this.speed),
        this.lines,
        this.graph.element,
        h("div", { class: "row" }, this.judge, this.each, this.progress, this.told),
        this.summary,
        this.moves.element,
        h("div", { class: "row spread" }, stepper((steps) => this.go(stepped(this.sheet, this.sheet.at, steps))),
          h("div", { class: "row" },
            button("promoteLine", () => app.wish({ do: "promote", node: this.sheet.at })),
            button("removeLine", () => app.wish({ do: "remove", node: this.sheet.at })))),
        this.comment,
        h("div", { class: "row" },
          button("playFromHere", () => askForGame(app, this.last.position.sfen)),
          button("solveThis", () => app.solve(this.last.position.sfen)))));
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      const text = event.dataTransfer.getData("text");
      if (file) readFile(file, load, (text) => app.sorry(text));
      else if (text) load({ text });
    });
    this.drawLive = batched(() => this.drawLines());
  }

  close() {}

  think(on) {
    this.app.wish({ do: "think", on: Boolean(on), lines: Number(this.count.value) });
  }

  judgeGame() {
    if (this.last?.judging) this.app.wish({ do: "stop-judging" });
    else this.app.wish({ do: "judge", millis: Number(this.each.value) });
  }

  go(node) {
    if (node !== undefined && node !== this.sheet.at) this.app.wish({ do: "go", node });
  }

  step(steps) {
    this.go(stepped(this.sheet, this.sheet.at, steps));
  }

  key(key) {
    if (key === "f") this.board.flip();
    else if (key === "e") this.think(!this.last?.thinking);
    else if (key === ",") this.step(-1);
    else if (key === ".") this.step(1);
    else return false;
    return true;
  }

  hear(news, changed) {
    if (news.is === "live") {
      this.live = news;
      this.moves.update(changed);
      if (changed.length) this.graph.draw();
      this.drawLive();
      return;
    }
    const before = this.last;
    this.last = news;
    this.board.show(news.position);
    this.moves.update(changed);
    this.graph.draw();
    this.engine.setAttribute("aria-checked", String(news.thinking));
    this.count.value = String(news.lines);
    if (document.activeElement !== this.comment) this.comment.value = this.sheet.nodes[this.sheet.at]?.comment ?? "";
    const { judging } = news;
    this.progress.hidden = !judging;
    this.judge.textContent = t(judging ? "stopJudging" : "judge");
    this.told.textContent = judging ? t("judged", judging[0], judging[1]) : "";
    if (judging) this.progress.value = judging[0] / judging[1];
    this.drawSummary();
    this.drawLive();
    if (before && before.position.sfen !== news.position.sfen) announce(nodeName(this.sheet.nodes[this.sheet.at]));
  }

  drawSummary() {
    const counts = { b: [0, 0, 0], w: [0, 0, 0] };
    for (const [id, grade] of this.sheet.slips) {
      const name = this.sheet.nodes[id]?.ja ?? "";
      counts[name.startsWith("▲") ? "b" : "w"][["dubious", "mistake", "blunder"].indexOf(grade)]++;
    }
    const any = this.sheet.slips.size > 0;
    this.summary.hidden = !any;
    this.summary.replaceChildren(...["b", "w"].map((color) => h("span", {}, t("slips", t(color === "b" ? "black" : "white"), ...counts[color]))));
  }

  drawLines() {
    const isHere = this.live && this.live.node === this.sheet.at && this.live.lines.length > 0;
    const lines = isHere ? this.live.lines : [];
    const node = this.sheet.nodes[this.sheet.at];
    const best = lines[0];
    const value = best ? best.value : node?.value;
    this.drawBar(value, best ? best.mate : node?.mate);
    this.fillLines(lines);
    this.speed.textContent = best ? `${t("depth", best.depth)} · ${t("nodesPerSecond", short((best.nodes / Math.max(best.millis, 1)) * 1000))}` : "";
    const isThinking = this.last?.thinking;
    this.board.point(isHere && isThinking ? lines.slice(0, 3).filter((line) => line.moves[0]).map((line) => ({ move: line.moves[0].move })) : []);
  }

  /// Writes the lines into the elements that are there: what somebody is about to click stays.
  fillLines(lines) {
    while (this.lines.children.length > lines.length) this.lines.lastChild.remove();
    while (this.lines.children.length < lines.length) this.lines.append(h("li", {}, h("span", { class: "score" }), h("span", { class: "pv" })));
    lines.forEach((line, rank) => {
      const [score, moves] = this.lines.children[rank].children;
      score.className = `score ${line.value >= 0 ? "good" : "bad"}`;
      score.textContent = (line.bound === "=" ? "" : line.bound) + valueName(line.value, line.mate);
      while (moves.children.length > line.moves.length) moves.lastChild.remove();
      while (moves.children.length < line.moves.length) {
        const place = moves.children.length;
        moves.append(h("button", { type: "button", class: "pvmove", onclick: () => this.follow(this.live.lines[rank].moves, place) }));
      }
      line.moves.forEach((mv, place) => {
        const name = language() === "ja" ? mv.ja : mv.en;
        if (moves.children[place].textContent !== name) moves.children[place].textContent = name;
      });
    });
  }

  /// Plays a line of the engine up to a move.
  follow(moves, place) {
    for (const { move } of moves.slice(0, place + 1)) this.app.wish({ do: "try", move });
  }

  drawBar(value, mate) {
    const share = value === undefined ? 0.5 : chance(value);
    this.bar.firstChild.style.height = `${(share * 100).toFixed(1)}%`;
    this.bar.classList.toggle("flipped", this.board.flipped);
    const text = value === undefined ? "" : valueSign(value, mate);
    this.bar.lastChild.textContent = text;
    this.bar.setAttribute("aria-label", text);
  }
}

/// A large number in few signs.
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(0)}k`;
  return String(Math.round(count));
}
