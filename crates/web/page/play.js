// The play tab: a game against the engine, between two people, or between two engines.

import { Board, announce } from "./board.js";
import { confirmed } from "./confirm.js";
import { h, rename, textButton, toolButton } from "./dom.js";
import { askForFormat, openShare } from "./files.js";
import { MoveList, clockName, nodeName, resultName, stepper } from "./game-view.js";
import { askForGame, beginGame, levelName } from "./new-game.js";
import { pairIndex } from "./orientation.js";
import { ResultCard } from "./result-card.js";
import { sound } from "./sound.js";
import { STEP_KEYS, Stepping } from "./stepping.js";
import { colorName, namesText, pick, setHandicap, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").PlayMessage} PlayMessage
 * @typedef {import("./protocol.js").PlayRequest} PlayRequest
 */

export class PlayTab {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.game = app.games.play;
    /** @type {PlayMessage | null} */
    this.message = null;
    this.receivedAt = 0; // when the message came, to let the clocks run on
    this.isFlippedByHand = false;
    this.board = new Board((mv) => this.request({ type: "move", move: mv }));
    this.plates = this.board.plates;
    this.stepping = new Stepping(this.game, (node) => this.request({ type: "go-to", node: node === this.game.at ? null : node }));
    this.status = h("p", { class: "status", role: "status" });
    this.names = h("p", { class: "names note" });
    this.named = ""; // the position whose names are shown
    this.moves = new MoveList(this.game, (node) => this.goTo(node), { values: false });
    this.buttons = {
      takeBack: toolButton("undo", "takeBack", () => this.request({ type: "take-back" })),
      hint: toolButton("bulb", "hint", () => this.request({ type: "hint" })),
      pause: toolButton("pause", "pause", () => this.request({ type: "pause", on: !this.message?.paused })),
    };
    // What ends a game stands apart.
    this.endings = {
      declare: toolButton("crown", "declare", () => this.request({ type: "declare" })),
      resign: toolButton("flag", "resign", () => this.resign(), { class: "danger" }),
    };
    this.card = new ResultCard(app, () => this.rematch());
    this.after = h("div", { class: "row after", hidden: true },
      textButton("rematch", () => this.rematch(), { class: "main" }),
      textButton("analyseGame", () => app.replaceStudy({ type: "load-played-game", replace: false, review: null })));
    this.element = h("section", { class: "tabpanel play", "aria-label": t("play") },
      h("h1", { class: "unseen" }, t("play")),
      h("div", { class: "boardarea" }, this.board.element, this.card.element),
      h("div", { class: "panel" },
        h("div", { class: "row toolbar" }, toolButton("plus", "newGame", () => askForGame(app), { class: "main", id: "new" }), Object.values(this.buttons),
          h("div", { class: "row apart" }, Object.values(this.endings))),
        this.status, this.names, this.after,
        h("h2", { class: "unseen" }, t("moves")),
        this.moves.element,
        h("div", { class: "row spread toolbar" }, stepper((steps) => this.step(steps)),
          h("div", { class: "row" },
            toolButton("flip", "flip", () => this.flip()),
            toolButton("save", "save", () => askForFormat(app, "play")),
            toolButton("share", "share", () => openShare(app, "play"))))));
    this.board.svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.timer = setInterval(() => this.tick(), 100);
  }

  close() {
    clearInterval(this.timer);
  }

  /** @param {PlayRequest} request */
  request(request) {
    this.app.request({ play: request });
  }

  /** @param {number} node */
  goTo(node) {
    this.stepping.goTo(node, this.message?.shown);
  }

  /** @param {number} steps */
  step(steps) {
    this.stepping.step(steps, this.message?.shown);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.step(Math.sign(event.deltaY));
  }

  resign() {
    const isWatched = this.message?.players.every((player) => player.who === "engine");
    confirmed(t(isWatched ? "stopSure" : "resignSure"), isWatched ? "stopGame" : "resign", () => this.request({ type: "resign" }));
  }

  /** Asks what the opening and the castles are called; a guest is told only what happens on the board. */
  askForNames() {
    const { sfen } = this.message?.position ?? {};
    if (!sfen || sfen === this.named || this.message?.isGuest) return;
    this.named = sfen;
    this.app.request({ look: { type: "names", tab: "play" } });
  }

  /** @param {import("./protocol.js").LookMessage} message */
  showNames(message) {
    if (message.what === "names") this.names.textContent = namesText(message);
  }

  flip() {
    this.board.flip();
    this.drawPlates();
    this.isFlippedByHand = true;
  }

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} key
   */
  key(key) {
    if (key === "f") this.flip();
    else if (key === "u") this.request({ type: "take-back" });
    else if (key === "h") this.request({ type: "hint" });
    else return this.stepKey(key);
    return true;
  }

  /** @param {string} key */
  stepKey(key) {
    const steps = STEP_KEYS[key];
    if (steps === undefined) return false;
    this.step(steps);
    return true;
  }

  /**
   * Shows a message of the server.
   * @param {PlayMessage} message
   * @param {number[]} changed the nodes of the game that changed
   */
  receive(message, changed) {
    const before = this.message;
    this.message = message;
    const { players, position, over } = message;
    setHandicap(this.game.isHandicap);
    const isWhite = message.seat ? message.seat === "w" : players[0].who === "engine" && players[1].who === "person";
    if (!before || before.seat !== message.seat || JSON.stringify(before.players) !== JSON.stringify(players)) this.isFlippedByHand = false;
    document.body.classList.toggle("guest", message.isGuest);
    // A person who plays White sees the board from White's side, unless it was flipped by hand.
    if (!this.isFlippedByHand && this.board.orientation.flipped !== isWhite) this.board.flip();
    this.receivedAt = performance.now();
    this.board.show(position);
    this.board.showArrows(message.hint ? [{ move: message.hint.move, kind: "hint" }] : []);
    this.askForNames();
    this.moves.update(changed, message.shown);
    this.stepping.shown(message.shown);
    this.drawPlates();
    this.drawStatus();
    const isWatched = players.every((player) => player.who === "engine");
    const { takeBack, hint, pause } = this.buttons;
    const { declare, resign } = this.endings;
    takeBack.hidden = isWatched;
    hint.hidden = isWatched;
    declare.hidden = isWatched;
    takeBack.disabled = this.game.nodes.length < 2;
    hint.disabled = !message.canMove || message.hinting;
    declare.disabled = !message.canMove;
    pause.hidden = !isWatched && !message.clock;
    pause.disabled = Boolean(over);
    rename(pause, t(message.paused ? "goOn" : "pause"));
    resign.disabled = Boolean(over);
    rename(resign, t(isWatched ? "stopGame" : "resign"));
    this.after.hidden = !over;
    if (before && !before.over && over) {
      this.card.show(over, this.game);
      sound.play("end");
    }
    if (!over) this.card.hide();
    const node = this.game.current();
    if (before && node && before.position.sfen !== position.sfen) {
      if (!over) sound.play(position.check ? "check" : "piece");
      announce(over ? t("ends", resultName(over)) : nodeName(node) + (position.check ? `. ${t("check")}` : ""));
    }
  }

  drawStatus() {
    if (!this.message) return;
    const { over, canMove, thinking, paused, hint, hinting, position, shown, players } = this.message;
    const areBothPeople = players.every((player) => player.who === "person");
    let text;
    if (over) text = resultName(over);
    else if (shown !== this.game.at) text = t("looking");
    else if (hinting) text = t("hinting");
    else if (hint) text = t("hintIs", pick(hint));
    else if (paused) text = t("paused");
    else if (thinking && !canMove) text = t("thinking");
    else text = canMove && (!areBothPeople || this.message.seat) ? t("yourTurn") : t("turnOf", colorName(position.turn));
    if (position.check && !over) text += ` – ${t("check")}`;
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(over));
  }

  drawPlates() {
    if (!this.message) return;
    const { players, position, over, seat, isGuest, hasGuest } = this.message;
    for (const place of /** @type {const} */ (["top", "bottom"])) {
      const color = this.board.orientation[place];
      const player = players[pairIndex(color)];
      const own = this.game.players[pairIndex(color)];
      const isOther = seat !== null && seat !== color;
      const name = isOther ? t(isGuest ? "host" : hasGuest ? "guestHere" : "guestAway") : seat === color ? t("you") : player.who === "person" && own ? own : player.who === "engine" ? `${t("engine")} · ${levelName(player.strength)}` : players.every((other) => other.who === "person") ? "" : t("you");
      const shown = this.plates[place];
      shown.element.dataset.color = color;
      shown.name.replaceChildren(h("span", { class: "side" }, `${color === "b" ? "☗" : "☖"} ${colorName(color)}`), h("span", { class: "who" }, name));
      shown.element.classList.toggle("turn", position.turn === color && !over);
    }
    this.tick();
  }

  tick() {
    const clock = this.message?.clock;
    for (const place of /** @type {const} */ (["top", "bottom"])) {
      const color = this.board.orientation[place];
      const face = this.plates[place].clock;
      face.hidden = !clock;
      if (!clock) continue;
      let { main, byoyomi } = clock.left[pairIndex(color)];
      if (clock.running === color) {
        const gone = performance.now() - this.receivedAt;
        byoyomi = Math.max(0, byoyomi - Math.max(0, gone - main));
        main = Math.max(0, main - gone);
      }
      const text = main > 0 || !clock.control.byoyomi ? clockName(main) : `${Math.ceil(byoyomi / 1000)}`;
      if (face.textContent !== text) face.textContent = text;
      const left = main > 0 ? main + clock.control.byoyomi : byoyomi;
      face.classList.toggle("hurry", clock.running === color && left < 10_000);
      if (clock.running === color) sound.countDown(left);
    }
  }

  /** Begins a game like the last one. */
  rematch() {
    const stored = localStorage.getItem("new-game");
    if (stored) beginGame(this.app, JSON.parse(stored));
    else askForGame(this.app);
  }
}
