// Winning chances over a game, as a graph that can be clicked: with its axes, the names of both
// players, and how long they thought.

import { h, s, batched } from "./dom.js";
import { clockName, nodeName, valueName, winningChance } from "./game-view.js";
import { colorName, t } from "./texts.js";

/** @typedef {import("./game-view.js").GameView} GameView */

const LEFT = 34;
const RIGHT = 8;
const TOP = 16;
const BOTTOM = 30;
const TIMES = 12; // the height of the bars for the times

/**
 * The nodes of the main line that are positions.
 * @param {GameView} game
 */
export function positionsOf(game) {
  return game.mainLine().filter((id) => !game.nodes[id]?.end);
}

/**
 * The parts of the graph, for a page or a picture.
 * @param {GameView} game
 * @param {number} wide
 * @param {number} high
 */
export function drawGraph(game, wide, high) {
  const line = positionsOf(game);
  const most = Math.max(line.length - 1, 1);
  const bottom = high - BOTTOM;
  /** @param {number} place */
  const x = (place) => LEFT + (place / most) * (wide - LEFT - RIGHT);
  /** @param {number} chance */
  const y = (chance) => TOP + (bottom - TOP) * (1 - chance);
  /** @type {[number, number, number][]} */
  const points = [];
  line.forEach((id, place) => {
    const value = game.nodes[id]?.value;
    if (value !== undefined) points.push([x(place), y(winningChance(value)), id]);
  });
  /** @type {SVGElement[]} */
  const parts = [
    s("rect", { class: "upper", x: LEFT, y: TOP, width: wide - LEFT - RIGHT, height: y(0.5) - TOP }),
    s("rect", { class: "lower", x: LEFT, y: y(0.5), width: wide - LEFT - RIGHT, height: bottom - y(0.5) }),
    ...axes(game, wide, high, most, x, y),
    ...times(game, line, high, x),
  ];
  const text = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
  const [first, last] = [points[0], points.at(-1)];
  if (first && last && points.length > 1) {
    parts.push(s("polygon", { class: "area", points: `${first[0]},${y(0.5)} ${text} ${last[0]},${y(0.5)}` }), s("polyline", { class: "curve", points: text }));
  }
  const place = line.indexOf(game.at);
  if (place >= 0) parts.push(s("path", { class: "here", d: `M${x(place)} ${TOP}V${bottom}` }));
  for (const [px, py, id] of points) {
    const grade = game.slips.get(id);
    if (grade) parts.push(s("circle", { class: `slip ${grade}`, cx: px, cy: py, r: 4.5, "data-slip": id }));
  }
  return { parts, count: points.length };
}

/**
 * Lines and numbers: per cent at the side, moves below, the names of the players above and below.
 * @param {GameView} game
 * @param {number} wide
 * @param {number} high
 * @param {number} most
 * @param {(place: number) => number} x
 * @param {(chance: number) => number} y
 */
function axes(game, wide, high, most, x, y) {
  /** @type {SVGElement[]} */
  const parts = [];
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    const at = y(chance);
    parts.push(s("path", { class: chance === 0.5 ? "zero" : "guide", d: `M${LEFT} ${at}H${wide - RIGHT}` }));
    if (chance * 2 === Math.round(chance * 2)) parts.push(s("text", { class: "tick", x: LEFT - 4, y: at + 4, "text-anchor": "end" }, `${chance * 100}%`));
  }
  const step = [10, 20, 50, 100, 200].find((count) => most / count <= 8) ?? 500;
  for (let ply = step; ply <= most; ply += step) {
    parts.push(s("path", { class: "guide", d: `M${x(ply)} ${TOP}V${high - BOTTOM}` }), s("text", { class: "tick", x: x(ply), y: high - 3, "text-anchor": "middle" }, String(ply)));
  }
  const [black, white] = /** @type {const} */ (["b", "w"]).map((color, place) => game.players[place] || colorName(color));
  parts.push(s("text", { class: "who", x: LEFT + 4, y: TOP - 4 }, `☗ ${black}`), s("text", { class: "who", x: wide - RIGHT - 2, y: TOP - 4, "text-anchor": "end" }, `☖ ${white}`));
  return parts;
}

/**
 * How long each move took, as bars between the graph and the numbers.
 * @param {GameView} game
 * @param {number[]} line
 * @param {number} high
 * @param {(place: number) => number} x
 */
function times(game, line, high, x) {
  const longest = Math.max(...line.map((id) => game.nodes[id]?.time ?? 0), 1);
  const wide = Math.max(Math.min(x(1) - x(0) - 1, 6), 1);
  return line.flatMap((id, place) => {
    const time = game.nodes[id]?.time;
    if (!time) return [];
    const height = Math.max((time / longest) * TIMES, 1);
    return [s("rect", { class: `spent ${place % 2 ? "odd" : "even"}`, x: x(place) - wide / 2, y: high - BOTTOM + 2 + TIMES - height, width: wide, height })];
  });
}

export class Graph {
  /**
   * @param {GameView} game
   * @param {(node: number) => void} goTo called with the node that was clicked
   */
  constructor(game, goTo) {
    this.game = game;
    this.goTo = goTo;
    this.svg = s("svg", { class: "graph", role: "img" });
    this.note = h("p", { class: "info" });
    this.element = h("div", { class: "graphbox" }, this.svg, this.note);
    this.draw = batched(() => this.drawNow());
    /** @param {MouseEvent} event */
    const nodeAt = (event) => {
      const box = this.svg.getBoundingClientRect();
      const line = positionsOf(this.game);
      const place = Math.round(((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * (line.length - 1));
      return line[Math.min(Math.max(place, 0), line.length - 1)] ?? 0;
    };
    this.svg.addEventListener("click", (event) => this.goTo(nodeAt(event)));
    this.svg.addEventListener("pointermove", (event) => this.describe(nodeAt(event)));
    this.svg.addEventListener("pointerleave", () => {
      this.note.textContent = "";
    });
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  /** @param {number} id */
  describe(id) {
    const node = this.game.nodes[id];
    if (!node) return;
    const value = node.value === undefined ? "" : ` ${valueName(node.value, node.mate)} · ${Math.round(winningChance(node.value) * 100)}%`;
    const time = node.time ? ` · ${clockName(node.time)}` : "";
    const grade = this.game.slips.get(id);
    this.note.textContent = `${node.ply} ${nodeName(node)}${value}${time}${grade ? ` – ${t(grade)}` : ""}`;
  }

  drawNow() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!width) return;
    const { parts, count } = drawGraph(this.game, width, height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren(...parts);
    this.svg.dataset.points = String(count);
    this.svg.setAttribute("aria-label", t("graph"));
  }
}
