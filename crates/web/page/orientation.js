// Which way round a board is drawn. Squares, cells of the screen and sides are mapped here and
// nowhere else.

/** @typedef {import("./protocol.js").ColorLetter} ColorLetter */

const RANKS = "abcdefghi";

/**
 * The square with an index in the order of reading, 9a first.
 * @param {number} index
 */
export function squareOf(index) {
  return `${9 - (index % 9)}${RANKS[Math.floor(index / 9)]}`;
}

/**
 * The index of a square such as 7g.
 * @param {string} square
 */
export function indexOf(square) {
  return 9 - Number(square[0]) + 9 * RANKS.indexOf(square[1] ?? "");
}

/**
 * The place of a colour in a pair of Black and White.
 * @param {ColorLetter} color
 * @returns {0 | 1}
 */
export function pairIndex(color) {
  return color === "b" ? 0 : 1;
}

/**
 * The other colour.
 * @param {ColorLetter} color
 * @returns {ColorLetter}
 */
export function opponent(color) {
  return color === "b" ? "w" : "b";
}

/** The side from which a board is seen. */
export class Orientation {
  constructor() {
    this.flipped = false; // whether White sits at the bottom
  }

  flip() {
    this.flipped = !this.flipped;
  }

  /**
   * The colour that sits at the bottom of the screen.
   * @returns {ColorLetter}
   */
  get bottom() {
    return this.flipped ? "w" : "b";
  }

  /**
   * The colour that sits at the top of the screen.
   * @returns {ColorLetter}
   */
  get top() {
    return opponent(this.bottom);
  }

  /**
   * Whether the pieces of a colour are drawn upside down.
   * @param {ColorLetter} color
   */
  isUpsideDown(color) {
    return color === this.top;
  }

  /**
   * The cell of the screen, counted from the upper left, where the square with an index is drawn.
   * @param {number} index
   */
  cellOf(index) {
    return this.flipped ? 80 - index : index;
  }

  /**
   * The index of the square that is drawn in a cell of the screen.
   * @param {number} cell
   */
  indexAt(cell) {
    return this.flipped ? 80 - cell : cell;
  }
}
