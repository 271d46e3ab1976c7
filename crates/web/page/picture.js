// Positions as pictures: the board as it is drawn here, with hands and names, as an SVG that stands
// for itself, or as pixels.

import { Board } from "./board.js";
import { h, s } from "./dom.js";
import { pairIndex } from "./orientation.js";
import { drawPiece } from "./pieces.js";
import { settings } from "./settings.js";
import { colorName } from "./texts.js";

/**
 * @typedef {import("./protocol.js").PositionView} PositionView
 * @typedef {{ text: string, width: number, height: number }} Drawing
 */

const SIDE = 150; // what a stand takes beside the board
const EDGE = 12;

/** The properties that make the looks of a drawing. */
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "paint-order", "text-anchor"];

/**
 * Writes the looks of a drawing that is in the document into its copy, which then needs no style sheet.
 * @param {Element} source
 * @param {Element} copy
 */
function inlineLooks(source, copy) {
  const style = getComputedStyle(source);
  for (const name of LOOKS) copy.setAttribute(name, style.getPropertyValue(name));
  if (source instanceof SVGElement && source.style.transform) {
    copy.setAttribute("transform", source.style.transform.replace(/px|deg/g, ""));
    copy.removeAttribute("style");
  }
  for (const name of ["class", "role", "tabindex", "aria-label", "data-index"]) copy.removeAttribute(name);
  [...source.children].forEach((child, place) => {
    const other = copy.children[place];
    if (other) inlineLooks(child, other);
  });
}

/**
 * A drawing that is in the document as an SVG that stands for itself.
 * @param {SVGSVGElement} svg
 * @param {number} width
 * @param {number} height
 * @returns {Drawing}
 */
export function standalone(svg, width, height) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  inlineLooks(svg, copy);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

/** Draws positions one after the other, unseen. */
export class Painter {
  /** @param {boolean} flipped */
  constructor(flipped) {
    this.board = new Board(() => {});
    if (flipped) this.board.flip();
    this.holder = h("div", { class: "painter", "aria-hidden": "true" });
    document.body.append(this.holder);
  }

  /**
   * @param {PositionView} position
   * @param {[string, string]} players
   * @param {import("./board.js").Arrow[]} [arrows]
   */
  paint(position, players, arrows = []) {
    const { board } = this;
    board.show({ ...position, moves: [] });
    board.showArrows(arrows);
    const view = board.svg.viewBox.baseVal;
    const [width, height] = [view.width + 2 * SIDE + 2 * EDGE, view.height + 2 * EDGE];
    const picture = s("svg", { class: "picture-of-board", viewBox: `0 0 ${width} ${height}` },
      s("rect", { class: "paper", width, height }),
      this.hand(position, players, "top", EDGE + SIDE / 2),
      this.hand(position, players, "bottom", width - EDGE - SIDE / 2));
    board.svg.setAttribute("x", String(SIDE + EDGE));
    board.svg.setAttribute("y", String(EDGE));
    board.svg.setAttribute("width", String(view.width));
    board.svg.setAttribute("height", String(view.height));
    picture.append(board.svg);
    this.holder.replaceChildren(picture);
    return standalone(picture, width, height);
  }

  /**
   * What a side has in hand, and who it is.
   * @param {PositionView} position
   * @param {[string, string]} players
   * @param {"top" | "bottom"} place
   * @param {number} x
   */
  hand(position, players, place, x) {
    const color = this.board.orientation[place];
    const held = Object.entries(position.hands[pairIndex(color)]).filter(([, count]) => count);
    const order = "RBGSNLP";
    held.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const isTop = place === "top";
    const view = this.board.svg.viewBox.baseVal;
    const name = players[pairIndex(color)] || colorName(color);
    const y = isTop ? 70 : view.height + EDGE - 20;
    const group = s("g", {}, s("text", { class: "pictured-name", x, y: isTop ? 40 : y + 10, "text-anchor": "middle" }, `${color === "b" ? "☗" : "☖"} ${[...name].slice(0, 7).join("")}`));
    held.forEach(([kind, count], index) => {
      const at = isTop ? y + 60 + index * 108 : y - 80 - index * 108;
      const code = color === "b" ? kind : kind.toLowerCase();
      group.append(
        s("g", { class: `piece ${color}`, transform: `translate(${x - 14} ${at}) rotate(${isTop ? 180 : 0})` }, drawPiece(code, settings.pieces)),
        count > 1 ? s("text", { class: "pictured-count", x: x + 48, y: at + 12, "text-anchor": "middle" }, String(count)) : s("g", {}));
    });
    return group;
  }

  close() {
    this.holder.remove();
  }
}

/**
 * Draws a drawing onto a canvas.
 * @param {Drawing} drawing
 * @param {number} wide how wide, in pixels
 */
export async function toCanvas({ text, width, height }, wide) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: Math.round(wide), height: Math.round((wide / width) * height) });
    canvas.getContext("2d", { willReadFrequently: true })?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * A canvas as a PNG.
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export function toPng(canvas) {
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}
