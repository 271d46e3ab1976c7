// The tab with the course: a search, step by step, on a tree that unfolds as it is searched.

import { announce } from "./board.js";
import { h, iconButton, s } from "./dom.js";
import { pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").LessonMessage} LessonMessage
 * @typedef {import("./protocol.js").TracedNodeView} TracedNodeView
 * @typedef {{ rung: string, kind: "drawn" | "real", tree: string | null, sfen: string | null, depth: number, guess: number }} LessonChoices
 * @typedef {{ kind: "enter" | "answer" | "cut", id: number }} SearchEvent
 * @typedef {{ alpha: number, beta: number, value: number | null, best: number | null, cut: boolean }} NodeState
 */

/**
 * A node of the drawing, a branch that was cut, or branches that are not drawn.
 * @typedef {object} Drawn
 * @property {"node" | "cut" | "more"} kind
 * @property {number} id its place in the trace, or that of the node that the branch belongs to
 * @property {number} depth
 * @property {Drawn[]} below
 * @property {Drawn} [above]
 * @property {number} x
 * @property {number} y
 * @property {boolean} [folded]
 * @property {number} [count]
 * @property {string} [name]
 * @property {boolean} [first]
 */

const FIRST_POSITION = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

const WIDE = 74;
const HIGH = 104;
const MOST_SHOWN = 9; // branches of one node that are drawn at a time

/**
 * A value in words.
 * @param {number} points
 */
function number(points) {
  if (points >= 32001) return "+∞";
  if (points <= -32001) return "−∞";
  return points < 0 ? `−${-points}` : String(points);
}

export class LearnTab {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {LessonMessage | null} */
    this.lesson = null;
    /** @type {SearchEvent[]} */
    this.events = [];
    /** @type {number[][]} */
    this.children = [];
    this.step = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Set<number>} */
    this.folded = new Set();
    /** @type {Set<number>} */
    this.unfolded = new Set();
    /** @type {LessonChoices} */
    this.choices = { rung: "minimax", kind: "drawn", tree: null, sfen: null, depth: 2, guess: 70 };
    try {
      Object.assign(this.choices, JSON.parse(localStorage.getItem("lesson") ?? "{}"));
    } catch {
      // An entry that is not ours: the course begins with the first lesson.
    }
    this.nav = h("nav", { class: "rungs", "aria-label": t("rung") });
    this.toCourse = h("a", { class: "rung other", href: "#course" }, t("toCourse"));
    this.title = h("h1", {});
    this.idea = h("p", { class: "idea" });
    this.result = h("p", { class: "note" });
    this.picture = h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": t("tree") });
    this.explanation = h("p", { class: "explanation", role: "status" });
    this.slider = h("input", { type: "range", min: 0, value: 0, class: "wide", id: "step", "aria-label": t("step", 0, 0), oninput: () => this.to(Number(this.slider.value)) });
    this.count = h("span", { class: "info" });
    this.run = h("button", { type: "button", class: "main", id: "run", onclick: () => this.toggle() }, t("playSteps"));
    /**
     * @param {"first" | "previous" | "next" | "last"} drawing
     * @param {"first" | "back" | "forward" | "last"} text
     * @param {() => void} act
     */
    const icon = (drawing, text, act) => iconButton(drawing, t(text), act, { "data-text": text });
    this.kind = h("select", { id: "kind", "aria-label": t("tree"), onchange: () => this.ask({ kind: this.kind.value === "real" ? "real" : "drawn" }) },
      h("option", { value: "drawn" }, t("drawnTree")), h("option", { value: "real" }, t("realPosition")));
    this.tree = h("input", { class: "wide", id: "tree", spellcheck: "false", "aria-label": t("tree"), onchange: () => this.ask(this.choices.kind === "real" ? { sfen: this.tree.value } : { tree: this.tree.value }) });
    this.depth = h("input", { type: "number", id: "depth", min: 1, max: 3, value: this.choices.depth, onchange: () => this.ask({ depth: Number(this.depth.value) }) });
    this.guess = h("input", { type: "number", id: "guess", min: -30000, max: 30000, value: this.choices.guess, onchange: () => this.ask({ guess: Number(this.guess.value) }) });
    this.rows = {
      depth: h("label", { class: "inline" }, t("depthLabel"), this.depth),
      guess: h("label", { class: "inline" }, t("guess"), this.guess),
    };
    this.code = h("code", {});
    this.questions = h("div", { class: "questions" });
    this.legend = h("p", { class: "note" });
    this.element = h("section", { class: "tabpanel learn", "aria-label": t("learn") },
      this.nav,
      h("article", {},
        this.title, this.idea,
        h("div", { class: "row" }, this.kind, this.rows.depth, this.rows.guess, this.tree),
        h("div", { class: "stage" },
          this.picture, this.explanation,
          h("div", { class: "row" }, icon("first", "first", () => this.to(0)), icon("previous", "back", () => this.to(this.step - 1)), this.run, icon("next", "forward", () => this.to(this.step + 1)), icon("last", "last", () => this.to(Infinity)), this.slider, this.count)),
        this.result, this.legend,
        h("p", { class: "note" }, `${t("clickTree")} ${t("stopsAt")}`),
        h("details", { open: innerWidth > 900 }, h("summary", {}, t("code")), h("pre", {}, this.code)),
        this.questions));
    this.ask({});
  }

  close() {
    clearInterval(this.timer);
  }

  /**
   * Asks for another lesson.
   * @param {Partial<LessonChoices>} change
   */
  ask(change) {
    if (change.kind) this.tree.value = "";
    Object.assign(this.choices, change);
    localStorage.setItem("lesson", JSON.stringify(this.choices));
    const { rung, kind, tree, sfen, depth, guess } = this.choices;
    this.app.request({ learn: {
      type: "lesson",
      rung,
      guess: Number(guess) || 0,
      root: kind === "real" ? { position: { sfen: sfen || FIRST_POSITION, depth: Number(depth) || 1 } } : { tree: tree || null },
    } });
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    if (key === ",") this.to(this.step - 1);
    else if (key === ".") this.to(this.step + 1);
    else return false;
    return true;
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else {
      if (this.step >= this.events.length) this.to(0);
      this.timer = setInterval(() => {
        this.to(this.step + 1);
        if (this.step >= this.events.length) this.toggle();
      }, 700);
    }
    this.run.textContent = t(this.timer ? "pauseSteps" : "playSteps");
  }

  /**
   * Shows a lesson.
   * @param {LessonMessage} lesson
   */
  receive(lesson) {
    this.lesson = lesson;
    if (this.timer) this.toggle();
    this.choices.rung = lesson.rung;
    this.nav.replaceChildren(this.toCourse, ...lesson.rungs.map(({ name, title }, place) => h("button", { type: "button", class: "rung", "data-rung": name, "aria-current": String(name === lesson.rung), onclick: () => this.ask({ rung: name }) }, h("b", {}, String(place + 1)), ` ${pick(title)}`)));
    this.title.textContent = pick(lesson.title);
    this.idea.textContent = pick(lesson.idea);
    this.legend.textContent = t("legend");
    this.code.textContent = lesson.code;
    this.result.textContent = t("nodesLeaves", lesson.value, lesson.nodes.length, lesson.leaves);
    this.questions.replaceChildren(h("h2", {}, t("questions")), ...lesson.questions.map(([question, answer]) => h("details", {}, h("summary", {}, pick(question)), h("p", {}, pick(answer)))));
    this.kind.value = this.choices.kind;
    this.tree.value = lesson.sfen ?? lesson.tree ?? "";
    this.rows.depth.hidden = this.choices.kind !== "real";
    this.rows.guess.hidden = lesson.rung !== "mtdf";
    this.listEvents(lesson.nodes);
    this.folded.clear();
    this.to(1); // the root: the rest unfolds step by step
  }

  /**
   * Lists what happens, in order: a node is entered, a node answers, the rest is cut.
   * @param {TracedNodeView[]} nodes
   */
  listEvents(nodes) {
    this.children = nodes.map(() => []);
    nodes.forEach(({ parent }, id) => {
      if (parent !== null) this.children[parent]?.push(id);
    });
    this.events = [];
    /** @param {number} id */
    const leave = (id) => {
      if (nodes[id]?.cut) this.events.push({ kind: "cut", id });
      this.events.push({ kind: "answer", id });
    };
    /** @type {number[]} */
    const open = [];
    nodes.forEach((node, id) => {
      for (let last = open.at(-1); last !== undefined && last !== node.parent; last = open.at(-1)) {
        leave(last);
        open.pop();
      }
      this.events.push({ kind: "enter", id });
      open.push(id);
    });
    for (const id of open.reverse()) leave(id);
    this.slider.max = String(this.events.length);
  }

  /**
   * Shows what is known after so many events.
   * @param {number} step
   */
  to(step) {
    if (!this.lesson) return;
    this.step = Math.min(Math.max(step, 0), this.events.length);
    this.slider.value = String(this.step);
    this.count.textContent = t("step", this.step, this.events.length);
    this.slider.setAttribute("aria-label", this.count.textContent);
    this.draw(this.lesson);
  }

  /**
   * What is known of every node at this step.
   * @param {LessonMessage} lesson
   */
  known({ nodes, forMax }) {
    /** @type {Map<number, NodeState>} */
    const states = new Map();
    for (const { kind, id } of this.events.slice(0, this.step)) {
      const node = nodes[id];
      const state = states.get(id);
      if (!node) continue;
      if (!state) states.set(id, { alpha: node.alpha, beta: node.beta, value: null, best: null, cut: false });
      else if (kind === "cut") state.cut = true;
      else {
        state.value = node.value;
        const parent = node.parent === null ? undefined : nodes[node.parent];
        const above = node.parent === null ? undefined : states.get(node.parent);
        if (!parent || !above) continue;
        const isMin = forMax && !parent.max;
        const value = forMax ? node.value : -node.value;
        if (isMin) above.beta = Math.min(above.beta, value);
        else above.alpha = Math.max(above.alpha, value);
        above.best = above.best === null ? value : isMin ? Math.min(above.best, value) : Math.max(above.best, value);
      }
    }
    return states;
  }

  /** @param {LessonMessage} lesson */
  draw(lesson) {
    const states = this.known(lesson);
    const event = this.events[this.step - 1] ?? null;
    let root = event ? event.id : 0;
    const path = new Set([root]);
    for (let parent = lesson.nodes[root]?.parent ?? null; parent !== null; parent = lesson.nodes[root]?.parent ?? null) {
      root = parent;
      path.add(root);
    }
    const shown = this.layout(lesson, root, states, path);
    const edges = s("g", { class: "edges" });
    const nodes = s("g", { class: "nodes" });
    for (const entry of shown.list) {
      if (entry.above) edges.append(drawEdge(entry, entry.above));
      nodes.append(this.drawEntry(lesson, entry, states, event));
    }
    const width = Math.max(shown.width, 300);
    this.picture.replaceChildren(s("svg", { class: width < 1500 && innerWidth > 700 ? "tree whole" : "tree", viewBox: `0 0 ${width} ${shown.height}`, width, height: shown.height }, edges, nodes));
    const current = event && shown.list.find(({ id, kind }) => kind === "node" && id === event.id);
    if (current) this.picture.scrollLeft = current.x - this.picture.clientWidth / 2;
    const text = event ? sentence(lesson.nodes, event) : "";
    if (this.explanation.textContent !== text) this.explanation.textContent = text;
    this.explanation.classList.toggle("cut", event?.kind === "cut");
    if (event?.kind === "cut") announce(text);
  }

  /**
   * Where every node is drawn: those that were entered and branches that were cut, but nothing
   * below a folded node.
   * @param {LessonMessage} lesson
   * @param {number} root
   * @param {Map<number, NodeState>} states
   * @param {Set<number>} path the nodes that stay unfolded
   */
  layout({ nodes }, root, states, path) {
    /** @type {Drawn[]} */
    const list = [];
    let column = 0;
    let deepest = 0;
    const nextColumn = () => (column++ + 0.62) * WIDE;
    /** @type {(entry: { kind: "cut" | "more", id: number, depth: number, count?: number, name?: string, first?: boolean }) => Drawn} */
    const stub = (branch) => {
      deepest = Math.max(deepest, branch.depth);
      const entry = { ...branch, below: [], x: nextColumn(), y: 0 };
      list.push(entry);
      return entry;
    };
    /** @type {(id: number, depth: number) => Drawn} */
    const place = (id, depth) => {
      deepest = Math.max(deepest, depth);
      /** @type {Drawn} */
      const entry = { id, depth, below: [], kind: "node", x: 0, y: 0 };
      const isFolded = this.folded.has(id) || (nodes.length > 200 && depth > 0 && !path.has(id) && !this.unfolded.has(id));
      const known = (this.children[id] ?? []).filter((child) => states.has(child));
      entry.folded = isFolded && known.length > 0;
      if (!entry.folded) {
        let drawn = known;
        if (known.length > MOST_SHOWN) drawn = known.slice(-MOST_SHOWN);
        if (known.length > drawn.length) entry.below.push(stub({ kind: "more", count: known.length - drawn.length, id, depth: depth + 1 }));
        for (const child of drawn) entry.below.push(place(child, depth + 1));
        if (states.get(id)?.cut) {
          const left = nodes[id]?.left ?? [];
          left.slice(0, 3).forEach((branch, at) => entry.below.push(stub({ kind: "cut", id, depth: depth + 1, name: at === 2 && left.length > 3 ? t("moreBranches", left.length - 2) : branch, first: at === 0 })));
        }
      }
      const [first, last] = [entry.below[0], entry.below.at(-1)];
      entry.x = first && last ? (first.x + last.x) / 2 : nextColumn();
      list.push(entry);
      return entry;
    };
    place(root, 0);
    for (const entry of list) {
      entry.y = 34 + entry.depth * HIGH;
      for (const child of entry.below) child.above = entry;
    }
    return { list, width: column * WIDE + 20, height: 34 + deepest * HIGH + 60 };
  }

  /**
   * @param {LessonMessage} lesson
   * @param {Drawn} entry
   * @param {Map<number, NodeState>} states
   * @param {SearchEvent | null} event
   */
  drawEntry(lesson, entry, states, event) {
    const { x, y, id } = entry;
    const node = lesson.nodes[id];
    if (!node || entry.kind === "more") return s("text", { class: "stub", x, y, "text-anchor": "middle" }, t("moreBranches", entry.count ?? 0));
    if (entry.kind === "cut") return drawCut(entry, node);
    const state = states.get(id);
    const isDone = state && state.value !== null;
    const group = s("g", { class: `node ${node.max ? "max" : "min"} ${node.source}${event?.id === id ? " now" : ""}${isDone ? " done" : ""}`, transform: `translate(${x} ${y})`, "data-node": id, onclick: () => this.fold(id, Boolean(entry.folded)) });
    const isLeaf = node.source !== "searched";
    group.append(isLeaf ? s("rect", { x: -22, y: -18, width: 44, height: 36, rx: 8 })
      : node.max ? s("path", { d: "M0 -24L27 18H-27Z" }) : s("path", { d: "M0 24L27 -18H-27Z" }));
    const shown = state?.value ?? state?.best ?? null;
    const text = !state ? "" : shown === null ? "?" : number(shown);
    group.append(s("text", { class: text.length > 3 ? "value long" : "value", y: isLeaf ? 6 : node.max ? 12 : 2, "text-anchor": "middle" }, text));
    if (node.source === "table") group.append(s("text", { class: "stub", y: 32, "text-anchor": "middle" }, "↺"));
    if (node.name || node.move) group.append(s("text", { class: "branch", x: -8, y: -28, "text-anchor": "end" }, node.move ? pick(node.move) : node.name));
    if (lesson.hasWindow && state && !isLeaf) {
      group.append(s("text", { class: "window", y: node.max ? 36 : 42, "text-anchor": "middle" }, `α ${number(state.alpha)}  β ${number(state.beta)}`));
    }
    if (entry.folded) group.append(s("text", { class: "stub", y: 56, "text-anchor": "middle" }, "⋯"));
    return group;
  }

  /**
   * Folds what is below a node, or unfolds it.
   * @param {number} id
   * @param {boolean} isFolded
   */
  fold(id, isFolded) {
    if (isFolded) {
      this.folded.delete(id);
      this.unfolded.add(id);
    } else {
      this.folded.add(id);
      this.unfolded.delete(id);
    }
    if (this.lesson) this.draw(this.lesson);
  }
}

