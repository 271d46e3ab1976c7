// A game for others: as a link, a file, a picture, an animation, on paper; and the same game on a
// phone, or with another person in the network.

import { Animation } from "./apng.js";
import { h, s, textButton } from "./dom.js";
import { askForFormat, copy, dialog, saveBlob } from "./files.js";
import { nodeName } from "./game-view.js";
import { Painter, toCanvas, toPng } from "./picture.js";
import { print } from "./print.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").GameTab} GameTab
 * @typedef {import("./protocol.js").PositionView} PositionView
 */

/**
 * The board of the tab that is shown.
 * @param {App} app
 */
function boardOf(app) {
  return "board" in app.tab ? app.tab.board : null;
}

/**
 * The position that is shown, as a drawing.
 * @param {App} app
 * @param {GameTab} tab
 */
function currentDrawing(app, tab) {
  const board = boardOf(app);
  if (!board?.position) return null;
  const painter = new Painter(board.orientation.flipped);
  const drawing = painter.paint(board.position, app.games[tab].players, board.arrows);
  painter.close();
  return drawing;
}

/**
 * The position as a picture.
 * @param {App} app
 * @param {GameTab} tab
 */
export async function positionPicture(app, tab) {
  const drawing = currentDrawing(app, tab);
  return drawing && toPng(await toCanvas(drawing, 1200));
}

/**
 * The whole game as an animation.
 * @param {App} app
 * @param {GameTab} tab
 * @param {(part: number) => void} [progress] told how much is done
 */
export async function gameAnimation(app, tab, progress = () => {}) {
  const { positions } = await app.positions(tab);
  const painter = new Painter(boardOf(app)?.orientation.flipped ?? false);
  const animation = new Animation();
  try {
    for (const [place, position] of positions.entries()) {
      const canvas = await toCanvas(painter.paint(position, app.games[tab].players), 560);
      const pixels = canvas.getContext("2d", { willReadFrequently: true })?.getImageData(0, 0, canvas.width, canvas.height);
      if (pixels) await animation.add(pixels, place === 0 || place === positions.length - 1 ? 2500 : 900);
      progress((place + 1) / positions.length);
    }
  } finally {
    painter.close();
  }
  return animation.finish();
}

/**
 * Prints the position as a diagram.
 * @param {App} app
 * @param {GameTab} tab
 */
export function printDiagram(app, tab) {
  const drawing = currentDrawing(app, tab);
  if (!drawing) return;
  const game = app.games[tab];
  const picture = new DOMParser().parseFromString(drawing.text, "image/svg+xml").documentElement;
  const node = game.nodes[tab === "play" ? app.messages.play?.shown ?? game.at : game.at];
  print(h("article", { class: "report diagram" },
    h("figure", {}, document.importNode(picture, true)),
    h("p", {}, node && node.parent !== null ? `${node.ply} ${nodeName(node)}` : t("start"))));
}

/** Whether the page comes from this machine, so that nobody else can open its address. */
export function isLocal(hostname = location.hostname) {
  return /^(localhost|127\.|\[?::1)/.test(hostname);
}

/**
 * The dialog with everything that can be given away.
 * @param {App} app
 * @param {GameTab} tab
 */
export function openShare(app, tab) {
  app.onLink = (message) => showShare(app, tab, message);
  app.request({ share: tab });
}

/**
 * @param {App} app
 * @param {GameTab} tab
 * @param {import("./protocol.js").LinkMessage} message
 */
function showShare(app, tab, { game, addresses }) {
  const [elsewhere] = addresses;
  const origin = isLocal() && elsewhere ? elsewhere : location.origin;
  const url = `${origin}/#game=${game}`;
  const field = h("input", { readonly: true, value: url, id: "link", "aria-label": t("shareLink") });
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("animation") });
  const animate = async () => {
    bar.hidden = false;
    saveBlob(await gameAnimation(app, tab, (part) => {
      bar.value = part;
    }), "tesuji-game.png");
    bar.hidden = true;
  };
  const picture = async () => {
    const blob = await positionPicture(app, tab);
    if (blob) saveBlob(blob, "tesuji-board.png");
  };
  dialog(t("share"), h("div", { class: "column share" },
    h("h3", {}, t("shareLink")),
    h("div", { class: "row" }, field, h("button", { type: "button", class: "main", onclick: (event) => copy(url, event.target) }, t("copy"))),
    isLocal() && !elsewhere ? h("p", { class: "note", id: "local-link" }, t("localLink")) : null,
    h("h3", {}, t("sharePicture")),
    h("div", { class: "row" },
      textButton("boardPicture", () => void picture(), { id: "board-picture" }),
      textButton("animation", () => void animate(), { id: "animation" }), bar,
      textButton("printDiagram", () => printDiagram(app, tab), { id: "print-diagram" }),
      textButton("shareFile", () => askForFormat(app, tab), { id: "share-file" })),
    h("h3", {}, t("together")),
    h("div", { class: "row" },
      textButton("onPhone", () => invite(app, "session"), { id: "on-phone" }),
      tab === "play" ? textButton("withGuest", () => invite(app, { guest: { color: boardOf(app)?.orientation.top ?? "w" } }), { id: "with-guest" }) : null)));
  field.select();
}

/**
 * Shows an address, and the code that a phone reads, under which the same games or a place at the
 * board are found.
 * @param {App} app
 * @param {import("./protocol.js").InvitationKind} kind
 */
export function invite(app, kind) {
  app.onInvitation = ({ url, code, size }) => {
    const squares = [...code].flatMap((dot, place) => (dot === "1" ? [`M${place % size} ${Math.floor(place / size)}h1v1h-1z`] : []));
    const isGuest = kind !== "session";
    dialog(t(isGuest ? "withGuest" : "onPhone"), h("div", { class: "column" },
      h("p", { class: "note" }, t(isGuest ? "guestHelp" : "phoneHelp")),
      s("svg", { class: "qr", viewBox: `-3 -3 ${size + 6} ${size + 6}`, role: "img", "aria-label": url }, s("rect", { x: -3, y: -3, width: size + 6, height: size + 6, fill: "#fff" }), s("path", { d: squares.join(""), fill: "#000" })),
      h("div", { class: "row" }, h("input", { readonly: true, value: url, id: "invitation", class: "wide", "aria-label": t("onPhone") }), h("button", { type: "button", class: "main", onclick: (event) => copy(url, event.target) }, t("copy")))));
  };
  app.request({ invite: kind });
}
