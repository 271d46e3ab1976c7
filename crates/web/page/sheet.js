// A game as the server tells it: a tree that grows, and the list of its moves.

import { h, batched, iconButton } from "./dom.js";
import { language, t } from "./words.js";

export class Sheet {
  constructor() {
    this.forget();
  }

  forget() {
    this.nodes = [];
    this.at = 0;
    this.slips = new Map();
    this.players = ["", ""];
    this.shape = 0; // counts changes of the tree, not of what is said about it
  }

  apply(news) {
    if (news.isNew) {
      const shape = this.shape;
      this.forget();
      this.shape = shape + 1;
    }
    const changed = [];
    for (const node of news.nodes) {
      const known = this.nodes[node.id];
      node.children = known?.children ?? [];
      if (!known) {
        this.shape++;
        if (node.parent !== null) this.nodes[node.parent].children.push(node.id);
      }
      this.nodes[node.id] = node;
      changed.push(node.id);
    }
    this.at = news.at;
    this.slips = new Map(news.slips);
    this.players = news.players;
    return changed;
  }

  /// The nodes from the start to one.
  path(id) {
    const path = [];
    for (let at = id; at !== null && at !== undefined && this.nodes[at]; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /// The line through a node: its past, and what follows it first.
  line(id) {
    const line = this.path(id);
    for (let at = line.at(-1); this.nodes[at]?.children.length; ) line.push((at = this.nodes[at].children[0]));
    return line;
  }

  mainLine() {
    return this.line(0);
  }

  /// Whether a node belongs to the main line.
  isMain(id) {
    return this.path(id).every((at, place, path) => place === 0 || this.nodes[path[place - 1]].children[0] === at);
  }
}

/// What a move or an ending is called.
export function nodeName(node) {
  if (node.parent === null) return t("start");
  if (node.end) return language() === "ja" ? t(`end-${node.end.why}`) : resultName(node.end);
  return language() === "ja" ? node.ja : node.en;
}

/// Who won, and how.
export function resultName(end) {
  const who = end.winner ? t("wins", t(end.winner === "b" ? "black" : "white"))
    : ["interruption", "no-mate", "error", "sealed"].includes(end.why) ? t("noResult") : t("drawn");
  const how = t(`end-${end.why}`);
  return language() === "ja" ? `${how} ― ${who}` : `${who} ${how}`;
}

/// A value for Black as people write it.
export function valueName(value, mate) {
  if (mate !== null && mate !== undefined) {
    const sign = value >= 0 ? "+" : "−";
    return mate === 0 ? t("mated") : `${sign}${t("mateIn", Math.abs(mate))}`;
  }
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

/// The same in few signs.
export function valueSign(value, mate) {
  if (mate === null || mate === undefined) {
    return Math.abs(value) < 1000 ? valueName(value, mate) : `${value > 0 ? "+" : "−"}${(Math.abs(value) / 1000).toFixed(1)}k`;
  }
  return `${value >= 0 ? "+" : "−"}#${Math.abs(mate)}`;
}

/// The chance of winning that a value stands for.
export const chance = (value) => 1 / (1 + Math.exp(-value / 600));

/// The list of moves. `go` is told where somebody wants to be.
export class MoveList {
  constructor(sheet, go, { values = true } = {}) {
    this.sheet = sheet;
    this.go = go;
    this.values = values;
    this.buttons = new Map();
    this.element = h("div", { class: "moves", role: "list", "aria-label": t("moves") });
    this.drawn = null;
    this.draw = batched(() => this.drawNow());
    this.element.addEventListener("click", (event) => {
      const id = event.target.closest("button")?.dataset.node;
      if (id !== undefined) this.go(Number(id));
    });
  }

  /// Something changed; `changed` are nodes about which something else is said.
  update(changed, at = this.sheet.at) {
    this.at = at;
    for (const id of changed) if (this.buttons.has(id)) (this.stale ??= new Set()).add(id);
    this.draw();
  }

  drawNow() {
    const state = `${this.sheet.shape} ${language()}`;
    if (this.drawn !== state) {
      this.drawn = state;
      this.buttons.clear();
      this.element.replaceChildren(...this.lineOf(0, true));
      this.element.setAttribute("aria-label", t("moves"));
    } else {
      for (const id of this.stale ?? []) this.fill(this.buttons.get(id), this.sheet.nodes[id]);
    }
    this.stale = null;
    this.element.querySelector(".current")?.classList.remove("current");
    for (const marked of this.element.querySelectorAll(".slip")) marked.classList.remove("slip", "dubious", "mistake", "blunder");
    for (const [id, grade] of this.sheet.slips) this.buttons.get(id)?.classList.add("slip", grade);
    const current = this.buttons.get(this.at);
    if (current) {
      current.classList.add("current");
      const [box, frame] = [current.getBoundingClientRect(), this.element.getBoundingClientRect()];
      if (box.top < frame.top || box.bottom > frame.bottom) this.element.scrollTop += box.top - frame.top - frame.height / 2;
    }
  }

  /// The moves behind a node, variations below the move they replace.
  lineOf(id, isMain) {
    const items = [];
    if (id === 0) items.push(this.item(0));
    for (let at = id; this.sheet.nodes[at]?.children.length; ) {
      const [first, ...others] = this.sheet.nodes[at].children;
      items.push(this.item(first));
      for (const other of others) {
        const line = h("div", { class: "variation", role: "list" });
        line.append(this.item(other), ...this.lineOf(other, false));
        items.push(line);
      }
      at = first;
    }
    return items;
  }

  item(id) {
    const button = h("button", { type: "button", class: "move", "data-node": id, role: "listitem" });
    this.buttons.set(id, button);
    this.fill(button, this.sheet.nodes[id]);
    return button;
  }

  fill(button, node) {
    const parts = [];
    if (node.parent !== null && !node.end) parts.push(h("span", { class: "number" }, String(node.ply)));
    parts.push(h("span", { class: "name" }, nodeName(node)));
    if (node.comment) parts.push(h("span", { class: "said", title: node.comment }, "“"));
    if (this.values && node.value !== undefined) parts.push(h("span", { class: "value" }, valueName(node.value, node.mate)));
    else if (node.time !== undefined && node.time >= 1000) parts.push(h("span", { class: "value" }, clockName(node.time)));
    button.replaceChildren(...parts);
  }
}

/// A time as clocks show it.
export function clockName(millis) {
  const seconds = Math.ceil(millis / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/// The buttons that step through a line.
export function stepper(go) {
  const button = (name, where) => iconButton(name, t(name), () => go(where), { "data-word": name });
  return h("div", { class: "stepper" }, button("first", -Infinity), button("previous", -1), button("next", 1), button("last", Infinity));
}

/// The node so many steps along the line through a node.
export function stepped(sheet, at, steps) {
  const line = sheet.line(at);
  const place = Math.min(Math.max(line.indexOf(at) + steps, 0), line.length - 1);
  return line[place];
}
