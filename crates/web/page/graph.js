// Winning chances over a game, as a picture one can click.

import { h, s, batched } from "./dom.js";
import { chance, nodeName, valueName } from "./sheet.js";
import { t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 130;

export class Graph {
  constructor(sheet, go) {
    this.sheet = sheet;
    this.go = go;
    this.svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    this.told = h("p", { class: "told" });
    this.element = h("div", { class: "graphbox" }, this.svg, this.told);
    this.draw = batched(() => this.drawNow());
    const at = (event) => {
      const box = this.svg.getBoundingClientRect();
      const line = this.sheet.mainLine().filter((id) => !this.sheet.nodes[id].end);
      const place = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
      return line[Math.min(Math.max(place, 0), line.length - 1)];
    };
    this.svg.addEventListener("click", (event) => this.go(at(event)));
    this.svg.addEventListener("pointermove", (event) => this.tell(at(event)));
    this.svg.addEventListener("pointerleave", () => this.tell(null));
  }

  tell(id) {
    const node = id === null ? null : this.sheet.nodes[id];
    if (!node) {
      this.told.textContent = "";
      return;
    }
    const value = node.value === undefined ? "" : ` ${valueName(node.value, node.mate)}`;
    const grade = this.sheet.slips.get(id);
    this.told.textContent = `${node.ply} ${nodeName(node)}${value}${grade ? ` – ${t(grade)}` : ""}`;
  }

  drawNow() {
    const line = this.sheet.mainLine().filter((id) => !this.sheet.nodes[id].end);
    const most = Math.max(line.length - 1, 1);
    const x = (place) => (place / most) * WIDTH;
    const y = (value) => 6 + (HEIGHT - 12) * (1 - chance(value));
    const points = [];
    line.forEach((id, place) => {
      const { value } = this.sheet.nodes[id];
      if (value !== undefined) points.push([x(place), y(value), id]);
    });
    const text = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
    const middle = y(0);
    const parts = [
      s("rect", { class: "upper", width: WIDTH, height: middle }),
      s("rect", { class: "lower", y: middle, width: WIDTH, height: HEIGHT - middle }),
    ];
    if (points.length > 1) {
      parts.push(s("polygon", { class: "area", points: `${points[0][0]},${middle} ${text} ${points.at(-1)[0]},${middle}` }));
      parts.push(s("polyline", { class: "curve", points: text, "vector-effect": "non-scaling-stroke" }));
    }
    parts.push(s("path", { class: "zero", d: `M0 ${middle}H${WIDTH}`, "vector-effect": "non-scaling-stroke" }));
    const place = line.indexOf(this.sheet.at);
    if (place >= 0) parts.push(s("path", { class: "here", d: `M${x(place)} 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" }));
    for (const [px, py, id] of points) {
      const grade = this.sheet.slips.get(id);
      if (grade) parts.push(s("ellipse", { class: `slip ${grade}`, cx: px, cy: py, rx: 5, ry: 5 }));
    }
    this.svg.replaceChildren(...parts);
    this.svg.dataset.points = points.length;
    this.svg.setAttribute("aria-label", t("graph"));
  }
}
