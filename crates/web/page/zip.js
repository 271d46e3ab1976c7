// Files in one archive: ZIP without compression (PKWARE 1989), names in UTF-8.

import { crc32, packed } from "./bytes.js";

/** @param {[number, 2 | 4][]} fields the lowest byte first */
const little = (fields) => packed(true, fields);

/**
 * An archive of texts.
 * @param {{ name: string, text: string }[]} files
 */
export function zip(files) {
  const encoder = new TextEncoder();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const directory = [];
  let offset = 0;
  for (const { name, text } of files) {
    const [title, bytes] = [encoder.encode(name), encoder.encode(text)];
    /** @type {[number, 2 | 4][]} */
    const head = [[20, 2], [0x0800, 2], [0, 2], [0, 2], [0x0021, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [title.length, 2], [0, 2]];
    const local = little([[0x04034b50, 4], ...head]);
    directory.push(little([[0x02014b50, 4], [20, 2], ...head, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), title);
    parts.push(local, title, bytes);
    offset += local.length + title.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = little([[0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
