// The board: draws a position, and turns clicks, drags and keys into moves. It knows no rules: what
// may be played stands in the list of moves that came with the position.

import { h, s } from "./dom.js";
import { drawPiece, side } from "./pieces.js";
import { settings } from "./settings.js";
import { kindName, language, pieceName, squareName, t } from "./words.js";

const CELL = 100;
const TALL = 108;
const LEFT = 24;
const TOP = 46;
const WIDTH = LEFT + 9 * CELL + 46;
const HEIGHT = TOP + 9 * TALL + 24;
const HAND = ["R", "B", "G", "S", "N", "L", "P"];
const RANKS = "一二三四五六七八九";

/// The square with an index as one reads a board, 9a first.
export const squareOf = (index) => `${9 - (index % 9)}${"abcdefghi"[Math.floor(index / 9)]}`;
export const indexOf = (square) => 9 - Number(square[0]) + 9 * "abcdefghi".indexOf(square[1]);

let boards = 0;

export class Board {
  /// `play` is told the moves that somebody makes.
  constructor(play) {
    this.play = play;
    this.number = ++boards;
    this.flipped = false;
    this.position = null;
    this.pieces = new Map(); // index of a square -> { code, element }
    this.selected = null; // "7g", or "P*" for a piece in hand
    this.focused = 76;
    this.arrows = [];
    this.build();
  }

