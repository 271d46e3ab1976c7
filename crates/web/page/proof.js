// The proof explorer: a mate as a tree to open, every defence with the mate behind it.

import { h } from "./dom.js";
import { x } from "./texts-train.js";
import { pick } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").ProofBranch} ProofBranch
 * @typedef {import("./protocol.js").ProofView} ProofView
 */

export class ProofExplorer {
  /**
   * @param {App} app
   * @param {(line: string[]) => void} show called with the moves to a node that was opened
   */
  constructor(app, show) {
    this.app = app;
    this.show = show;
    this.sfen = "";
    /**
     * The lists that wait for an answer, by their line.
     * @type {Map<string, HTMLElement>}
     */
    this.waiting = new Map();
    this.element = h("div", { class: "proof", role: "tree", "aria-label": x("proof"), hidden: true });
  }

  /**
   * Shows the proof of a position.
   * @param {string} sfen
   */
  open(sfen) {
    this.sfen = sfen;
    this.waiting.clear();
    this.element.hidden = false;
    this.element.replaceChildren();
    this.ask([], this.element);
  }

  hide() {
    this.element.hidden = true;
  }

  /**
   * Asks what follows a line.
   * @param {string[]} line
   * @param {HTMLElement} place
   */
  ask(line, place) {
    place.replaceChildren(h("p", { class: "note" }, x("thinking")));
    this.waiting.set(line.join(" "), place);
    this.app.request({ train: { type: "explore", sfen: this.sfen, line } });
  }

  /** @param {ProofView} proof */
  receive({ sfen, line, branches, attacks }) {
    const place = this.waiting.get(line.join(" "));
    if (!place || !samePosition(sfen, this.sfen)) return;
    place.replaceChildren(...branches.map((branch) => this.branch(line, branch, attacks)));
  }

  /**
   * @param {string[]} line
   * @param {ProofBranch} branch
   * @param {boolean} attacks
   */
  branch(line, branch, attacks) {
    const { move, mate, escapes, answer } = branch;
    const behind = [...line, move.move, ...(answer ? [answer.move] : [])];
    const length = escapes ? x("escapes") : mate === null ? x("unknown") : mate === 0 ? x("mated") : x("mateAfter", mate);
    const text = [h("b", {}, pick(move)), answer ? ` → ${pick(answer)}` : "", h("span", { class: escapes ? "length bad" : "length" }, length)];
    const isLeaf = escapes || mate === null || mate === 0 || (!attacks && mate === 1);
    if (isLeaf) return h("div", { class: "leaf", role: "treeitem" }, h("button", { type: "button", class: "link", onclick: () => this.show(behind) }, text));
    const inner = h("div", { class: "behind", role: "group" });
    const details = h("details", { role: "treeitem", ontoggle: () => {
      if (!details.open) return;
      this.show(behind);
      if (!inner.childElementCount) this.ask(behind, inner);
    } }, h("summary", {}, text), inner);
    return details;
  }
}

/**
 * Whether two SFENs are one position, whatever the number of the move.
 * @param {string} one
 * @param {string} other
 */
function samePosition(one, other) {
  return one.split(" ").slice(0, 3).join(" ") === other.split(" ").slice(0, 3).join(" ");
}
