// The pieces: one shape, four faces.

import { brushed } from "./brush.js";
import { s } from "./dom.js";
import { STROKES } from "./kanji.js";

/** @type {Record<string, string>} */
const ONE = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};
/** @type {Record<string, string>} */
const TWO = {
  P: "歩兵", L: "香車", N: "桂馬", S: "銀将", G: "金将", B: "角行", R: "飛車", K: "玉将",
  "+P": "と金", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "龍馬", "+R": "龍王",
};

/**
 * How large each kind is on its square.
 * @type {Record<string, number>}
 */
const SIZES = { K: 1, R: 0.98, B: 0.98, G: 0.95, S: 0.95, N: 0.92, L: 0.9, P: 0.87 };

/**
 * A step as [file, rank], up is forward.
 * @typedef {[number, number]} Step
 */

/** @type {Step[]} */
const GOLD = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [0, 1]];
/** @type {Step[]} */
const KING = [...GOLD, [-1, 1], [1, 1]];
/** @type {Step[]} */
const STRAIGHT = [[0, -1], [0, 1], [-1, 0], [1, 0]];
/** @type {Step[]} */
const SLANTED = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
/**
 * Where each kind moves: by single steps and along rays.
 * @type {Record<string, { steps?: Step[], rays?: Step[] }>}
 */
const MOVES = {
  P: { steps: [[0, -1]] },
  L: { rays: [[0, -1]] },
  N: { steps: [[-1, -2], [1, -2]] },
  S: { steps: [[0, -1], ...SLANTED] },
  G: { steps: GOLD },
  B: { rays: SLANTED },
  R: { rays: STRAIGHT },
  K: { steps: KING },
  "+P": { steps: GOLD }, "+L": { steps: GOLD }, "+N": { steps: GOLD }, "+S": { steps: GOLD },
  "+B": { rays: SLANTED, steps: STRAIGHT },
  "+R": { rays: STRAIGHT, steps: SLANTED },
};

/**
 * The side of a piece.
 * @param {string} code the piece as SFEN writes it
 * @returns {import("./protocol.js").ColorLetter}
 */
export function side(code) {
  return code === code.toUpperCase() ? "b" : "w";
}

/**
 * The drawing of a piece around the origin, 100 units to a square, upright.
 * @param {string} code the piece as SFEN writes it
 * @param {string} set the name of the piece set
 */
export function drawPiece(code, set) {
  const kind = code.toUpperCase();
  const size = SIZES[kind.replace("+", "")] ?? 1;
  const promoted = kind.startsWith("+");
  const group = s("g", { class: `face${promoted ? " promoted" : ""}`, transform: `scale(${size})` });
  group.append(
    s("path", { class: "shade", d: OUTLINE, transform: "translate(2 3.5)" }),
    s("path", { class: "body", d: OUTLINE }),
    s("path", { class: "edge", d: EDGE }),
  );
  if (set === "western") group.append(western(kind));
  else if (set === "two") group.append(two(kind, code, character));
  else if (set === "brush") group.append(two(kind, code, brushCharacter));
  else group.append(character(code === "k" ? "王" : ONE[kind] ?? kind, 0, 6, 0.56));
  return group;
}

const OUTLINE = "M0 -46 C9 -44 20 -39.5 28 -35 C31 -20 37 16 40.5 41 Q41 45 37 45 C14 46.5 -14 46.5 -37 45 Q-41 45 -40.5 41 C-37 16 -31 -20 -28 -35 C-20 -39.5 -9 -44 0 -46Z";
const EDGE = "M-39.6 37 C-40 42 -40 42.4 -37 42.4 C-14 44 14 44 37 42.4 C40 42.4 40 42 39.6 37";

/**
 * One character, drawn in strokes on a grid of 100, scaled around a centre.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
function character(text, x, y, scale) {
  const strokes = STROKES[text];
  const transform = `translate(${x} ${y}) scale(${scale}) translate(-50 -50)`;
  if (!strokes) return s("text", { class: "ink", x, y: y + 20, "text-anchor": "middle", "font-size": 58 }, text);
  return s("path", { class: "ink", d: strokes, transform });
}

/**
 * One character as a brush writes it.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
function brushCharacter(text, x, y, scale) {
  const shape = brushed(text);
  if (!shape) return character(text, x, y, scale);
  return s("path", { class: "ink brushed", d: shape, transform: `translate(${x} ${y}) scale(${scale}) translate(-50 -50)` });
}

/**
 * Two characters, one below the other.
 * @param {string} kind
 * @param {string} code
 * @param {(text: string, x: number, y: number, scale: number) => SVGElement} write
 */
function two(kind, code, write) {
  const [upper = "", lower = ""] = code === "k" ? "王将" : TWO[kind] ?? kind;
  return s("g", { class: "small" }, write(upper, 0, -14.5, 0.37), write(lower, 0, 23, 0.4));
}

/** @param {string} kind */
function western(kind) {
  const { steps = [], rays = [] } = MOVES[kind] ?? {};
  const group = s("g", { class: "western" });
  /** @type {(x: number, y: number) => Step} */
  const at = (x, y) => [x * (y === 0 ? 25 : y > 0 ? 25 : 20), 7 + y * (y < -1 ? 18.5 : 28)];
  for (const [x, y] of rays) {
    const [cx, cy] = at(x, y);
    const angle = (Math.atan2(y, x) * 180) / Math.PI;
    group.append(s("path", { class: "mark", d: "M-4.5 -5 L6 0 L-4.5 5Z", transform: `translate(${cx} ${cy}) rotate(${angle})` }));
  }
  for (const [x, y] of steps) {
    const [cx, cy] = at(x, y);
    group.append(s("circle", { class: "mark", cx, cy, r: 3.6 }));
  }
  const letter = kind.replace("+", "");
  group.append(s("path", { class: "ink letter", d: LETTERS[letter], transform: "translate(0 7) scale(.35) translate(-50 -50)" }));
  return group;
}

/**
 * Capital letters in strokes.
 * @type {Record<string, string>}
 */
const LETTERS = {
  P: "M28 95V5H55C84 5 84 52 55 52H28",
  L: "M30 5V95H76",
  N: "M24 95V5L76 95V5",
  S: "M74 18C60 0 26 4 28 28C30 52 74 46 75 72C76 98 36 102 24 82",
  G: "M76 20C56 -4 20 8 20 50C20 94 62 104 78 78V54H54",
  B: "M27 5V95H56C84 95 84 49 56 49H27M27 5H52C76 5 76 49 52 49",
  R: "M27 95V5H55C83 5 83 50 55 50H27M52 50L78 95",
  K: "M27 5V95M76 5L28 56M42 42L78 95",
};
