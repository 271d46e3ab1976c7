// The review of a game as a report: to print, as a page of its own, or as a picture.

import { h, s } from "./dom.js";
import { saveBlob } from "./files.js";
import { nodeName, resultName, valueName } from "./game-view.js";
import { drawGraph } from "./graph.js";
import { Painter, standalone, toCanvas, toPng } from "./picture.js";
import { print } from "./print.js";
import { colorName, language, pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./picture.js").Drawing} Drawing
 * @typedef {import("./protocol.js").ColorLetter} ColorLetter
 * @typedef {import("./protocol.js").ReviewMessage} ReviewMessage
 * @typedef {import("./protocol.js").SlipView} SlipView
 * @typedef {{ slip: SlipView, drawing: Drawing, title: string, text: string }} Diagram
 */

const MARKS = { dubious: "?!", mistake: "?", blunder: "??" };
const GRAPH = { width: 900, height: 220 };

/** @param {App} app */
function titleOf(app) {
  const { players } = app.games.analyse;
  const [black, white] = /** @type {ColorLetter[]} */ (["b", "w"]).map((color, place) => players[place] || colorName(color));
  return `☗ ${black} – ☖ ${white}`;
}

/** @param {App} app */
function graphOf(app) {
  const svg = s("svg", { class: "graph", viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}` }, drawGraph(app.games.analyse, GRAPH.width, GRAPH.height).parts);
  const holder = h("div", { class: "painter" }, svg);
  document.body.append(holder);
  const drawing = standalone(svg, GRAPH.width, GRAPH.height);
  holder.remove();
  return drawing;
}

/**
 * A diagram for every slip: the position before it, with the better move.
 * @param {App} app
 * @param {ReviewMessage} review
 */
async function diagramsOf(app, review) {
  const { positions, nodes } = await app.positions("analyse");
  const game = app.games.analyse;
  const painter = new Painter(false);
  /** @type {Diagram[]} */
  const diagrams = [];
  for (const slip of review.slips) {
    const node = game.nodes[slip.node];
    const position = positions[nodes.indexOf(node?.parent ?? 0)];
    if (!node || !position) continue;
    const [better] = slip.line;
    diagrams.push({
      slip,
      drawing: painter.paint(position, game.players, better ? [{ move: better.move, kind: "better" }] : []),
      title: `${node.ply}. ${nodeName(node)} ${MARKS[slip.grade]} ${t(slip.grade)}, −${Math.round(slip.loss * 100)}% (${valueName(slip.best, slip.bestMate)} → ${valueName(slip.played, slip.playedMate)})`,
      text: `${t("better")} ${slip.line.map(pick).join(" ")}`,
    });
  }
  painter.close();
  return diagrams;
}

/** @param {Drawing} drawing */
function pictureOf({ text }) {
  const element = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const { width, height } = /** @type {any} */ (element);
  element.setAttribute("viewBox", element.getAttribute("viewBox") ?? `0 0 ${width.baseVal.value} ${height.baseVal.value}`);
  element.removeAttribute("width");
  element.removeAttribute("height");
  return h("figure", {}, document.importNode(element, true));
}

/**
 * Both accuracies in words.
 * @param {App} app
 * @param {ReviewMessage} review
 */
function accuraciesOf(app, review) {
  return /** @type {ColorLetter[]} */ (["b", "w"]).map((color, place) => {
    const count = { dubious: 0, mistake: 0, blunder: 0 };
    for (const slip of review.slips) if (slip.color === color) count[slip.grade]++;
    const name = app.games.analyse.players[place] || colorName(color);
    const value = review.accuracy[place] ?? null;
    return `${t("accuracy")} ${value === null ? "–" : `${value.toFixed(1)}%`} · ${t("slips", `${color === "b" ? "☗" : "☖"} ${name}`, count.dubious, count.mistake, count.blunder)}`;
  });
}

/**
 * The report as elements.
 * @param {App} app
 * @param {ReviewMessage} review
 */
async function build(app, review) {
  const game = app.games.analyse;
  const line = game.mainLine().map((id) => game.nodes[id]).filter((node) => node !== undefined && node.parent !== null);
  const end = line.find((node) => node?.end)?.end;
  const diagrams = await diagramsOf(app, review);
  return h("article", { class: "report" },
    h("h1", {}, titleOf(app)),
    h("p", { class: "outcome" }, [t("movesPlayed", line.filter((node) => node?.move).length), end ? resultName(end) : ""].filter(Boolean).join(" · ")),
    accuraciesOf(app, review).map((text) => h("p", {}, text)),
    pictureOf(graphOf(app)),
    h("div", { class: "diagrams" }, diagrams.map(({ drawing, title, text, slip }) => h("section", { class: slip.isTurningPoint ? "turned" : "" },
      h("h2", {}, (slip.isTurningPoint ? "↯ " : "") + title), pictureOf(drawing), h("p", {}, text)))),
    h("h2", {}, t("moves")),
    h("p", { class: "record" }, line.map((node) => (node ? `${node.end ? "" : `${node.ply}.`}${nodeName(node)}${game.slips.has(node.id) ? MARKS[game.slips.get(node.id) ?? "dubious"] : ""} ` : ""))));
}

/**
 * Prints the report.
 * @param {App} app
 * @param {ReviewMessage} review
 */
export async function printReport(app, review) {
  print(await build(app, review));
}

/**
 * Saves the report as a page that needs nothing else.
 * @param {App} app
 * @param {ReviewMessage} review
 */
export async function saveReport(app, review) {
  const article = await build(app, review);
  const style = await (await fetch("/print.css")).text();
  const text = `<!DOCTYPE html>\n<html lang="${language()}">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>${escaped(titleOf(app))}</title>\n<style>\n${style}</style>\n${article.outerHTML}\n</html>\n`;
  saveBlob(new Blob([text], { type: "text/html" }), "tesuji-report.html");
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/**
 * Saves the report as a picture: the graph, and the worst slips.
 * @param {App} app
 * @param {ReviewMessage} review
 */
export async function saveReportPicture(app, review) {
  saveBlob(await reportPicture(app, review), "tesuji-report.png");
}

const WIDE = 1200;
const MOST_DIAGRAMS = 4;

/**
 * @param {App} app
 * @param {ReviewMessage} review
 */
export async function reportPicture(app, review) {
  const worst = (await diagramsOf(app, review)).sort((a, b) => b.slip.loss - a.slip.loss).slice(0, MOST_DIAGRAMS);
  worst.sort((a, b) => a.slip.node - b.slip.node);
  const [graph, ...boards] = await Promise.all([toCanvas(graphOf(app), WIDE - 60), ...worst.map(({ drawing }) => toCanvas(drawing, WIDE / 2 - 60))]);
  const high = (boards[0]?.height ?? 0) + 70;
  const canvas = h("canvas", { width: WIDE, height: 190 + (graph?.height ?? 0) + Math.ceil(boards.length / 2) * high });
  const context = canvas.getContext("2d");
  if (!context || !graph) throw new Error("no picture");
  const style = getComputedStyle(document.documentElement);
  const [paper, ink, font] = [style.getPropertyValue("--card"), style.getPropertyValue("--ink"), style.fontFamily];
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  /** @type {(text: string, x: number, y: number, size: number, most?: number) => void} */
  const write = (text, x, y, size, most = WIDE - 60) => {
    context.font = `600 ${size}px ${font}`;
    context.fillText(text, x, y, most);
  };
  write(titleOf(app), 30, 56, 34);
  accuraciesOf(app, review).forEach((text, place) => write(text, 30, 96 + place * 32, 20));
  context.drawImage(graph, 30, 150);
  boards.forEach((board, place) => {
    const [x, y] = [30 + (place % 2) * (WIDE / 2), 180 + graph.height + Math.floor(place / 2) * high];
    write(worst[place]?.title ?? "", x, y, 16, WIDE / 2 - 60);
    context.drawImage(board, x, y + 12);
    write(worst[place]?.text ?? "", x, y + board.height + 34, 15, WIDE / 2 - 60);
  });
  return toPng(canvas);
}
