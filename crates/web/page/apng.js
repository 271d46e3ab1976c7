// Animated PNG (APNG 1.0, Parmenter, Vukićević and Smith 2008): pictures one after the other, of each
// only the part that changed. Every browser shows it, and what knows only PNG shows the first.

import { crc32, packed } from "./bytes.js";

/** @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Pixels */

/** @param {...[number, 1 | 2 | 4]} fields the highest byte first */
const big = (...fields) => packed(false, fields);

/**
 * @param {string} type
 * @param {...Uint8Array} parts
 */
function chunk(type, ...parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(size + 12);
  bytes.set(big([size, 4]));
  bytes.set(new TextEncoder().encode(type), 4);
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.set(big([crc32(bytes.subarray(4, at)), 4]), at);
  return bytes;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The smallest part of a picture outside of which it equals another one.
 * @param {Pixels} picture
 * @param {Pixels | null} before
 */
export function changedPart({ width, height, data }, before) {
  if (!before) return { x: 0, y: 0, width, height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  const [now, old] = [new Uint32Array(data.buffer, data.byteOffset, width * height), new Uint32Array(before.data.buffer, before.data.byteOffset, width * height)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (now[y * width + x] === old[y * width + x]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  // A picture that did not change still needs a part: one point.
  return right < 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * The rows of a part of a picture, without transparency and without a filter, compressed.
 * @param {Pixels} picture
 * @param {{ x: number, y: number, width: number, height: number }} part
 */
function rows({ width: all, data }, { x, y, width, height }) {
  const bytes = new Uint8Array(height * (width * 3 + 1));
  let at = 0;
  for (let row = y; row < y + height; row++) {
    bytes[at++] = 0;
    for (let column = x; column < x + width; column++) {
      const from = (row * all + column) * 4;
      bytes[at++] = data[from] ?? 0;
      bytes[at++] = data[from + 1] ?? 0;
      bytes[at++] = data[from + 2] ?? 0;
    }
  }
  return deflated(bytes);
}

/** Puts pictures together as they come, so that only two of them are in memory. */
export class Animation {
  constructor() {
    /** @type {Uint8Array[]} */
    this.chunks = [];
    /** @type {Pixels | null} */
    this.last = null;
    this.count = 0;
    this.sequence = 0;
  }

  /**
   * Adds a picture that is shown for so many milliseconds.
   * @param {Pixels} picture
   * @param {number} millis
   */
  async add(picture, millis) {
    const part = changedPart(picture, this.last);
    const data = await rows(picture, part);
    this.chunks.push(chunk("fcTL", big([this.sequence++, 4], [part.width, 4], [part.height, 4], [part.x, 4], [part.y, 4], [millis, 2], [1000, 2], [0, 1], [0, 1])));
    this.chunks.push(this.last ? chunk("fdAT", big([this.sequence++, 4]), data) : chunk("IDAT", data));
    this.last = picture;
    this.count++;
  }

  /** The bytes of the file. */
  finish() {
    const { width, height } = this.last ?? { width: 1, height: 1 };
    const head = [
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", big([width, 4], [height, 4], [8, 1], [2, 1], [0, 1], [0, 1], [0, 1])),
      chunk("acTL", big([this.count, 4], [0, 4])),
    ];
    return new Blob([...head, ...this.chunks, chunk("IEND")].map((bytes) => /** @type {Uint8Array<ArrayBuffer>} */ (bytes)), { type: "image/png" });
  }
}