/**
 * The line between a node and one below it.
 * @param {Drawn} entry
 * @param {Drawn} above
 */
function drawEdge({ kind, x, y }, above) {
  const [x1, y1] = [above.x, above.y + 20];
  return s("path", { class: `edge ${kind}`, d: `M${x1} ${y1}C${x1} ${y1 + 34} ${x} ${y - 54} ${x} ${y - (kind === "cut" ? 26 : 20)}` });
}

/**
 * A branch that was cut, with the rule at the first of a node.
 * @param {Drawn} entry
 * @param {TracedNodeView} node
 */
function drawCut({ x, y, name, first }, { cut }) {
  const mark = s("g", { class: "cutmark", transform: `translate(${x} ${y})` },
    s("title", {}, cut ? `${cut.rule}. ${pick(cut)}` : ""),
    s("text", { y: -8, "text-anchor": "middle", class: "scissors" }, "✂"),
    s("text", { y: 10, "text-anchor": "middle", class: "stub" }, name));
  if (first) mark.append(s("text", { y: 28, "text-anchor": "middle", class: "rule" }, cut?.rule));
  return mark;
}

/**
 * What happens in an event, in words.
 * @param {TracedNodeView[]} nodes
 * @param {SearchEvent} event
 */
function sentence(nodes, { kind, id }) {
  const node = nodes[id];
  if (!node) return "";
  const name = (node.move ? pick(node.move) : node.name) || t("root");
  if (kind === "answer") return t("gives", name, number(node.value));
  if (kind === "cut") return node.cut ? `✂ ${t("cutHere", node.cut.rule)}. ${pick(node.cut)}` : "";
  const mover = node.parent === null ? node : nodes[node.parent];
  return t("nodeNow", mover?.max ? "Max" : "Min", node.parent === null ? t("root") : name);
}
