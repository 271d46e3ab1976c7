// The course: a search, step by step, on a tree that unfolds as it is searched.

import { h, s, iconButton } from "./dom.js";
import { announce } from "./board.js";
import { language, pick, t } from "./words.js";

const WIDE = 74;
const HIGH = 104;
const MOST_SHOWN = 9; // branches of one node that are drawn at a time

/// A value as people write it.
function number(points) {
  if (points >= 32001) return "+∞";
  if (points <= -32001) return "−∞";
  return points < 0 ? `−${-points}` : String(points);
}

export class Learn {
  constructor(app) {
    this.app = app;
    this.step = 0;
    this.folded = new Set();
    this.kept = { rung: "minimax", kind: "drawn", tree: null, sfen: null, depth: 2, guess: 70 };
    try {
      Object.assign(this.kept, JSON.parse(localStorage.getItem("lesson") ?? "{}"));
    } catch {
      // Begins with the first lesson.
    }
    this.nav = h("nav", { class: "rungs", "aria-label": t("rung") });
    this.title = h("h1", {});
    this.idea = h("p", { class: "idea" });
    this.result = h("p", { class: "note" });
    this.picture = h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": t("tree") });
    this.said = h("p", { class: "said", role: "status" });
    this.slider = h("input", { type: "range", min: 0, value: 0, class: "wide", id: "step", "aria-label": t("step", 0, 0), oninput: () => this.to(Number(this.slider.value)) });
    this.count = h("span", { class: "told" });
    this.run = h("button", { type: "button", class: "main", id: "run", onclick: () => this.toggle() }, t("playSteps"));
    const icon = (drawing, word, act) => iconButton(drawing, t(word), act, { "data-word": word });
    this.kind = h("select", { id: "kind", "aria-label": t("tree"), onchange: () => this.ask({ kind: this.kind.value }) },
      h("option", { value: "drawn" }, t("drawnTree")), h("option", { value: "real" }, t("realPosition")));
    this.tree = h("input", { class: "wide", id: "tree", spellcheck: "false", "aria-label": t("tree"), onchange: () => this.ask(this.kept.kind === "real" ? { sfen: this.tree.value } : { tree: this.tree.value }) });
    this.depth = h("input", { type: "number", id: "depth", min: 1, max: 3, value: this.kept.depth, onchange: () => this.ask({ depth: Number(this.depth.value) }) });
    this.guess = h("input", { type: "number", id: "guess", min: -30000, max: 30000, value: this.kept.guess, onchange: () => this.ask({ guess: Number(this.guess.value) }) });
    this.rows = {
      depth: h("label", { class: "inline" }, t("depthLabel"), this.depth),
      guess: h("label", { class: "inline" }, t("guess"), this.guess),
    };
    this.code = h("code", {});
    this.questions = h("div", { class: "questions" });
    this.legend = h("p", { class: "note" });
    this.element = h("section", { class: "corner learn", "aria-label": t("learn") },
      this.nav,
      h("article", {},
        this.title, this.idea,
        h("div", { class: "row" }, this.kind, this.rows.depth, this.rows.guess, this.tree),
        h("div", { class: "stage" },
          this.picture, this.said,
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

  ask(change) {
    if (change.kind) this.tree.value = "";
    Object.assign(this.kept, change);
    localStorage.setItem("lesson", JSON.stringify(this.kept));
    const { rung, kind, tree, sfen, depth, guess } = this.kept;
    const real = sfen || "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    this.app.wish({ do: "lesson", rung, guess: Number(guess) || 0, tree: kind === "real" ? null : tree || null, sfen: kind === "real" ? real : null, depth: Number(depth) || 1 });
  }

  key(key) {
    if (key === ",") this.to(this.step - 1);
    else if (key === ".") this.to(this.step + 1);
    else return false;
    return true;
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    } else {
      if (this.step >= this.events.length) this.to(0);
      this.timer = setInterval(() => {
        this.to(this.step + 1);
        if (this.step >= this.events.length) this.toggle();
      }, 700);
    }
    this.run.textContent = t(this.timer ? "pauseSteps" : "playSteps");
  }

  hear(news) {
    if (news.is !== "lesson") return;
    this.lesson = news;
    if (this.timer) this.toggle();
    this.kept.rung = news.rung;
    this.nav.replaceChildren(...news.rungs.map(({ name, title }, place) => h("button", { type: "button", class: "rung", "data-rung": name, "aria-current": String(name === news.rung), onclick: () => this.ask({ rung: name }) }, h("b", {}, String(place + 1)), ` ${pick(title)}`)));
    this.title.textContent = pick(news.title);
    this.idea.textContent = pick(news.idea);
    this.legend.textContent = t("legend");
    this.code.textContent = news.code;
    this.result.textContent = t("visitsLeaves", news.value, news.visits.length, news.leaves);
    this.questions.replaceChildren(h("h2", {}, t("questions")), ...news.questions.map(([question, answer]) => h("details", {}, h("summary", {}, pick(question)), h("p", {}, pick(answer)))));
    this.kind.value = this.kept.kind;
    this.tree.value = news.sfen ?? news.tree ?? "";
    this.rows.depth.hidden = this.kept.kind !== "real";
    this.rows.guess.hidden = news.rung !== "mtdf";
    this.tell();
    this.folded.clear();
    this.to(this.kept.kind === "real" ? 0 : Math.min(this.wanted ?? Infinity, this.events.length));
  }

  /// What happens, in order: a node is entered, a node answers, the rest is cut.
  tell() {
    const { visits } = this.lesson;
    this.children = visits.map(() => []);
    visits.forEach(({ parent }, id) => {
      if (parent !== null) this.children[parent].push(id);
    });
    this.events = [];
    const leave = (id) => {
      if (visits[id].cut) this.events.push({ kind: "cut", id });
      this.events.push({ kind: "answer", id });
    };
    const open = [];
    visits.forEach((visit, id) => {
      while (open.length && open.at(-1) !== visit.parent) leave(open.pop());
      this.events.push({ kind: "enter", id });
      open.push(id);
    });
    while (open.length) leave(open.pop());
    this.slider.max = this.events.length;
  }

  to(step) {
    if (!this.events) return;
    this.step = Math.min(Math.max(step, 0), this.events.length);
    this.slider.value = this.step;
    this.count.textContent = t("step", this.step, this.events.length);
    this.slider.setAttribute("aria-label", this.count.textContent);
    this.draw();
  }

  /// What is known at this step.
  known() {
    const { visits, forMax } = this.lesson;
    const state = new Map();
    for (const { kind, id } of this.events.slice(0, this.step)) {
      const visit = visits[id];
      if (kind === "enter") state.set(id, { alpha: visit.alpha, beta: visit.beta, value: null, cut: false });
      else if (kind === "cut") state.get(id).cut = true;
      else {
        state.get(id).value = visit.value;
        const above = state.get(visit.parent);
        if (!above) continue;
        const isMax = visits[visit.parent].max;
        const value = forMax ? visit.value : -visit.value;
        if (forMax && !isMax) above.beta = Math.min(above.beta, value);
        else above.alpha = Math.max(above.alpha, value);
        above.best = above.best === undefined ? value : forMax && !isMax ? Math.min(above.best, value) : Math.max(above.best, value);
      }
    }
    return state;
  }

  draw() {
    const { visits } = this.lesson;
    const state = this.known();
    const event = this.step > 0 ? this.events[this.step - 1] : null;
    let root = event ? event.id : 0;
    while (visits[root].parent !== null) root = visits[root].parent;
    const path = new Set();
    for (let at = event?.id ?? 0; at !== null; at = visits[at].parent) path.add(at);
    const shown = this.layout(root, state, path);
    const edges = s("g", { class: "edges" });
    const nodes = s("g", { class: "nodes" });
    for (const one of shown.list) this.drawNode(one, state, event, edges, nodes);
    const width = Math.max(shown.width, 300);
    this.picture.replaceChildren(s("svg", { class: width < 1500 && innerWidth > 700 ? "tree whole" : "tree", viewBox: `0 0 ${width} ${shown.height}`, width, height: shown.height }, edges, nodes));
    const current = event && shown.list.find(({ id, kind }) => kind === "node" && id === event.id);
    if (current) this.picture.scrollLeft = current.x - this.picture.clientWidth / 2;
    const text = this.sentence(event);
    if (this.said.textContent !== text) this.said.textContent = text;
    this.said.classList.toggle("cut", event?.kind === "cut");
    if (event?.kind === "cut") announce(text);
  }

  name(id) {
    const visit = this.lesson.visits[id];
    return (language() === "ja" ? visit.ja : visit.en) ?? (visit.name || t("root"));
  }

  sentence(event) {
    if (!event) return "";
    const visit = this.lesson.visits[event.id];
    const name = this.name(event.id) || t("root");
    if (event.kind === "enter") return visit.parent === null ? t("visitNow", visit.max ? "Max" : "Min", t("root")) : t("visitNow", this.lesson.visits[visit.parent].max ? "Max" : "Min", name);
    if (event.kind === "answer") return t("gives", name, number(visit.value));
    return `✂ ${t("cutHere", visit.cut.rule)}. ${pick(visit.cut)}`;
  }

  /// Where every node is drawn: what was entered, what was cut, nothing that is folded.
  layout(root, state, path) {
    const { visits } = this.lesson;
    const list = [];
    let column = 0;
    let deepest = 0;
    const place = (id, depth) => {
      deepest = Math.max(deepest, depth);
      const entry = { id, depth, below: [], kind: "node" };
      const isFolded = this.folded.has(id) || (visits.length > 200 && depth > 0 && !path.has(id) && !this.unfolded?.has(id));
      const known = this.children[id].filter((child) => state.has(child));
      entry.folded = isFolded && known.length > 0;
      if (!entry.folded) {
        let drawn = known;
        if (known.length > MOST_SHOWN) drawn = known.slice(-MOST_SHOWN);
        if (known.length > drawn.length) entry.below.push(stub({ kind: "more", count: known.length - drawn.length, id, depth: depth + 1 }));
        for (const child of drawn) entry.below.push(place(child, depth + 1));
        if (state.get(id)?.cut) {
          const left = visits[id].left;
          left.slice(0, 3).forEach((branch, at) => entry.below.push(stub({ kind: "cut", id, depth: depth + 1, name: at === 2 && left.length > 3 ? t("more", left.length - 2) : branch, first: at === 0 })));
        }
      }
      entry.x = entry.below.length ? (entry.below[0].x + entry.below.at(-1).x) / 2 : (column++ + 0.62) * WIDE;
      list.push(entry);
      return entry;
    };
    const stub = (entry) => {
      deepest = Math.max(deepest, entry.depth);
      entry.x = (column++ + 0.62) * WIDE;
      entry.below = [];
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

  drawNode(entry, state, event, edges, nodes) {
    const { visits, hasWindow } = this.lesson;
    const { x, y, above, id } = entry;
    if (above) {
      const [x1, y1] = [above.x, above.y + 20];
      const isCut = entry.kind === "cut";
      edges.append(s("path", { class: `edge ${entry.kind}`, d: `M${x1} ${y1}C${x1} ${y1 + 34} ${x} ${y - 54} ${x} ${y - (isCut ? 26 : 20)}` }));
    }
    if (entry.kind === "more") {
      nodes.append(s("text", { class: "stub", x, y, "text-anchor": "middle" }, t("more", entry.count)));
      return;
    }
    if (entry.kind === "cut") {
      const mark = s("g", { class: "cutmark", transform: `translate(${x} ${y})` },
        s("title", {}, `${visits[id].cut.rule}. ${pick(visits[id].cut)}`),
        s("text", { y: -8, "text-anchor": "middle", class: "scissors" }, "✂"),
        s("text", { y: 10, "text-anchor": "middle", class: "stub" }, entry.name));
      if (entry.first) mark.append(s("text", { y: 28, "text-anchor": "middle", class: "rule" }, visits[id].cut.rule));
      nodes.append(mark);
      return;
    }
    const visit = visits[id];
    const known = state.get(id);
    const isNow = event?.id === id;
    const group = s("g", { class: `node ${visit.max ? "max" : "min"} ${visit.way}${isNow ? " now" : ""}${known?.value !== null && known ? " done" : ""}`, transform: `translate(${x} ${y})`, "data-visit": id, onclick: () => this.fold(id, entry.folded) });
    const leaf = visit.way !== "searched";
    group.append(leaf ? s("rect", { x: -22, y: -18, width: 44, height: 36, rx: 8 })
      : visit.max ? s("path", { d: "M0 -24L27 18H-27Z" }) : s("path", { d: "M0 24L27 -18H-27Z" }));
    const shown = known?.value ?? known?.best;
    const text = !known ? "" : shown === undefined || shown === null ? "?" : number(shown);
    group.append(s("text", { class: text.length > 3 ? "value long" : "value", y: leaf ? 6 : visit.max ? 12 : 2, "text-anchor": "middle" }, text));
    if (visit.way === "remembered") group.append(s("text", { class: "stub", y: 32, "text-anchor": "middle" }, "↺"));
    if (visit.name || visit.ja) group.append(s("text", { class: "branch", x: -8, y: -28, "text-anchor": "end" }, visit.ja ? this.name(id) : visit.name));
    if (hasWindow && known && !leaf) {
      group.append(s("text", { class: "window", y: visit.max ? 36 : 42, "text-anchor": "middle" }, `α ${number(known.alpha)}  β ${number(known.beta)}`));
    }
    if (entry.folded) group.append(s("text", { class: "stub", y: 56, "text-anchor": "middle" }, "⋯"));
    nodes.append(group);
  }

  fold(id, isFolded) {
    this.unfolded ??= new Set();
    if (isFolded) {
      this.folded.delete(id);
      this.unfolded.add(id);
    } else {
      this.folded.add(id);
      this.unfolded.delete(id);
    }
    this.draw();
  }
}