  build() {
    this.cells = [];
    this.layers = {};
    for (const name of ["cells", "marks", "pieces", "targets", "arrows", "ghost"]) {
      this.layers[name] = s("g", { class: name });
    }
    this.names = s("g", { class: "coordinates", "aria-hidden": "true" });
    const lines = [];
    for (let n = 0; n <= 9; n++) {
      lines.push(`M${LEFT + n * CELL} ${TOP}v${9 * TALL}`, `M${LEFT} ${TOP + n * TALL}h${9 * CELL}`);
    }
    const stars = [3, 6].flatMap((x) => [3, 6].map((y) => s("circle", { class: "star", cx: LEFT + x * CELL, cy: TOP + y * TALL, r: 6 })));
    const arrow = s("marker", { id: `arrow${this.number}`, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: "auto-start-reverse" },
      s("path", { d: "M0 0L10 5L0 10Z" }));
    this.svg = s("svg", { class: "board", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": t("board") },
      s("defs", {}, arrow),
      s("rect", { class: "ground", width: WIDTH, height: HEIGHT, rx: 10 }),
      this.names,
      this.layers.marks,
      s("path", { class: "lines", d: lines.join("") }),
      s("rect", { class: "frame", x: LEFT, y: TOP, width: 9 * CELL, height: 9 * TALL }),
      stars,
      this.layers.cells, this.layers.pieces, this.layers.targets, this.layers.arrows, this.layers.ghost,
    );
    for (let index = 0; index < 81; index++) {
      const cell = s("rect", { class: "cell", width: CELL, height: TALL, role: "button", tabindex: -1, "data-index": index });
      this.cells.push(cell);
      this.layers.cells.append(cell);
    }
    this.stands = { b: h("div", { class: "stand" }), w: h("div", { class: "stand" }) };
    this.chooser = h("div", { class: "chooser", role: "dialog", hidden: true });
    this.element = h("div", { class: "table" }, this.stands.w, h("div", { class: "middle" }, this.svg, this.chooser), this.stands.b);
    this.listen();
    this.place();
  }

  listen() {
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("contextmenu", (event) => {
      const index = this.under(event);
      if (this.edit && index !== null) {
        event.preventDefault();
        this.edit({ square: index, remove: true });
      }
    });
    for (const color of ["b", "w"]) {
      this.stands[color].addEventListener("pointerdown", (event) => this.pressHand(event, color));
      this.stands[color].addEventListener("click", (event) => {
        // A key on the button: pointers were heard before.
        if (event.detail === 0) this.chooseHand(event.target.closest("button"), color);
      });
    }
  }

  // Where the square with an index is drawn.
  spot(index) {
    const seen = this.flipped ? 80 - index : index;
    return [LEFT + (seen % 9) * CELL, TOP + Math.floor(seen / 9) * TALL];
  }

  centre(index) {
    const [x, y] = this.spot(index);
    return [x + CELL / 2, y + TALL / 2];
  }

  /// Puts everything where the orientation wants it.
  place() {
    this.cells.forEach((cell, index) => {
      const [x, y] = this.spot(index);
      cell.setAttribute("x", x);
      cell.setAttribute("y", y);
    });
    this.names.replaceChildren();
    for (let n = 0; n < 9; n++) {
      const file = this.flipped ? n + 1 : 9 - n;
      const rank = this.flipped ? 8 - n : n;
      this.names.append(
        s("text", { x: LEFT + (n + 0.5) * CELL, y: TOP - 13, "text-anchor": "middle" }, String(file)),
        s("text", { x: LEFT + 9 * CELL + 22, y: TOP + (n + 0.62) * TALL, "text-anchor": "middle" },
          language() === "ja" ? RANKS[rank] : "abcdefghi"[rank]),
      );
    }
    this.element.classList.toggle("flipped", this.flipped);
    for (const [index, piece] of this.pieces) this.move(piece, index);
  }

  flip() {
    this.flipped = !this.flipped;
    this.place();
    this.draw();
  }

  /// Draws everything anew, in other shapes or words.
  redraw() {
    for (const { element } of this.pieces.values()) element.remove();
    this.pieces.clear();
    this.place();
    this.draw();
  }

  move(piece, index) {
    const [x, y] = this.centre(index);
    const turned = (side(piece.code) === "w") !== this.flipped;
    piece.element.style.transform = `translate(${x}px, ${y}px) rotate(${turned ? 180 : 0}deg)`;
  }

  /// Shows a position.
  show(position) {
    const before = this.position;
    this.position = position;
    const same = before && before.sfen === position.sfen;
    if (!same) {
      this.release();
      const last = position.last;
      if (before && last && last[1] !== "*") {
        // The piece that moved glides; the others stay or vanish.
        const [from, to] = [indexOf(last.slice(0, 2)), indexOf(last.slice(2, 4))];
        const piece = this.pieces.get(from);
        if (piece && !position.board[from] && position.board[to] && side(piece.code) === side(position.board[to])) {
          this.pieces.get(to)?.element.remove();
          this.pieces.delete(from);
          this.pieces.set(to, piece);
          this.layers.pieces.append(piece.element);
        }
      }
    }
    this.origins = new Map();
    for (const mv of position.moves ?? []) {
      const origin = mv[1] === "*" ? mv.slice(0, 2) : mv.slice(0, 2);
      if (!this.origins.has(origin)) this.origins.set(origin, []);
      this.origins.get(origin).push(mv);
    }
    this.draw();
  }

  draw() {
    const { position } = this;
    if (!position) return;
    for (let index = 0; index < 81; index++) {
      const code = position.board[index];
      const piece = this.pieces.get(index);
      if (piece && piece.code !== code) {
        if (code && side(code) === side(piece.code) && code.replace("+", "") === piece.code.replace("+", "")) {
          piece.code = code; // it promoted, or was turned back
          piece.element.replaceChildren(drawPiece(code, settings.pieces));
        } else {
          piece.element.remove();
          this.pieces.delete(index);
        }
      }
      if (code && !this.pieces.has(index)) {
        const element = s("g", { class: `piece ${side(code)}` }, drawPiece(code, settings.pieces));
        this.layers.pieces.append(element);
        this.pieces.set(index, { code, element });
      }
      if (code) this.move(this.pieces.get(index), index);
      this.cells[index].setAttribute("aria-label", this.label(index, code));
    }
    this.cells.forEach((cell, index) => cell.setAttribute("tabindex", index === this.focused ? 0 : -1));
    this.drawMarks();
    this.drawHands();
    this.drawTargets();
    this.drawArrows();
  }

  label(index, code) {
    const square = squareName(squareOf(index));
    return code ? `${square} ${pieceName(code)}` : `${square} ${t("empty")}`;
  }

  drawMarks() {
    const { marks } = this.layers;
    marks.replaceChildren();
    const mark = (index, name) => {
      const [x, y] = this.spot(index);
      marks.append(s("rect", { class: name, x, y, width: CELL, height: TALL }));
    };
    const { last, check } = this.position;
    if (last) {
      if (last[1] !== "*") mark(indexOf(last.slice(0, 2)), "from");
      mark(indexOf(last.slice(2, 4)), "last");
    }
    if (check) mark(indexOf(check), "check");
    if (this.selected && this.selected[1] !== "*") mark(indexOf(this.selected), "selected");
  }

  drawHands() {
    const shown = { top: this.flipped ? "b" : "w", bottom: this.flipped ? "w" : "b" };
    for (const [place, color] of Object.entries(shown)) {
      const stand = this.stands[place === "top" ? "w" : "b"];
      const hand = this.position.hands[color === "b" ? 0 : 1];
      const kinds = this.edit ? HAND : HAND.filter((kind) => hand[kind]);
      const owner = t(color === "b" ? "black" : "white");
      stand.dataset.color = color;
      stand.setAttribute("role", "group");
      stand.setAttribute("aria-label", t("handOf", owner));
      stand.classList.toggle("empty", kinds.length === 0);
      const focused = document.activeElement?.dataset?.kind;
      const had = stand.contains(document.activeElement);
      stand.replaceChildren(...kinds.map((kind) => {
        const code = color === "b" ? kind : kind.toLowerCase();
        const face = s("svg", { viewBox: "-46 -50 92 100", class: place === "top" ? "turned" : "", "aria-hidden": "true" },
          s("g", { class: `piece ${color}` }, drawPiece(code, settings.pieces)));
        const chosen = this.selected === `${kind}*` && this.position.turn === color;
        const count = hand[kind] ?? 0;
        return h("button", {
          type: "button", class: `held${chosen ? " chosen" : ""}${count ? "" : " none"}`, "data-kind": kind,
          "aria-label": `${owner} ${kindName(kind)} ${count}`, "aria-pressed": String(chosen),
        }, face, h("span", { class: "count" }, count === 1 && !this.edit ? "" : String(count)));
      }));
      if (had) stand.querySelector(`[data-kind="${focused}"]`)?.focus();
    }
  }

  drawTargets() {
    const { targets } = this.layers;
    targets.replaceChildren();
    for (const mv of this.origins?.get(this.selected) ?? []) {
      const index = indexOf(mv.slice(2, 4));
      const [x, y] = this.centre(index);
      targets.append(this.position.board[index]
        ? s("rect", { class: "target taken", x: x - 46, y: y - 50, width: 92, height: 100, rx: 14 })
        : s("circle", { class: "target", cx: x, cy: y, r: 14 }));
    }
  }

  /// Ideas as arrows: [{ move, kind }], the best first.
  point(arrows) {
    this.arrows = arrows;
    this.drawArrows();
  }

  drawArrows() {
    const layer = this.layers.arrows;
    layer.replaceChildren();
    const named = new Set();
    // The best idea lies on top; of several drops on a square only the best is named.
    const drawn = this.arrows.map(({ move, kind = "idea" }, rank) => {
      const [x2, y2] = this.centre(indexOf(move.slice(2, 4)));
      if (move[1] === "*") {
        const isNamed = named.has(move.slice(2, 4));
        named.add(move.slice(2, 4));
        return [
          s("circle", { class: `drop ${kind} rank${rank}`, cx: x2, cy: y2, r: 40 }),
          isNamed ? null : s("text", { class: `drop ${kind}`, x: x2, y: y2 + 9, "text-anchor": "middle" }, kindName(move[0])),
        ];
      }
      const [x1, y1] = this.centre(indexOf(move.slice(0, 2)));
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const cut = 26 / length;
      return [s("line", {
        class: `arrow ${kind} rank${rank}`, x1, y1, x2: x2 - (x2 - x1) * cut, y2: y2 - (y2 - y1) * cut,
        "marker-end": `url(#arrow${this.number})`,
      })];
    });
    layer.append(...drawn.reverse().flat().filter(Boolean));
  }

  // ---- Moving ----

  under(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    const [file, rank] = [Math.floor((x - LEFT) / CELL), Math.floor((y - TOP) / TALL)];
    if (file < 0 || file > 8 || rank < 0 || rank > 8) return null;
    const seen = rank * 9 + file;
    return this.flipped ? 80 - seen : seen;
  }

  press(event) {
    if (event.button !== 0 || !this.position) return;
    const index = this.under(event);
    if (index === null) return this.release();
    event.preventDefault();
    this.focus(index, false);
    if (this.edit) return this.edit({ square: index });
    const wasSelected = this.selected === squareOf(index);
    if (this.tap(index)) this.drag(event, index, wasSelected);
  }

  /// A square was chosen. Gives whether a piece there is held now.
  tap(index) {
    const square = squareOf(index);
    if (this.selected && this.arrive(square)) return false;
    if (this.origins?.has(square)) {
      this.select(square);
      return true;
    }
    this.release();
    return false;
  }

  select(origin) {
    this.closeChooser();
    this.selected = origin;
    this.drawMarks();
    this.drawHands();
    this.drawTargets();
    const name = origin[1] === "*" ? kindName(origin[0]) : squareName(origin);
    announce(t("chosen", name, this.origins.get(origin).length));
  }

  release() {
    this.closeChooser();
    if (this.selected === null) return;
    this.selected = null;
    if (!this.position) return;
    this.drawMarks();
    this.drawHands();
    this.drawTargets();
  }

  /// Moves what is selected to a square, if that is possible.
  arrive(square) {
    const fitting = (this.origins?.get(this.selected) ?? []).filter((mv) => mv.slice(2, 4) === square);
    if (fitting.length === 0) return false;
    if (fitting.length === 1) this.make(fitting[0]);
    else this.choose(fitting);
    return true;
  }

  make(mv) {
    this.release();
    this.anticipate(mv);
    this.play(mv);
  }

  /// Draws a move that may be played before the server has answered: nobody waits for the way there
  /// and back. Its answer is drawn over this, whatever it is.
  anticipate(mv) {
    const { board, hands, turn, sfen } = this.position;
    const next = [...board];
    const held = hands.map((hand) => ({ ...hand }));
    const own = held[turn === "b" ? 0 : 1];
    const to = indexOf(mv.slice(2, 4));
    if (mv[1] === "*") {
      own[mv[0]] -= 1;
      next[to] = turn === "b" ? mv[0] : mv[0].toLowerCase();
    } else {
      const from = indexOf(mv.slice(0, 2));
      const taken = next[to]?.toUpperCase().replace("+", "");
      if (taken) own[taken] = (own[taken] ?? 0) + 1;
      next[to] = mv.endsWith("+") ? `+${next[from]}` : next[from];
      next[from] = null;
    }
    const other = turn === "b" ? "w" : "b";
    this.show({ ...this.position, board: next, hands: held, turn: other, moves: [], last: mv, check: null, sfen: `${sfen} ${mv}` });
  }

  /// Asks whether to promote.
  choose(fitting) {
    const promoted = fitting.find((mv) => mv.endsWith("+"));
    const stays = fitting.find((mv) => !mv.endsWith("+"));
    const code = this.position.board[indexOf(stays.slice(0, 2))];
    const [x, y] = this.centre(indexOf(stays.slice(2, 4)));
    const turned = (side(code) === "w") !== this.flipped;
    const button = (mv, shown, name) => h("button", { type: "button", "data-move": mv, onclick: () => this.make(mv), "aria-label": `${t(name)}: ${kindName(shown)}` },
      s("svg", { viewBox: "-50 -54 100 108", class: turned ? "turned" : "" }, s("g", { class: `piece ${side(code)}` }, drawPiece(shown, settings.pieces))),
      h("span", {}, t(name)));
    const plus = side(code) === "b" ? `+${code}` : `+${code}`;
    this.chooser.replaceChildren(button(promoted, plus, "promote"), button(stays, code, "stay"));
    this.chooser.setAttribute("aria-label", t("promotionOf"));
    this.chooser.hidden = false;
    this.chooser.style.left = `${(Math.min(Math.max(x, 170), WIDTH - 170) / WIDTH) * 100}%`;
    this.chooser.style.top = `${(Math.min(Math.max(y, 130), HEIGHT - 130) / HEIGHT) * 100}%`;
    this.chooser.querySelector("button").focus();
    this.chooser.onkeydown = (event) => {
      if (event.key === "Escape") {
        this.release();
        this.focus(this.focused);
      }
      event.stopPropagation();
    };
  }

  closeChooser() {
    this.chooser.hidden = true;
    this.chooser.replaceChildren();
  }

  pressHand(event, place) {
    const button = event.target.closest("button");
    if (!button || event.button !== 0) return;
    event.preventDefault();
    button.focus();
    const color = this.stands[place].dataset.color;
    if (this.edit) return this.edit({ hand: color, kind: button.dataset.kind });
    if (this.chooseHand(button, place)) {
      const code = color === "b" ? button.dataset.kind : button.dataset.kind.toLowerCase();
      this.drag(event, null, false, code);
    }
  }

  chooseHand(button, place) {
    if (!button || !this.position) return false;
    const color = this.stands[place].dataset.color;
    if (this.edit) {
      this.edit({ hand: color, kind: button.dataset.kind });
      return false;
    }
    const origin = `${button.dataset.kind}*`;
    if (color !== this.position.turn || !this.origins?.has(origin)) {
      this.release();
      return false;
    }
    if (this.selected === origin) {
      this.release();
      return false;
    }
    this.select(origin);
    return true;
  }

  drag(event, from, wasSelected, code) {
    const held = from === null ? null : this.pieces.get(from);
    const shown = code ?? held?.code;
    const start = [event.clientX, event.clientY];
    const id = event.pointerId;
    let ghost = null;
    const track = (moved) => {
      if (moved.pointerId !== id) return;
      if (!ghost && Math.hypot(moved.clientX - start[0], moved.clientY - start[1]) > 6) {
        ghost = s("g", { class: `piece ghost ${side(shown)}` }, drawPiece(shown, settings.pieces));
        this.layers.ghost.append(ghost);
        if (held) held.element.classList.add("lifted");
      }
      if (ghost) {
        const box = this.svg.getBoundingClientRect();
        const x = ((moved.clientX - box.left) / box.width) * WIDTH;
        const y = ((moved.clientY - box.top) / box.height) * HEIGHT;
        const turned = (side(shown) === "w") !== this.flipped;
        ghost.style.transform = `translate(${x}px, ${y}px) rotate(${turned ? 180 : 0}deg) scale(1.12)`;
      }
    };
    const drop = (ended) => {
      if (ended.pointerId !== id) return;
      removeEventListener("pointermove", track);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
      held?.element.classList.remove("lifted");
      if (!ghost) {
        if (wasSelected) this.release(); // the second click on the same piece lets it go
        return;
      }
      ghost.remove();
      const index = ended.type === "pointerup" ? this.under(ended) : null;
      if (index === null || (from !== null && index === from)) return;
      if (!this.arrive(squareOf(index))) this.release();
    };
    addEventListener("pointermove", track);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  // ---- Keys ----

  focus(index, really = true) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = index;
    this.cells[index].setAttribute("tabindex", 0);
    if (really) this.cells[index].focus();
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 }[event.key];
    if (step) {
      const seen = (this.flipped ? 80 - this.focused : this.focused) + step;
      const sameRow = Math.abs(step) === 9 || Math.floor(seen / 9) === Math.floor((seen - step) / 9);
      if (seen >= 0 && seen < 81 && sameRow) this.focus(this.flipped ? 80 - seen : seen);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.edit) this.edit({ square: this.focused });
      else this.tap(this.focused);
    } else if (event.key === "Escape") {
      this.release();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/// Says something to those who listen.
export function announce(text) {
  const place = document.getElementById("announce");
  if (place) place.textContent = text;
}
