// Mate problems: set, solve, walk through every defence.

import { h } from "./dom.js";
import { short } from "./analyse.js";
import { Board, announce } from "./board.js";
import { openEditor } from "./editor.js";
import { askForFormat, askForRecord, readFile } from "./files.js";
import { MoveList, nodeName, stepped, stepper } from "./sheet.js";
import { t } from "./words.js";

export class Solve {
  constructor(app) {
    this.app = app;
    this.sheet = app.sheets.problem;
    this.board = new Board((mv) => app.wish({ do: "answer", move: mv }));
    this.moves = new MoveList(this.sheet, (node) => this.go(node));
    const button = (word, act, extra) => h("button", { type: "button", onclick: act, "data-word": word, ...extra }, t(word));
    const pose = (what) => app.wish({ do: "pose", ...what });
    this.solve = button("solveIt", () => app.wish({ do: this.last?.solving ? "stop-solving" : "solve" }), { class: "main", id: "solve" });
    this.defences = button("defences", () => app.wish({ do: "defences" }), { id: "defences" });
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.detail = h("p", { class: "note" });
    this.element = h("section", { class: "corner solve", "aria-label": t("solve") },
      h("div", { class: "barboard" }, this.board.element),
      h("div", { class: "panel" },
        h("div", { class: "row" },
          button("pose", () => askForRecord(pose, (text) => app.sorry(text)), { id: "pose" }),
          button("edit", () => openEditor(this.last.position.sfen, (text) => pose({ text }))),
          button("save", () => askForFormat(app, "problem")),
          button("flip", () => this.board.flip())),
        h("div", { class: "row" }, this.solve, this.defences),
        this.verdict, this.detail,
        this.moves.element,
        h("div", { class: "row spread" }, stepper((steps) => this.step(steps))),
        h("p", { class: "note" }, t("defenceHint"))));
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      if (file) readFile(file, pose, (text) => app.sorry(text));
    });
  }

  close() {}

  go(node) {
    if (node !== this.sheet.at) this.app.wish({ do: "step", node });
  }

  step(steps) {
    this.go(stepped(this.sheet, this.sheet.at, steps));
  }

  key(key) {
    if (key === "f") this.board.flip();
    else if (key === ",") this.step(-1);
    else if (key === ".") this.step(1);
    else return false;
    return true;
  }

  hear(news, changed) {
    const before = this.last;
    this.last = news;
    const { position, verdict, solving, progress, attacker } = news;
    if (!before && attacker === "w" && !this.board.flipped) this.board.flip();
    this.board.show(position);
    this.moves.update(changed);
    this.solve.textContent = t(solving ? "stop" : "solveIt");
    this.defences.disabled = solving;
    this.defences.textContent = t(position.turn === attacker ? "findMate" : "defences");
    const side = t(attacker === "b" ? "black" : "white");
    let text = t("notSolved");
    let detail = t("attackerIs", side);
    if (solving) {
      text = t("solving");
      if (progress) detail = t("progress", short(progress.nodes), Math.round(progress.millis / 1000), progress.depth);
    } else if (verdict) {
      const { found, plies, shortest, counted, surplus, nodes } = verdict;
      text = found === "mate" ? t(shortest ? "solved" : "solvedLong", plies) : t(found === "no-mate" ? "noMate" : "unknown");
      const parts = [t("attackerIs", side), t("nodesTold", short(nodes))];
      if (found === "mate" && counted !== plies) parts.push(t("counted", counted));
      if (found === "mate" && surplus > 0) parts.push(t("surplus", surplus));
      detail = parts.join(" · ");
    }
    this.verdict.textContent = text;
    this.verdict.classList.toggle("found", Boolean(verdict) && !solving);
    this.detail.textContent = detail;
    if (before && before.position.sfen !== position.sfen) announce(nodeName(this.sheet.nodes[this.sheet.at]));
  }
}
