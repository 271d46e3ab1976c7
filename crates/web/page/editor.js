// The position editor: pieces anywhere. The server decides whether the position is possible.

import { h, s } from "./dom.js";
import { Board } from "./board.js";
import { dialog } from "./files.js";
import { drawPiece, side } from "./pieces.js";
import { settings } from "./settings.js";
import { pairIndex } from "./orientation.js";
import { colorName, kindName, t } from "./texts.js";

/**
 * @typedef {import("./protocol.js").ColorLetter} ColorLetter
 * @typedef {import("./protocol.js").PositionView} PositionView
 * @typedef {{ board: (string | null)[], turn: ColorLetter, hands: PositionView["hands"] }} EditedPosition
 */

/**
 * How many pieces of each kind there are.
 * @type {Record<string, number>}
 */
const SET = { P: 18, L: 4, N: 4, S: 4, G: 4, B: 2, R: 2, K: 2 };
const CLEAR = "9/9/9/9/9/9/9/9/9 b - 1";
const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MATE = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";

/**
 * Board, hands and turn of an SFEN; `null` if a part is missing. Squares that are missing are empty.
 * @param {string} sfen
 * @returns {EditedPosition | null}
 */
function read(sfen) {
  const [rows, turn, held] = sfen.split(" ");
  if (rows === undefined || held === undefined) return null;
  const board = rows.split("/").flatMap((row) => (row.match(/\+?[a-zA-Z]|\d/g) ?? []).flatMap((part) => /** @type {(string | null)[]} */ (/\d/.test(part) ? Array(Number(part)).fill(null) : [part])));
  while (board.length < 81) board.push(null);
  board.length = 81;
  /** @type {PositionView["hands"]} */
  const hands = [{}, {}];
  for (const [, number, letter = ""] of held.matchAll(/(\d*)([a-zA-Z])/g)) {
    hands[pairIndex(side(letter))][letter.toUpperCase()] = Number(number || 1);
  }
  return { board, turn: turn === "w" ? "w" : "b", hands };
}

/** @param {EditedPosition} position */
function write({ board, turn, hands }) {
  const rows = [];
  for (let rank = 0; rank < 9; rank++) {
    const row = board.slice(rank * 9, rank * 9 + 9).map((code) => code ?? "1").join("");
    rows.push(row.replace(/1+/g, (ones) => String(ones.length)));
  }
  const held = hands.flatMap((hand, place) => ["R", "B", "G", "S", "N", "L", "P"].filter((kind) => hand[kind]).map((kind) => {
    const number = hand[kind] ?? 0;
    return `${number > 1 ? number : ""}${place === 0 ? kind : kind.toLowerCase()}`;
  }));
  return `${rows.join("/")} ${turn} ${held.join("") || "-"} 1`;
}

/**
 * How many pieces of a kind there are on the board and in both hands.
 * @param {EditedPosition} position
 * @param {string} kind
 */
function count({ board, hands }, kind) {
  const onBoard = board.filter((code) => code?.toUpperCase().replace("+", "") === kind).length;
  return onBoard + (hands[0][kind] ?? 0) + (hands[1][kind] ?? 0);
}

/**
 * Puts every piece that is missing into White's hand, as in a mate problem.
 * @param {EditedPosition} position
 */
function giveRestToWhite(position) {
  const white = position.hands[pairIndex("w")];
  for (const [kind, all] of Object.entries(SET)) {
    const missing = all - count(position, kind);
    if (kind !== "K" && missing > 0) white[kind] = (white[kind] ?? 0) + missing;
  }
}

/**
 * A button for every piece, by the piece as SFEN writes it.
 * @param {(code: string) => void} choose
 */
function brushButtons(choose) {
  const codes = ["K", "R", "B", "G", "S", "N", "L", "P", "+R", "+B", "+S", "+N", "+L", "+P"].flatMap((kind) => [kind, kind.toLowerCase()]);
  return new Map(codes.map((code) => {
    const face = s("svg", { viewBox: "-50 -54 100 108", class: side(code) === "w" ? "turned" : "" }, s("g", { class: "piece" }, drawPiece(code, settings.pieces)));
    return [code, h("button", { type: "button", "data-code": code, "aria-label": `${colorName(side(code))} ${kindName(code)}`, onclick: () => choose(code) }, face)];
  }));
}

/**
 * Opens the editor with a position.
 * @param {string} sfen
 * @param {(sfen: string) => void} use called with the position that was made
 */
export function openEditor(sfen, use) {
  let state = /** @type {EditedPosition} */ (read(sfen) ?? read(CLEAR));
  /** @type {string | null} */
  let brush = null; // the piece that is put down, as SFEN writes it
  const board = new Board(() => {});
  const show = () => {
    board.show({ ...state, sfen: write(state), moves: [], last: null, check: null });
    turn.value = state.turn;
    field.value = write(state);
    for (const [code, button] of brushes) button.setAttribute("aria-pressed", String(code === brush));
  };
  board.edit = {
    square: (index, remove) => {
      const old = state.board[index];
      if (remove) state.board[index] = null;
      else if (brush !== null && brush !== old) state.board[index] = brush;
      else if (old) state.board[index] = turned(old);
      show();
    },
    hand: (color, kind) => {
      const held = state.hands[pairIndex(color)];
      const next = (held[kind] ?? 0) + 1;
      held[kind] = count(state, kind) >= (SET[kind] ?? 0) ? 0 : next;
      show();
    },
  };
  const brushes = brushButtons((code) => {
    brush = brush === code ? null : code;
    show();
  });
  const palette = h("div", { class: "palette", role: "group", "aria-label": t("pieces") }, [...brushes.values()]);
  const turn = h("select", { "aria-label": t("toMove"), onchange: () => {
    state.turn = turn.value === "w" ? "w" : "b";
    show();
  } }, h("option", { value: "b" }, t("black")), h("option", { value: "w" }, t("white")));
  const field = h("input", { class: "wide", "aria-label": "SFEN", id: "sfen", spellcheck: "false", onchange: () => set(field.value) });
  /** @param {string} text */
  const set = (text) => {
    const position = read(text);
    // A text that cannot be read stays in the field; the server will say why.
    if (!position) return;
    state = position;
    show();
  };
  const rest = () => {
    giveRestToWhite(state);
    show();
  };
  /**
   * @param {import("./texts.js").TextKey} text
   * @param {() => void} act
   */
  const button = (text, act) => h("button", { type: "button", onclick: act }, t(text));
  const box = dialog(t("edited"),
    h("div", { class: "editor" }, board.element, h("div", { class: "column" },
      h("p", { class: "note" }, t("editHelp")), palette,
      h("div", { class: "row" }, h("label", {}, t("toMove"), turn)),
      h("div", { class: "row" }, button("emptyBoard", () => set(CLEAR)), button("startBoard", () => set(START)), button("mateBoard", () => set(MATE)), button("restToWhite", rest)),
      field,
      h("button", { type: "button", class: "main", id: "use", onclick: () => {
        use(field.value);
        box.close();
      } }, t("use")))));
  box.classList.add("large");
  show();
}

/**
 * The next form of a piece: promoted, of the other side, none.
 * @param {string} code
 */
function turned(code) {
  const upper = code.toUpperCase();
  const isBlack = code === upper;
  if (/^[PLNSBR]$/.test(upper)) return `+${code}`;
  const plain = upper.replace("+", "");
  return isBlack ? plain.toLowerCase() : null;
}
