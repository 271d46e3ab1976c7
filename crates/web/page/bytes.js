// Numbers as bytes and the checksum over them, as PNG and ZIP want them.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/**
 * The checksum of ISO 3309.
 * @param {Uint8Array} bytes
 */
export function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 255] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}

/**
 * Numbers as bytes.
 * @param {boolean} isLowestFirst
 * @param {[number, 1 | 2 | 4][]} fields each with its size
 */
export function packed(isLowestFirst, fields) {
  const bytes = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 1) bytes.setUint8(at, value);
    else if (size === 2) bytes.setUint16(at, value, isLowestFirst);
    else bytes.setUint32(at, value, isLowestFirst);
    at += size;
  }
  return new Uint8Array(bytes.buffer);
}
