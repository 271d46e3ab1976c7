// The language of the page, and names in it. The texts are in one module for each tab.

import { ANALYSE_TEXTS } from "./texts-analyse.js";
import { BOARD_TEXTS } from "./texts-board.js";
import { LEARN_TEXTS } from "./texts-learn.js";
import { PAGE_TEXTS } from "./texts-page.js";
import { PLAY_TEXTS } from "./texts-play.js";
import { SOLVE_TEXTS } from "./texts-solve.js";

/** @typedef {"en" | "ja"} Language */

/** @type {Language} */
let current = "en";

/** The language of the page. */
export function language() {
  return current;
}

/** @param {Language} code */
export function setLanguage(code) {
  current = code;
}

const TEXTS = { ...PAGE_TEXTS, ...PLAY_TEXTS, ...ANALYSE_TEXTS, ...SOLVE_TEXTS, ...LEARN_TEXTS, ...BOARD_TEXTS };

/** @typedef {keyof typeof TEXTS} TextKey */

/**
 * A text, with the parts in its braces.
 * @param {TextKey} key
 * @param {...(string | number)} parts
 */
export function t(key, ...parts) {
  const text = TEXTS[key][current === "ja" ? 1 : 0] ?? "";
  return text.replace(/\{(\d)\}/g, (_, place) => String(parts[place] ?? ""));
}

/**
 * A function that gives the texts of a table of a tab that is loaded later.
 * @template {Record<string, string[]>} T
 * @param {T} table
 * @returns {(key: keyof T & string, ...parts: (string | number)[]) => string}
 */
export function translator(table) {
  return (key, ...parts) => {
    const text = table[key]?.[current === "ja" ? 1 : 0] ?? "";
    return text.replace(/\{(\d)\}/g, (_, place) => String(parts[place] ?? ""));
  };
}

/**
 * A list of texts.
 * @param {"levels" | "handicaps"} key
 */
export function list(key) {
  return t(key).split("|");
}

/**
 * The text for the language of the page.
 * @param {{ en: string, ja: string }} both
 */
export function pick(both) {
  return both[current];
}

/** Whether the game that is shown has a handicap: its sides have other names in Japanese. */
let isHandicap = false;

/** @param {boolean} is */
export function setHandicap(is) {
  isHandicap = is;
}

/**
 * The name of a side.
 * @param {import("./protocol.js").ColorLetter} color
 */
export function colorName(color) {
  if (isHandicap) return t(color === "b" ? "taker" : "giver");
  return t(color === "b" ? "black" : "white");
}

/**
 * The names of an opening and of both castles, as far as they have any.
 * @param {{ opening: { en: string, ja: string } | null, castles: ({ en: string, ja: string } | null)[] }} names
 */
export function namesText({ opening, castles }) {
  const signed = castles.map((castle, place) => castle && `${place === 0 ? "☗" : "☖"} ${pick(castle)}`);
  return [opening && pick(opening), ...signed].filter(Boolean).join(" · ");
}

/** @type {Record<string, [string, string]>} */
const KINDS = {
  P: ["pawn", "歩"], L: ["lance", "香"], N: ["knight", "桂"], S: ["silver", "銀"], G: ["gold", "金"],
  B: ["bishop", "角"], R: ["rook", "飛"], K: ["king", "玉"],
  "+P": ["promoted pawn", "と"], "+L": ["promoted lance", "成香"], "+N": ["promoted knight", "成桂"],
  "+S": ["promoted silver", "成銀"], "+B": ["horse", "馬"], "+R": ["dragon", "龍"],
};

/**
 * The name of a kind of piece.
 * @param {string} code the piece as SFEN writes it
 */
export function kindName(code) {
  return KINDS[code.toUpperCase()]?.[current === "ja" ? 1 : 0] ?? code;
}

const RANKS = "一二三四五六七八九";

/**
 * The name of a square such as 7g.
 * @param {string} square
 */
export function squareName(square) {
  return `${square[0]}${rankName("abcdefghi".indexOf(square[1] ?? ""))}`;
}

/**
 * The name of a rank, 0 being the uppermost.
 * @param {number} rank
 */
export function rankName(rank) {
  return (current === "ja" ? RANKS : "abcdefghi")[rank] ?? "";
}

/**
 * The name of a piece on a square, for screen readers.
 * @param {string} code the piece as SFEN writes it
 */
export function pieceName(code) {
  const side = colorName(code === code.toUpperCase() ? "b" : "w");
  return current === "ja" ? side + kindName(code) : `${side} ${kindName(code)}`;
}
