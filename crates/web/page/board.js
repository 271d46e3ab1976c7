// The board: draws a position, and turns clicks, drags and keys into moves. It knows no rules: the
// legal moves come with the position.

import { h, s } from "./dom.js";
import { Orientation, indexOf, opponent, pairIndex, squareOf } from "./orientation.js";
import { drawPiece, side } from "./pieces.js";
import { settings } from "./settings.js";
import { colorName, kindName, pieceName, rankName, squareName, t } from "./texts.js";

/**
 * @typedef {import("./protocol.js").ColorLetter} ColorLetter
 * @typedef {import("./protocol.js").PositionView} PositionView
 * @typedef {{ code: string, element: SVGGElement }} DrawnPiece
 * @typedef {{ move: string, kind?: "idea" | "hint" | "better" }} Arrow
 * @typedef {{ square: (index: number, remove: boolean) => void, hand: (color: ColorLetter, kind: string) => void }} EditHandlers
 * @typedef {"top" | "bottom"} Place
 * @typedef {{ name: HTMLElement, clock: HTMLElement, element: HTMLElement }} Plate who sits at a side, and the clock there
 */

const CELL = 100;
const TALL = 108;
const LEFT = 24;
const TOP = 46;
const WIDTH = LEFT + 9 * CELL + 46;
const HEIGHT = TOP + 9 * TALL + 24;
const HAND = ["R", "B", "G", "S", "N", "L", "P"];
const LAYERS = /** @type {const} */ (["cells", "marks", "pieces", "targets", "arrows", "ghost"]);

let boards = 0;

/**
 * Where a move comes from: a square such as 7g, or P* for a piece in hand.
 * @param {string} mv
 */
const originOf = (mv) => mv.slice(0, 2);

/**
 * Where a move goes to.
 * @param {string} mv
 */
const targetOf = (mv) => mv.slice(2, 4);

/** @param {string} mv */
const isDrop = (mv) => mv[1] === "*";

