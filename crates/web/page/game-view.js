// A game as the server sends it: a tree that grows, and the list of its moves.

import { h, batched, iconButton } from "./dom.js";
import { colorName, language, t } from "./texts.js";

/**
 * @typedef {import("./protocol.js").EndView} EndView
 * @typedef {import("./protocol.js").GameUpdate} GameUpdate
 * @typedef {import("./protocol.js").NodeView} NodeView
 * @typedef {import("./protocol.js").SlipGrade} SlipGrade
 * @typedef {NodeView & { children: number[] }} GameNode
 */

export class GameView {
  constructor() {
    /** @type {GameNode[]} */
    this.nodes = [];
    this.at = 0;
    /** @type {Map<number, SlipGrade>} */
    this.slips = new Map();
    this.shape = 0; // counts changes of the tree, not of what nodes say
    /**
     * The names of Black and White.
     * @type {[string, string]}
     */
    this.players = ["", ""];
    this.isHandicap = false;
  }

  /**
   * Takes over what changed and gives the nodes that did.
   * @param {GameUpdate} update
   */
  apply(update) {
    if (update.isNew) {
      this.nodes = [];
      this.shape++;
    }
    /** @type {number[]} */
    const changed = [];
    for (const node of update.nodes) {
      const known = this.nodes[node.id];
      if (!known) {
        this.shape++;
        if (node.parent !== null) this.nodes[node.parent]?.children.push(node.id);
      }
      this.nodes[node.id] = { ...node, children: known?.children ?? [] };
      changed.push(node.id);
    }
    this.at = update.at;
    this.slips = new Map(update.slips);
    this.players = update.players;
    this.isHandicap = update.isHandicap;
    return changed;
  }

  /** The current node, once the server has sent it. */
  current() {
    return this.nodes[this.at];
  }

  /**
   * The nodes from the start to one.
   * @param {number} id
   */
  path(id) {
    /** @type {number[]} */
    const path = [];
    for (let node = /** @type {GameNode | undefined} */ (this.nodes[id]); node; node = node.parent === null ? undefined : this.nodes[node.parent]) path.push(node.id);
    return path.reverse();
  }

  /**
   * The line through a node: its ancestors, and the first child of every later node.
   * @param {number} id
   */
  line(id) {
    const line = this.path(id);
    for (let next = this.nodes[id]?.children[0]; next !== undefined; next = this.nodes[next]?.children[0]) line.push(next);
    return line;
  }

  mainLine() {
    return this.line(0);
  }
}

/**
 * The name of a move or an ending.
 * @param {NodeView} node
 */
export function nodeName(node) {
  if (node.parent === null) return t("start");
  if (node.end) return language() === "ja" ? t(`end-${node.end.why}`) : resultName(node.end);
  return language() === "ja" ? node.ja : node.en;
}

/**
 * Who won, and how.
 * @param {EndView} end
 */
export function resultName(end) {
  const who = end.winner ? t("wins", colorName(end.winner))
    : ["interruption", "no-mate", "error", "sealed"].includes(end.why) ? t("noResult") : t("drawn");
  const how = t(`end-${end.why}`);
  return language() === "ja" ? `${how} ― ${who}` : `${who} ${how}`;
}

/**
 * A value for Black in words.
 * @param {number} value
 * @param {number | null} [mate]
 */
