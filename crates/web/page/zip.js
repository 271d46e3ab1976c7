// Files in one archive: ZIP without compression (PKWARE 1989), names in UTF-8.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/**
 * The checksum that archives have.
 * @param {Uint8Array} bytes
 */
export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/**
 * Numbers of two or four bytes, the lowest byte first.
 * @param {[number, 2 | 4][]} fields
 */
function packed(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

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
    const local = packed([[0x04034b50, 4], ...head]);
    directory.push(packed([[0x02014b50, 4], [20, 2], ...head, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), title);
    parts.push(local, title, bytes);
    offset += local.length + title.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = packed([[0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
