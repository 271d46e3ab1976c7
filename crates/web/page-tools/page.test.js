// Tests of the modules of the page that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { socketAddress } from "../page/connection.js";
import { crc32, zip } from "../page/zip.js";
import { Orientation, indexOf, opponent, pairIndex, squareOf } from "../page/orientation.js";

test("squares are numbered in the order of reading", () => {
  assert.deepEqual([0, 8, 9, 76, 80].map(squareOf), ["9a", "1a", "9b", "5i", "1i"]);
  for (let index = 0; index < 81; index++) assert.equal(indexOf(squareOf(index)), index);
});

test("a board is seen from the side at the bottom", () => {
  const orientation = new Orientation();
  assert.deepEqual([orientation.top, orientation.bottom], ["w", "b"]);
  assert.equal(orientation.cellOf(indexOf("9a")), 0);
  assert.ok(orientation.isUpsideDown("w") && !orientation.isUpsideDown("b"));
  orientation.flip();
  assert.deepEqual([orientation.top, orientation.bottom], ["b", "w"]);
  assert.equal(orientation.cellOf(indexOf("1i")), 0);
  assert.ok(orientation.isUpsideDown("b") && !orientation.isUpsideDown("w"));
  for (let index = 0; index < 81; index++) assert.equal(orientation.indexAt(orientation.cellOf(index)), index);
});

test("pairs have Black first", () => {
  assert.deepEqual(["b", "w"].map(pairIndex), [0, 1]);
  assert.deepEqual(["b", "w"].map(opponent), ["w", "b"]);
});

test("a page that came over TLS opens an encrypted socket", () => {
  assert.equal(socketAddress({ protocol: "http:", host: "127.0.0.1:8765" }), "ws://127.0.0.1:8765/socket");
  assert.equal(socketAddress({ protocol: "https:", host: "shogi.example" }), "wss://shogi.example/socket");
});

test("an archive has the checksums and the names of its files", async () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  const bytes = new Uint8Array(await zip([{ name: "棋譜.kif", text: "手合割" }, { name: "b.csa", text: "" }]).arrayBuffer());
  const view = new DataView(bytes.buffer);
  assert.equal(view.getUint32(0, true), 0x04034b50);
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  assert.equal(view.getUint16(end + 10, true), 2);
  const directory = view.getUint32(end + 16, true);
  assert.equal(view.getUint32(directory, true), 0x02014b50);
  assert.equal(directory + view.getUint32(end + 12, true), end);
});
