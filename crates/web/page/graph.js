// Winning chances over a game, as a graph that can be clicked.

import { h, s, batched } from "./dom.js";
import { nodeName, valueName, winningChance } from "./game-view.js";
import { t } from "./texts.js";

const WIDTH = 600;
const HEIGHT = 130;

export class Graph {
  /**
   * @param {import("./game-view.js").GameView} game
   * @param {(node: number) => void} goTo called with the node that was clicked
   */
  constructor(game, goTo) {
    this.game = game;
    this.goTo = goTo;
    this.svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    this.note = h("p", { class: "info" });
    this.element = h("div", { class: "graphbox" }, this.svg, this.note);
    this.draw = batched(() => this.drawNow());
    /** @param {MouseEvent} event */
    const nodeAt = (event) => {
      const box = this.svg.getBoundingClientRect();
      const line = this.positions();
      const place = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
      return line[Math.min(Math.max(place, 0), line.length - 1)] ?? 0;
    };
    this.svg.addEventListener("click", (event) => this.goTo(nodeAt(event)));
    this.svg.addEventListener("pointermove", (event) => this.describe(nodeAt(event)));
    this.svg.addEventListener("pointerleave", () => {
      this.note.textContent = "";
    });
  }

  /** The nodes of the main line that are positions. */
  positions() {
    return this.game.mainLine().filter((id) => !this.game.nodes[id]?.end);
  }

  /** @param {number} id */
  describe(id) {
    const node = this.game.nodes[id];
    if (!node) return;
    const value = node.value === undefined ? "" : ` ${valueName(node.value, node.mate)}`;
    const grade = this.game.slips.get(id);
    this.note.textContent = `${node.ply} ${nodeName(node)}${value}${grade ? ` – ${t(grade)}` : ""}`;
  }

  drawNow() {
    const line = this.positions();
    const most = Math.max(line.length - 1, 1);
    /** @param {number} place */
    const x = (place) => (place / most) * WIDTH;
    /** @param {number} value */
    const y = (value) => 6 + (HEIGHT - 12) * (1 - winningChance(value));
    /** @type {[number, number, number][]} */
    const points = [];
    line.forEach((id, place) => {
      const value = this.game.nodes[id]?.value;
      if (value !== undefined) points.push([x(place), y(value), id]);
    });
    const text = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
    const middle = y(0);
    /** @type {SVGElement[]} */
    const parts = [
      s("rect", { class: "upper", width: WIDTH, height: middle }),
      s("rect", { class: "lower", y: middle, width: WIDTH, height: HEIGHT - middle }),
    ];
    const [first, last] = [points[0], points.at(-1)];
    if (first && last && points.length > 1) {
      parts.push(s("polygon", { class: "area", points: `${first[0]},${middle} ${text} ${last[0]},${middle}` }));
      parts.push(s("polyline", { class: "curve", points: text, "vector-effect": "non-scaling-stroke" }));
    }
    parts.push(s("path", { class: "zero", d: `M0 ${middle}H${WIDTH}`, "vector-effect": "non-scaling-stroke" }));
    const place = line.indexOf(this.game.at);
    if (place >= 0) parts.push(s("path", { class: "here", d: `M${x(place)} 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" }));
    for (const [px, py, id] of points) {
      const grade = this.game.slips.get(id);
      if (grade) parts.push(s("ellipse", { class: `slip ${grade}`, cx: px, cy: py, rx: 5, ry: 5 }));
    }
    this.svg.replaceChildren(...parts);
    this.svg.dataset.points = String(points.length);
    this.svg.setAttribute("aria-label", t("graph"));
  }
}