export class Board {
  /** @param {(mv: string) => void} play called with the moves that the user makes */
  constructor(play) {
    this.play = play;
    this.number = ++boards;
    this.orientation = new Orientation();
    /** @type {PositionView | null} */
    this.position = null;
    /**
     * The legal moves by their origin.
     * @type {Map<string, string[]>}
     */
    this.origins = new Map();
    /**
     * The pieces that are drawn, by the index of their square.
     * @type {Map<number, DrawnPiece>}
     */
    this.pieces = new Map();
    /**
     * The origin of the move that is being made.
     * @type {string | null}
     */
    this.selected = null;
    this.focused = 76;
    /** @type {Arrow[]} */
    this.arrows = [];
    /**
     * What happens to clicks while a position is edited.
     * @type {EditHandlers | null}
     */
    this.edit = null;
    this.layers = /** @type {Record<typeof LAYERS[number], SVGGElement>} */ (Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })])));
    this.names = s("g", { class: "coordinates", "aria-hidden": "true" });
    this.cells = Array.from({ length: 81 }, (_, index) => s("rect", { class: "cell", width: CELL, height: TALL, role: "button", tabindex: -1, "data-index": index }));
    this.layers.cells.append(...this.cells);
    this.svg = this.drawGrid();
    /** @type {Record<Place, Plate>} */
    this.plates = { top: plate(), bottom: plate() };
    /** @type {Record<Place, HTMLDivElement>} */
    this.hands = { top: h("div", { class: "hand" }), bottom: h("div", { class: "hand" }) };
    /** @type {Record<Place, HTMLDivElement>} */
    this.stands = {
      top: h("div", { class: "stand upper" }, this.plates.top.element, this.hands.top),
      bottom: h("div", { class: "stand lower" }, this.hands.bottom, this.plates.bottom.element),
    };
    this.chooser = h("div", { class: "chooser", role: "dialog", hidden: true });
    this.element = h("div", { class: "table" }, this.stands.top, h("div", { class: "middle" }, this.svg, this.chooser), this.stands.bottom);
    this.isChooserPressed = false;
    this.chooserOpened = 0;
    this.listen();
    this.listenToChooser();
    this.place();
  }

  drawGrid() {
    const lines = [];
    for (let n = 0; n <= 9; n++) {
      lines.push(`M${LEFT + n * CELL} ${TOP}v${9 * TALL}`, `M${LEFT} ${TOP + n * TALL}h${9 * CELL}`);
    }
    const stars = [3, 6].flatMap((x) => [3, 6].map((y) => s("circle", { class: "star", cx: LEFT + x * CELL, cy: TOP + y * TALL, r: 6 })));
    const arrow = s("marker", { id: `arrow${this.number}`, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: "auto-start-reverse" },
      s("path", { d: "M0 0L10 5L0 10Z" }));
    return s("svg", { class: "board", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": t("board") },
      s("defs", {}, arrow),
      s("rect", { class: "ground", width: WIDTH, height: HEIGHT, rx: 10 }),
      this.names,
      this.layers.marks,
      s("path", { class: "lines", d: lines.join("") }),
      s("rect", { class: "frame", x: LEFT, y: TOP, width: 9 * CELL, height: 9 * TALL }),
      stars,
      this.layers.cells, this.layers.pieces, this.layers.targets, this.layers.arrows, this.layers.ghost,
    );
  }

  listen() {
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("contextmenu", (event) => {
      const index = this.squareUnder(event);
      if (this.edit && index !== null) {
        event.preventDefault();
        this.edit.square(index, true);
      }
    });
    for (const place of /** @type {Place[]} */ (["top", "bottom"])) {
      this.stands[place].addEventListener("pointerdown", (event) => this.pressHand(event, place));
      this.stands[place].addEventListener("click", (event) => {
        // Only a key on the button: pointerdown has handled the pointer.
        if (event.detail === 0) this.chooseHand(buttonOf(event), place);
      });
    }
  }

  /**
   * The upper left corner of the square with an index.
   * @param {number} index
   * @returns {[number, number]}
   */
  spot(index) {
    const cell = this.orientation.cellOf(index);
    return [LEFT + (cell % 9) * CELL, TOP + Math.floor(cell / 9) * TALL];
  }

  /**
   * The centre of the square with an index.
   * @param {number} index
   * @returns {[number, number]}
   */
  centre(index) {
    const [x, y] = this.spot(index);
    return [x + CELL / 2, y + TALL / 2];
  }

  /** Puts everything where the orientation wants it. */
  place() {
    this.cells.forEach((cell, index) => {
      const [x, y] = this.spot(index);
      cell.setAttribute("x", String(x));
      cell.setAttribute("y", String(y));
    });
    this.names.replaceChildren();
    for (let n = 0; n < 9; n++) {
      const file = 9 - (this.orientation.indexAt(n) % 9);
      const rank = Math.floor(this.orientation.indexAt(9 * n) / 9);
      this.names.append(
        s("text", { x: LEFT + (n + 0.5) * CELL, y: TOP - 13, "text-anchor": "middle" }, String(file)),
        s("text", { x: LEFT + 9 * CELL + 22, y: TOP + (n + 0.62) * TALL, "text-anchor": "middle" }, rankName(rank)),
      );
    }
    this.element.classList.toggle("flipped", this.orientation.flipped);
    for (const [index, piece] of this.pieces) this.move(piece, index);
  }

  flip() {
    this.orientation.flip();
    this.place();
    this.draw();
  }

  /**
   * @param {DrawnPiece} piece
   * @param {number} index
   */
  move(piece, index) {
    const [x, y] = this.centre(index);
    piece.element.style.transform = `translate(${x}px, ${y}px) rotate(${this.rotation(piece.code)}deg)`;
  }

  /**
   * The angle at which a piece is drawn.
   * @param {string} code
   */
  rotation(code) {
    return this.orientation.isUpsideDown(side(code)) ? 180 : 0;
  }

  /**
   * Shows a position.
   * @param {PositionView} position
   */
  show(position) {
    const before = this.position;
    this.position = position;
    const same = before && before.sfen === position.sfen;
    if (!same) {
      this.release();
      const last = position.last;
      if (before && last && !isDrop(last)) {
        // The piece that moved glides; the others stay or vanish.
        const [from, to] = [indexOf(originOf(last)), indexOf(targetOf(last))];
        const piece = this.pieces.get(from);
        const arrived = position.board[to];
        if (piece && !position.board[from] && arrived && side(piece.code) === side(arrived)) {
          this.pieces.get(to)?.element.remove();
          this.pieces.delete(from);
          this.pieces.set(to, piece);
          this.layers.pieces.append(piece.element);
        }
      }
    }
    this.origins = new Map();
    for (const mv of position.moves) {
      const moves = this.origins.get(originOf(mv));
      if (moves) moves.push(mv);
      else this.origins.set(originOf(mv), [mv]);
    }
    this.draw();
  }

  draw() {
    const { position } = this;
    if (!position) return;
    this.cells.forEach((cell, index) => {
      const code = position.board[index] ?? null;
      this.drawSquare(index, code);
      cell.setAttribute("aria-label", this.label(index, code));
      cell.setAttribute("tabindex", index === this.focused ? "0" : "-1");
    });
    this.drawMarks();
    this.drawHands();
    this.drawTargets();
    this.drawArrows();
  }

  /**
   * @param {number} index
   * @param {string | null} code
   */
  drawSquare(index, code) {
    let piece = this.pieces.get(index);
    if (piece && piece.code !== code) {
      if (code && side(code) === side(piece.code) && code.replace("+", "") === piece.code.replace("+", "")) {
        piece.code = code; // it promoted, or was turned back
        piece.element.replaceChildren(drawPiece(code, settings.pieces));
      } else {
        piece.element.remove();
        this.pieces.delete(index);
        piece = undefined;
      }
    }
    if (!code) return;
    if (!piece) {
      piece = { code, element: s("g", { class: `piece ${side(code)}` }, drawPiece(code, settings.pieces)) };
      this.layers.pieces.append(piece.element);
      this.pieces.set(index, piece);
    }
    this.move(piece, index);
  }

  /**
   * @param {number} index
   * @param {string | null} code
   */
  label(index, code) {
    const square = squareName(squareOf(index));
    return code ? `${square} ${pieceName(code)}` : `${square} ${t("empty")}`;
  }

  drawMarks() {
    const { marks } = this.layers;
    marks.replaceChildren();
    if (!this.position) return;
    /**
     * @param {number} index
     * @param {string} name
     */
    const mark = (index, name) => {
      const [x, y] = this.spot(index);
      marks.append(s("rect", { class: name, x, y, width: CELL, height: TALL }));
    };
    const { last, check } = this.position;
    if (last) {
      if (!isDrop(last)) mark(indexOf(originOf(last)), "from");
      mark(indexOf(targetOf(last)), "last");
    }
    if (check) mark(indexOf(check), "check");
    if (this.selected && !isDrop(this.selected)) mark(indexOf(this.selected), "selected");
  }

  drawHands() {
    const { position } = this;
    if (!position) return;
    for (const place of /** @type {Place[]} */ (["top", "bottom"])) {
      const color = this.orientation[place];
      const stand = this.hands[place];
      this.stands[place].dataset.color = color;
      const hand = position.hands[pairIndex(color)];
      const kinds = this.edit ? HAND : HAND.filter((kind) => hand[kind]);
      const owner = colorName(color);
      stand.setAttribute("role", "group");
      stand.setAttribute("aria-label", t("handOf", owner));
      stand.classList.toggle("empty", kinds.length === 0);
      const active = document.activeElement;
      const focused = active instanceof HTMLElement && stand.contains(active) ? active.dataset.kind : undefined;
      stand.replaceChildren(...kinds.map((kind) => {
        const code = color === "b" ? kind : kind.toLowerCase();
        const face = s("svg", { viewBox: "-46 -50 92 100", class: this.orientation.isUpsideDown(color) ? "turned" : "", "aria-hidden": "true" },
          s("g", { class: `piece ${color}` }, drawPiece(code, settings.pieces)));
        const chosen = this.selected === `${kind}*` && position.turn === color;
        const count = hand[kind] ?? 0;
        return h("button", {
          type: "button", class: `held${chosen ? " chosen" : ""}${count ? "" : " none"}`, "data-kind": kind,
          "aria-label": `${owner} ${kindName(kind)} ${count}`, "aria-pressed": String(chosen),
        }, face, h("span", { class: "count" }, count === 1 && !this.edit ? "" : String(count)));
      }));
      if (focused) /** @type {HTMLElement | null} */ (stand.querySelector(`[data-kind="${focused}"]`))?.focus();
    }
  }

  drawTargets() {
    const { targets } = this.layers;
    targets.replaceChildren();
    for (const mv of this.selectedMoves()) {
      const index = indexOf(targetOf(mv));
      const [x, y] = this.centre(index);
      targets.append(this.position?.board[index]
        ? s("rect", { class: "target taken", x: x - 46, y: y - 50, width: 92, height: 100, rx: 14 })
        : s("circle", { class: "target", cx: x, cy: y, r: 14 }));
    }
  }

  /** The moves of the piece that is selected. */
  selectedMoves() {
    return (this.selected && this.origins.get(this.selected)) || [];
  }

  /**
   * Shows moves as arrows, the best first.
   * @param {Arrow[]} arrows
   */
  showArrows(arrows) {
    this.arrows = arrows;
    this.drawArrows();
  }

  drawArrows() {
    const layer = this.layers.arrows;
    layer.replaceChildren();
    const named = new Set();
    // The best idea lies on top; of several drops on a square only the best is named.
    const drawn = this.arrows.map(({ move, kind = "idea" }, rank) => {
      const [x2, y2] = this.centre(indexOf(targetOf(move)));
      if (isDrop(move)) {
        const isNamed = named.has(targetOf(move));
        named.add(targetOf(move));
        const circle = s("circle", { class: `drop ${kind} rank${rank}`, cx: x2, cy: y2, r: 40 });
        return isNamed ? [circle] : [circle, s("text", { class: `drop ${kind}`, x: x2, y: y2 + 9, "text-anchor": "middle" }, kindName(move.slice(0, 1)))];
      }
      const [x1, y1] = this.centre(indexOf(originOf(move)));
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const cut = 26 / length;
      return [s("line", {
        class: `arrow ${kind} rank${rank}`, x1, y1, x2: x2 - (x2 - x1) * cut, y2: y2 - (y2 - y1) * cut,
        "marker-end": `url(#arrow${this.number})`,
      })];
    });
    layer.append(...drawn.reverse().flat());
  }

  // ---- Moving ----

  /**
   * Where the pointer is, in units of the drawing.
   * @param {MouseEvent} event
   * @returns {[number, number]}
   */
  pointOf(event) {
    const box = this.svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
  }

  /**
   * The index of the square under the pointer.
   * @param {MouseEvent} event
   */
  squareUnder(event) {
    const [x, y] = this.pointOf(event);
    const [column, row] = [Math.floor((x - LEFT) / CELL), Math.floor((y - TOP) / TALL)];
    if (column < 0 || column > 8 || row < 0 || row > 8) return null;
    return this.orientation.indexAt(row * 9 + column);
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || !this.position) return;
    const index = this.squareUnder(event);
    if (index === null) return this.release();
    event.preventDefault();
    this.focus(index, false);
    if (this.edit) return this.edit.square(index, false);
    const wasSelected = this.selected === squareOf(index);
    const piece = this.pieces.get(index);
    if (this.tap(index) && piece) this.drag(event, { index, piece, wasSelected, code: piece.code });
  }

  /**
   * Chooses a square. Gives whether a piece there is selected now.
   * @param {number} index
   */
  tap(index) {
    const square = squareOf(index);
    if (this.selected && this.moveTo(square)) return false;
    if (this.origins.has(square)) {
      this.select(square);
      return true;
    }
    this.release();
    return false;
  }

  /** @param {string} origin */
  select(origin) {
    this.closeChooser();
    this.selected = origin;
    this.drawMarks();
    this.drawHands();
    this.drawTargets();
    const name = isDrop(origin) ? kindName(origin.slice(0, 1)) : squareName(origin);
    announce(t("chosen", name, this.selectedMoves().length));
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

  /**
   * Moves the selected piece to a square, if that is legal; gives whether it is.
   * @param {string} square
   */
  moveTo(square) {
    const moves = this.selectedMoves().filter((mv) => targetOf(mv) === square);
    const promotion = moves.find((mv) => mv.endsWith("+"));
    const plain = moves.find((mv) => !mv.endsWith("+"));
    if (promotion && plain) this.askForPromotion(promotion, plain);
    else if (promotion ?? plain) this.make(promotion ?? plain ?? "");
    else return false;
    return true;
  }

  /** @param {string} mv */
  make(mv) {
    this.release();
    this.anticipate(mv);
    this.play(mv);
  }

  /**
   * Draws a legal move before the server has answered, so that nobody waits for the way there and
   * back. The answer is drawn over this, whatever it is.
   * @param {string} mv
   */
  anticipate(mv) {
    if (!this.position) return;
    const { board, hands, turn, sfen } = this.position;
    const next = [...board];
    /** @type {PositionView["hands"]} */
    const held = [{ ...hands[0] }, { ...hands[1] }];
    const own = held[pairIndex(turn)];
    const to = indexOf(targetOf(mv));
    if (isDrop(mv)) {
      const kind = mv.slice(0, 1);
      own[kind] = (own[kind] ?? 1) - 1;
      next[to] = turn === "b" ? kind : kind.toLowerCase();
    } else {
      const from = indexOf(originOf(mv));
      const taken = next[to]?.toUpperCase().replace("+", "");
      if (taken) own[taken] = (own[taken] ?? 0) + 1;
      next[to] = mv.endsWith("+") ? `+${next[from]}` : next[from] ?? null;
      next[from] = null;
    }
    this.show({ ...this.position, board: next, hands: held, turn: opponent(turn), moves: [], last: mv, check: null, sfen: `${sfen} ${mv}` });
  }

  /**
   * Asks whether to promote.
   * @param {string} promotion
   * @param {string} plain
   */
  askForPromotion(promotion, plain) {
    const code = this.position?.board[indexOf(originOf(plain))];
    if (!code) return;
    /**
     * @param {string} mv
     * @param {string} shown
     * @param {"promote" | "stay"} name
     */
    const button = (mv, shown, name) => h("button", { type: "button", "data-move": mv, "aria-label": `${t(name)}: ${kindName(shown)}` },
      s("svg", { viewBox: "-50 -54 100 108", class: this.rotation(code) ? "turned" : "" }, s("g", { class: `piece ${side(code)}` }, drawPiece(shown, settings.pieces))),
      h("span", {}, t(name)));
    this.chooser.replaceChildren(button(promotion, `+${code}`, "promote"), button(plain, code, "stay"));
    this.chooser.setAttribute("aria-label", t("promotionOf"));
    this.chooser.hidden = false;
    this.placeChooser(indexOf(targetOf(plain)));
    this.chooserOpened = performance.now();
    this.isChooserPressed = false;
    this.chooser.querySelector("button")?.focus();
  }

  /** The finger that opened the chooser is still down, and its click hits whatever lies there by then:
   * only a press that began in the chooser counts, a key, or what an assistive technology sends later. */
  listenToChooser() {
    this.chooser.addEventListener("pointerdown", (event) => {
      this.isChooserPressed = true;
      event.stopPropagation();
    });
    this.chooser.addEventListener("click", (event) => {
      const mv = buttonOf(event)?.dataset.move;
      const isMeant = this.isChooserPressed || event.detail === 0 || performance.now() - this.chooserOpened > 1000;
      if (mv && isMeant) this.make(mv);
    });
    this.chooser.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.release();
        this.focus(this.focused);
      }
      event.stopPropagation();
    });
  }

  /**
   * Puts the chooser over a square, inside the board.
   * @param {number} index
   */
  placeChooser(index) {
    const [x, y] = this.centre(index);
    const { offsetWidth: wide, offsetHeight: high } = this.chooser;
    const box = this.svg.getBoundingClientRect();
    /**
     * @param {number} place
     * @param {number} half
     * @param {number} all
     */
    const inside = (place, half, all) => Math.min(Math.max(place * all, half), Math.max(all - half, half));
    this.chooser.style.left = `${inside(x / WIDTH, wide / 2, box.width)}px`;
    this.chooser.style.top = `${inside(y / HEIGHT, high / 2, box.height)}px`;
  }

  closeChooser() {
    this.chooser.hidden = true;
    this.chooser.replaceChildren();
  }

  /**
   * @param {PointerEvent} event
   * @param {Place} place
   */
  pressHand(event, place) {
    const button = buttonOf(event);
    if (!button || event.button !== 0) return;
    event.preventDefault();
    button.focus();
    if (this.chooseHand(button, place)) {
      const kind = button.dataset.kind ?? "";
      this.drag(event, { index: null, piece: null, wasSelected: false, code: this.orientation[place] === "b" ? kind : kind.toLowerCase() });
    }
  }

  /**
   * Chooses a piece in hand. Gives whether it is selected now.
   * @param {HTMLButtonElement | null} button
   * @param {Place} place
   */
  chooseHand(button, place) {
    const kind = button?.dataset.kind;
    if (!kind || !this.position) return false;
    const color = this.orientation[place];
    if (this.edit) {
      this.edit.hand(color, kind);
      return false;
    }
    const origin = `${kind}*`;
    if (color !== this.position.turn || !this.origins.has(origin)) {
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

  /**
   * Lets a piece follow the pointer until it is released.
   * @param {PointerEvent} event
   * @param {{ index: number | null, piece: DrawnPiece | null, wasSelected: boolean, code: string }} from a square with its piece, or a piece in hand
   */
  drag(event, { index: from, piece, wasSelected, code }) {
    const id = event.pointerId;
    /** @type {SVGGElement | null} */
    let ghost = null;
    /** @param {PointerEvent} moved */
    const track = (moved) => {
      if (moved.pointerId !== id) return;
      if (!ghost && Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > 6) {
        ghost = s("g", { class: `piece ghost ${side(code)}` }, drawPiece(code, settings.pieces));
        this.layers.ghost.append(ghost);
        piece?.element.classList.add("lifted");
      }
      if (ghost) {
        const [x, y] = this.pointOf(moved);
        ghost.style.transform = `translate(${x}px, ${y}px) rotate(${this.rotation(code)}deg) scale(1.12)`;
      }
    };
    /** @param {PointerEvent} ended */
    const drop = (ended) => {
      if (ended.pointerId !== id) return;
      removeEventListener("pointermove", track);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
      piece?.element.classList.remove("lifted");
      if (!ghost) {
        if (wasSelected) this.release(); // the second click on the same piece lets it go
        return;
      }
      ghost.remove();
      const index = ended.type === "pointerup" ? this.squareUnder(ended) : null;
      if (index === null || index === from) return;
      if (!this.moveTo(squareOf(index))) this.release();
    };
    addEventListener("pointermove", track);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  // ---- Keys ----

  /**
   * Makes a square the one that keys act on.
   * @param {number} index
   * @param {boolean} really whether the browser's focus goes there too
   */
  focus(index, really = true) {
    this.cells[this.focused]?.setAttribute("tabindex", "-1");
    this.focused = index;
    this.cells[index]?.setAttribute("tabindex", "0");
    if (really) this.cells[index]?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = STEPS[event.key];
    if (step) {
      const before = this.orientation.cellOf(this.focused);
      const cell = before + step;
      const isSameRow = Math.abs(step) === 9 || Math.floor(cell / 9) === Math.floor(before / 9);
      if (cell >= 0 && cell < 81 && isSameRow) this.focus(this.orientation.indexAt(cell));
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.edit) this.edit.square(this.focused, false);
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

/**
 * The keys that move over the cells of the screen, and by how many cells.
 * @type {Record<string, number>}
 */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 };

/** An empty plate. */
function plate() {
  const name = h("span", { class: "player" });
  const clock = h("span", { class: "clock", role: "timer", hidden: true });
  return { name, clock, element: h("div", { class: "plate" }, name, clock) };
}

/**
 * The button that an event is about.
 * @param {Event} event
 */
function buttonOf(event) {
  return event.target instanceof Element ? event.target.closest("button") : null;
}

/**
 * Says a text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const place = document.getElementById("announce");
  if (place) place.textContent = text;
}
