// The course in shogi itself: tasks on the board, from the king's step to castles.

import { Board, announce } from "./board.js";
import { LESSONS } from "./course-lessons.js";
import { h, s } from "./dom.js";
import { LoadedTab } from "./lazy.js";
import { indexOf } from "./orientation.js";
import { c } from "./texts-course.js";
import { language } from "./texts.js";

/**
 * @typedef {import("./course-lessons.js").Task} Task
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").MoveFacts} MoveFacts
 * @typedef {import("./protocol.js").PositionView} PositionView
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 */

export class CourseTab extends LoadedTab {
  /** @param {App} app */
  constructor(app) {
    super(app);
    /**
     * The lessons that are done.
     * @type {Set<string>}
     */
    this.done = new Set((localStorage.getItem("course-done") ?? "").split(" ").filter(Boolean));
    this.lesson = Math.max(0, LESSONS.findIndex(({ name }) => name === localStorage.getItem("course-lesson")));
    this.task = 0;
    this.isOver = false;
    /** @type {Set<string>} */
    this.stars = new Set();
    this.lastMove = "";
    this.sfen = ""; // the position as the server sent it: the board draws moves before it answers
    this.board = new Board((mv) => this.move(mv));
    this.starLayer = s("g", { class: "stars", "aria-hidden": "true" });
    this.board.svg.append(this.starLayer);
    this.nav = h("nav", { class: "rungs", "aria-label": c("course") });
    this.title = h("h1", {});
    this.count = h("p", { class: "note" });
    this.text = h("p", { class: "idea" });
    this.status = h("p", { class: "result", role: "status" });
    this.next = h("button", { type: "button", class: "main", id: "course-next", onclick: () => this.forward() }, c("next"));
    this.more = h("div", { class: "row" });
    this.element = h("section", { class: "tabpanel course", "aria-label": c("course") }, this.nav,
      h("div", { class: "boardarea" }, this.board.element),
      h("div", { class: "panel" }, this.title, this.count, this.text, this.status,
        h("div", { class: "row" }, this.next, h("button", { type: "button", id: "course-again", onclick: () => this.begin() }, c("again"))), this.more));
    this.begin();
  }

  /** @returns {Task | undefined} */
  current() {
    return LESSONS[this.lesson]?.tasks[this.task];
  }

  /** Shows the task from its first position. */
  begin() {
    const [lesson, task] = [LESSONS[this.lesson], this.current()];
    if (!lesson || !task) return;
    localStorage.setItem("course-lesson", lesson.name);
    this.isOver = false;
    this.stars = new Set(task.stars ?? []);
    const place = language() === "ja" ? 1 : 0;
    this.title.textContent = lesson.title[place];
    this.count.textContent = c("task", this.task + 1, lesson.tasks.length);
    this.text.textContent = task.text[place];
    this.say(this.stars.size ? c("starsLeft", this.stars.size) : "", "");
    this.more.replaceChildren();
    this.next.classList.remove("calls");
    this.drawNav();
    this.drawStars();
    this.app.onPosition = (position) => this.show(position);
    this.app.request({ look: { type: "start", sfen: task.sfen } });
    announce(`${this.title.textContent}. ${this.text.textContent}`);
  }

  drawNav() {
    const place = language() === "ja" ? 1 : 0;
    this.nav.replaceChildren(
      ...LESSONS.map(({ name, title }, number) => h("button", {
        type: "button", class: "rung", "data-lesson": name, "aria-current": String(number === this.lesson), onclick: () => this.open(number),
      }, h("b", {}, this.done.has(name) ? "✓" : String(number + 1)), title[place])),
      h("a", { class: "rung other", href: "#learn" }, c("engines")));
  }

  drawStars() {
    this.starLayer.replaceChildren(...[...this.stars].map((square) => {
      const [x, y] = this.board.centre(indexOf(square));
      return s("text", { x, y: y + 20, "text-anchor": "middle" }, "★");
    }));
  }

  /** @param {number} lesson */
  open(lesson) {
    this.lesson = lesson;
    this.task = 0;
    this.begin();
  }

  /** @param {PositionView} position */
  show(position) {
    this.sfen = position.sfen;
    this.board.show(position);
  }

  /** @param {string} mv */
  move(mv) {
    if (!this.sfen || this.isOver) return;
    this.lastMove = mv;
    this.app.request({ look: { type: "move", sfen: this.sfen, move: mv, solo: true } });
  }

  /**
   * Shows a message of the server.
   * @param {ServerMessage} message
   */
  take(message) {
    if (message.type === "look" && message.what === "move") this.moved(message.position, message.facts);
  }

  /**
   * @param {PositionView} position
   * @param {MoveFacts} facts
   */
  moved(position, facts) {
    const task = this.current();
    if (!task) return;
    this.show(position);
    if (task.stars) {
      this.stars.delete(this.lastMove.slice(2, 4));
      this.drawStars();
      if (this.stars.size) this.say(c("starsLeft", this.stars.size), "");
      else this.finish();
    } else if (task.castle) {
      if (facts.castle?.en === task.castle) this.finish();
    } else if (this.reached(task, facts)) this.finish();
    else {
      this.say(task.goal === "mate" ? c("notMate") : task.goal === "check" ? c("notCheck") : c("notYet"), "bad");
      setTimeout(() => this.current() === task && !this.isOver && this.app.request({ look: { type: "start", sfen: task.sfen } }), 900);
    }
  }

  /**
   * @param {Task} task
   * @param {MoveFacts} facts
   */
  reached({ goal }, facts) {
    switch (goal) {
      case "take": return facts.took;
      case "check": return facts.check;
      case "mate": return facts.mate;
      case "promote": return this.lastMove.endsWith("+");
      case "drop": return this.lastMove[1] === "*";
      default: return true;
    }
  }

  finish() {
    const lesson = LESSONS[this.lesson];
    if (!lesson) return;
    this.isOver = true;
    const isLast = this.task + 1 >= lesson.tasks.length;
    this.say(isLast ? `${c("well")} ${c("lessonDone")}` : c("well"), "good");
    this.next.classList.add("calls");
    if (isLast) {
      this.done.add(lesson.name);
      localStorage.setItem("course-done", [...this.done].join(" "));
      this.drawNav();
      if (LESSONS.every(({ name }) => this.done.has(name))) this.congratulate();
    }
  }

  congratulate() {
    this.more.replaceChildren(h("p", {}, c("allDone")),
      h("a", { class: "button", href: "#play" }, c("play")), h("a", { class: "button", href: "#train" }, c("train")));
  }

  /** Goes to the next task, or to the next lesson. */
  forward() {
    if (this.task + 1 < (LESSONS[this.lesson]?.tasks.length ?? 0)) this.task++;
    else {
      this.lesson = (this.lesson + 1) % LESSONS.length;
      this.task = 0;
    }
    this.begin();
  }

  /**
   * @param {string} text
   * @param {"" | "good" | "bad"} mood
   */
  say(text, mood) {
    this.status.textContent = text;
    this.status.className = `result ${mood}`;
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    if (key === "n") this.forward();
    else if (key === "r") this.begin();
    else return false;
    return true;
  }
}
