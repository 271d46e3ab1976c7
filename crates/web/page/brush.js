// Characters as a brush writes them: every stroke of a drawing becomes a shape that is broad where
// the brush is pressed and thin where it leaves the wood.

import { STROKES } from "./kanji.js";

/** @typedef {[number, number]} Point */

/**
 * The strokes of a drawing as lists of points; a stroke that turns sharply is two.
 * @param {string} drawing with the commands M, L, H, V, Q, C and Z
 */
function strokesOf(drawing) {
  /** @type {Point[][]} */
  const strokes = [];
  /** @type {Point} */
  let at = [0, 0];
  /** @type {Point} */
  let start = [0, 0];
  /** @type {Point[]} */
  let stroke = [];
  /** @param {Point[]} controls the points of a curve behind `at` */
  const curve = (controls) => {
    const points = [at, ...controls];
    const first = points[1] ?? at;
    const last = stroke.at(-2);
    if (last && turn(last, at, first) > 0.9) {
      strokes.push(stroke);
      stroke = [at];
    }
    for (let step = 1; step <= 14; step++) stroke.push(bezier(points, step / 14));
    at = points.at(-1) ?? at;
  };
  for (const [, command = "", numbers = ""] of drawing.matchAll(/([MLHVQCZ])([^MLHVQCZ]*)/g)) {
    const n = (numbers.match(/-?[\d.]+/g) ?? []).map(Number);
    const point = (/** @type {number} */ place) => /** @type {Point} */ ([n[place] ?? 0, n[place + 1] ?? 0]);
    if (command === "M") {
      if (stroke.length > 1) strokes.push(stroke);
      at = start = point(0);
      stroke = [at];
    } else if (command === "H") curve([[n[0] ?? 0, at[1]]]);
    else if (command === "V") curve([[at[0], n[0] ?? 0]]);
    else if (command === "L") curve([point(0)]);
    else if (command === "Z") curve([start]);
    else for (let place = 0, size = command === "Q" ? 4 : 6; place + size <= n.length; place += size) curve(Array.from({ length: size / 2 }, (_, index) => point(place + 2 * index)));
  }
  if (stroke.length > 1) strokes.push(stroke);
  return strokes;
}

/**
 * A point of a curve, by de Casteljau's construction.
 * @param {Point[]} points
 * @param {number} part
 * @returns {Point}
 */
function bezier(points, part) {
  let row = points;
  while (row.length > 1) {
    row = row.slice(1).map(([x, y], place) => {
      const [px, py] = row[place] ?? [0, 0];
      return [px + (x - px) * part, py + (y - py) * part];
    });
  }
  return row[0] ?? [0, 0];
}

/**
 * The angle of a corner.
 * @param {Point} a
 * @param {Point} b
 * @param {Point} c
 */
function turn(a, b, c) {
  const angle = Math.atan2(c[1] - b[1], c[0] - b[0]) - Math.atan2(b[1] - a[1], b[0] - a[0]);
  return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
}

/**
 * How broad a stroke is along its way: a horizontal one is pressed at both ends, one that falls to the
 * left runs out, one that falls to the right swells before its end, a short one is a drop.
 * @param {Point} first
 * @param {Point} last
 */
function pressure([x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const long = Math.hypot(dx, dy);
  if (long < 24) return (/** @type {number} */ part) => 0.55 + 0.85 * Math.sin(Math.PI * Math.min(part * 0.75 + 0.1, 1));
  if (Math.abs(dy) < 0.18 * long) return (/** @type {number} */ part) => 0.62 + 0.45 * Math.exp(-part * 9) + 0.6 * Math.exp(-(1 - part) * 9);
  if (Math.abs(dx) < 0.18 * long) return (/** @type {number} */ part) => 1.02 + 0.35 * Math.exp(-part * 10) - 0.12 * part;
  if (dx < 0) return (/** @type {number} */ part) => 1.25 * (1 - part) ** 0.55 + 0.18;
  return (/** @type {number} */ part) => 0.5 + 1.15 * part ** 2.2 * (1 - 0.55 * Math.max(0, part - 0.85) / 0.15);
}

const BROAD = 6.4; // half of the breadth at pressure one

/**
 * The outline of one stroke.
 * @param {Point[]} points
 */
function outline(points) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const press = pressure(first, last);
  /** @type {Point[]} */
  const left = [];
  /** @type {Point[]} */
  const right = [];
  points.forEach(([x, y], place) => {
    const before = points[Math.max(place - 1, 0)] ?? first;
    const behind = points[Math.min(place + 1, points.length - 1)] ?? last;
    const long = Math.hypot(behind[0] - before[0], behind[1] - before[1]) || 1;
    const half = BROAD * press(place / (points.length - 1));
    const [nx, ny] = [((before[1] - behind[1]) / long) * half, ((behind[0] - before[0]) / long) * half];
    left.push([x + nx, y + ny]);
    right.unshift([x - nx, y - ny]);
  });
  return `M${[...left, ...right].map((point) => point.map((n) => n.toFixed(1)).join(" ")).join("L")}Z`;
}

/** @type {Map<string, string>} */
const written = new Map();

/**
 * The outlines of a character on a grid of 100; `null` if it is not known how to write it.
 * @param {string} character
 */
export function brushed(character) {
  const known = written.get(character);
  if (known !== undefined) return known;
  const strokes = STROKES[character];
  if (!strokes) return null;
  const shape = strokesOf(strokes).map(outline).join("");
  written.set(character, shape);
  return shape;
}
