// Tests of the modules of the page that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Animation, changedPart } from "../page/apng.js";
import { brushed } from "../page/brush.js";
import { crc32 } from "../page/bytes.js";
import { socketAddress } from "../page/connection.js";
import { GameView } from "../page/game-view.js";
import { Stepping } from "../page/stepping.js";
import { zip } from "../page/zip.js";
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

/** A game of a root and `count` moves, at its start. */
function line(count) {
  const game = new GameView();
  const nodes = Array.from({ length: count + 1 }, (_, id) => ({ id, parent: id ? id - 1 : null, ply: id, ja: "", en: "", comment: "" }));
  game.apply({ isNew: true, nodes, at: 0, slips: [], players: ["", ""], isHandicap: false });
  return game;
}

test("steps that come faster than answers are all taken", () => {
  const game = line(30);
  const asked = [];
  const stepping = new Stepping(game, (node) => asked.push(node));
  for (let key = 0; key < 12; key++) stepping.step(1);
  assert.deepEqual(asked, [1], "one question at a time");
  while (game.at !== asked.at(-1)) {
    game.at = asked.at(-1);
    stepping.shown(game.at);
  }
  assert.equal(game.at, 12);
  stepping.step(-Infinity);
  assert.equal(asked.at(-1), 0);
  // The tree was rebuilt under it: nothing is waited for any more.
  game.apply({ isNew: true, nodes: [{ id: 0, parent: null, ply: 0, ja: "", en: "", comment: "" }], at: 0, slips: [], players: ["", ""], isHandicap: false });
  stepping.shown(0);
  assert.equal(stepping.target, null);
});

test("an animation is a PNG with its pictures counted", async () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  const pixels = (value) => ({ width: 4, height: 3, data: new Uint8ClampedArray(48).fill(value) });
  const other = pixels(7);
  other.data[4 * (4 * 1 + 2)] = 9;
  assert.deepEqual(changedPart(other, pixels(7)), { x: 2, y: 1, width: 1, height: 1 });
  const animation = new Animation();
  await animation.add(pixels(7), 500);
  await animation.add(other, 500);
  const bytes = new Uint8Array(await animation.finish().arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  for (const name of ["IHDR", "acTL", "IDAT", "fdAT", "IEND"]) assert.ok(text.includes(name), name);
  assert.equal(text.split("fcTL").length - 1, 2);
  assert.equal(bytes[text.indexOf("acTL") + 7], 2);
});

test("a brush writes every character of the pieces", () => {
  for (const character of "歩兵香車桂馬銀将金角行飛王玉と成龍全圭杏") {
    const shape = brushed(character);
    assert.match(shape ?? "", /^(M[-\d. L]+Z)+$/, character);
  }
  assert.equal(brushed("x"), null);
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