export function valueName(value, mate) {
  if (mate !== null && mate !== undefined) {
    return mate === 0 ? t("mated") : t("mateIn", value >= 0 ? "☗" : "☖", Math.abs(mate));
  }
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

/**
 * A value for Black in few characters.
 * @param {number} value
 * @param {number | null} [mate]
 */
export function valueSign(value, mate) {
  if (mate === null || mate === undefined) {
    return Math.abs(value) < 1000 ? valueName(value, mate) : `${value > 0 ? "+" : "−"}${(Math.abs(value) / 1000).toFixed(1)}k`;
  }
  return `${value >= 0 ? "+" : "−"}#${Math.abs(mate)}`;
}

/**
 * By how many points a side must be ahead to win e times as often as it loses: `WIN_SCALE` of
 * crates/record, which the tests of the server compare with this.
 */
const WIN_SCALE = 540;

/**
 * The chance of winning that a value stands for.
 * @param {number} value
 */
export function winningChance(value) {
  return 1 / (1 + Math.exp(-value / WIN_SCALE));
}

/** The list of moves. */
export class MoveList {
  /**
   * @param {GameView} game
   * @param {(node: number) => void} goTo called with the node that was clicked
   * @param {{ values?: boolean }} [options] whether evaluations are shown
   */
  constructor(game, goTo, { values = true } = {}) {
    this.game = game;
    this.goTo = goTo;
    this.values = values;
    this.at = 0;
    /** @type {Map<number, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {Set<number>} */
    this.stale = new Set();
    this.element = h("ol", { class: "moves", tabindex: 0, "aria-label": t("moves") });
    this.drawn = "";
    this.draw = batched(() => this.drawNow());
    this.element.addEventListener("click", (event) => {
      const id = event.target instanceof Element ? event.target.closest("button")?.dataset.node : undefined;
      if (id !== undefined) this.goTo(Number(id));
    });
  }

  /**
   * Draws the list anew where it changed.
   * @param {number[]} changed the nodes that say something else
   * @param {number} at the node that is shown
   */
  update(changed, at = this.game.at) {
    this.at = at;
    for (const id of changed) if (this.buttons.has(id)) this.stale.add(id);
    this.draw();
  }

  drawNow() {
    const state = `${this.game.shape} ${language()}`;
    if (this.drawn !== state) {
      this.drawn = state;
      this.buttons.clear();
      this.element.replaceChildren(...this.lineOf(0));
      this.element.setAttribute("aria-label", t("moves"));
    } else {
      for (const id of this.stale) this.fill(this.buttons.get(id), this.game.nodes[id]);
    }
    this.stale.clear();
    const old = this.element.querySelector(".current");
    old?.classList.remove("current");
    old?.removeAttribute("aria-current");
    for (const marked of this.element.querySelectorAll(".slip")) marked.classList.remove("slip", "dubious", "mistake", "blunder");
    for (const [id, grade] of this.game.slips) this.buttons.get(id)?.classList.add("slip", grade);
    const current = this.buttons.get(this.at);
    if (current) {
      current.classList.add("current");
      current.setAttribute("aria-current", "true");
      const [box, frame] = [current.getBoundingClientRect(), this.element.getBoundingClientRect()];
      if (box.top < frame.top || box.bottom > frame.bottom) this.element.scrollTop += box.top - frame.top - frame.height / 2;
    }
  }

  /**
   * The moves behind a node, variations below the move they replace.
   * @param {number} id
   */
  lineOf(id) {
    /** @type {HTMLElement[]} */
    const items = [];
    if (id === 0) items.push(this.item(0));
    for (let at = id; ; ) {
      const [first, ...others] = this.game.nodes[at]?.children ?? [];
      if (first === undefined) return items;
      items.push(this.item(first));
      for (const other of others) items.push(h("li", { class: "variation" }, h("ol", {}, this.item(other), ...this.lineOf(other))));
      at = first;
    }
  }

  /** @param {number} id */
  item(id) {
    const button = h("button", { type: "button", class: "move", "data-node": id });
    this.buttons.set(id, button);
    this.fill(button, this.game.nodes[id]);
    return h("li", {}, button);
  }

  /**
   * @param {HTMLButtonElement | undefined} button
   * @param {GameNode | undefined} node
   */
  fill(button, node) {
    if (!button || !node) return;
    const parts = [];
    if (node.parent !== null && !node.end) parts.push(h("span", { class: "number" }, String(node.ply)));
    parts.push(h("span", { class: "name" }, nodeName(node)));
    if (node.comment) parts.push(h("span", { class: "commented", title: node.comment }, "“"));
    if (this.values && node.value !== undefined) parts.push(h("span", { class: "value" }, valueName(node.value, node.mate)));
    else if (node.time !== undefined && node.time >= 1000) parts.push(h("span", { class: "value" }, clockName(node.time)));
    button.replaceChildren(...parts);
  }
}

/**
 * A time as clocks show it.
 * @param {number} millis
 */
export function clockName(millis) {
  const seconds = Math.ceil(millis / 1000);
  /** @param {number} n */
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/**
 * The buttons that step through a line.
 * @param {(steps: number) => void} step
 */
export function stepper(step) {
  /**
   * @param {"first" | "previous" | "next" | "last"} name
   * @param {number} steps
   */
  const button = (name, steps) => iconButton(name, t(name), () => step(steps), { "data-text": name });
  return h("div", { class: "stepper" }, button("first", -Infinity), button("previous", -1), button("next", 1), button("last", Infinity));
}

/**
 * The node so many steps along the line through a node.
 * @param {GameView} game
 * @param {number} at
 * @param {number} steps
 */
export function stepped(game, at, steps) {
  const line = game.line(at);
  const place = Math.min(Math.max(line.indexOf(at) + steps, 0), line.length - 1);
  return line[place] ?? at;
}
