// The play tab: a game against the engine, between two people, or between two engines.

import { Board, announce } from "./board.js";
import { h, textButton } from "./dom.js";
import { askForFormat, dialog, share } from "./files.js";
import { MoveList, clockName, nodeName, resultName, stepped, stepper } from "./game-view.js";
import { pairIndex } from "./orientation.js";
import { colorName, list, pick, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").PlayMessage} PlayMessage
 * @typedef {import("./protocol.js").PlayRequest} PlayRequest
 * @typedef {import("./protocol.js").PlayerKind} PlayerKind
 * @typedef {import("./texts.js").TextKey} TextKey
 * @typedef {{ mode: string, side: string, level: number, other: number, handicap: string, clock: string, minutes: string, seconds: string, pace: string }} GameChoices
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
    this.plates = { top: plate(), bottom: plate() };
    this.status = h("p", { class: "status", role: "status" });
    this.moves = new MoveList(this.game, (node) => this.goTo(node), { values: false });
    this.buttons = {
      takeBack: textButton("takeBack", () => this.request({ type: "take-back" })),
      hint: textButton("hint", () => this.request({ type: "hint" })),
      pause: textButton("pause", () => this.request({ type: "pause", on: !this.message?.paused })),
      declare: textButton("declare", () => this.request({ type: "declare" })),
      resign: textButton("resign", () => this.request({ type: "resign" })),
    };
    this.after = h("div", { class: "row after", hidden: true },
      textButton("rematch", () => this.rematch(), { class: "main" }),
      textButton("analyseGame", () => app.analyse({ type: "load-played-game" })));
    this.element = h("section", { class: "tabpanel play", "aria-label": t("play") },
      h("div", { class: "playerboard" }, this.plates.top.element, this.board.element, this.plates.bottom.element),
      h("div", { class: "panel" },
        h("div", { class: "row" }, textButton("newGame", () => askForGame(app), { class: "main", id: "new" }), Object.values(this.buttons)),
        this.status, this.after,
        this.moves.element,
        h("div", { class: "row spread" }, stepper((steps) => this.step(steps)),
          h("div", { class: "row" },
            textButton("flip", () => this.flip()),
            textButton("save", () => askForFormat(app, "play")),
            textButton("share", () => share(app, "play"))))));
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
    this.request({ type: "go-to", node: node === this.game.at ? null : node });
  }

  /** @param {number} steps */
  step(steps) {
    this.goTo(stepped(this.game, this.message?.shown ?? 0, steps));
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
    else if (key === ",") this.step(-1);
    else if (key === ".") this.step(1);
    else return false;
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
    const isWhite = players[0].who === "engine" && players[1].who === "person";
    if (!before || JSON.stringify(before.players) !== JSON.stringify(players)) this.isFlippedByHand = false;
    // A person who plays White sees the board from White's side, unless it was flipped by hand.
    if (!this.isFlippedByHand && this.board.orientation.flipped !== isWhite) this.board.flip();
    this.receivedAt = performance.now();
    this.board.show(position);
    this.board.showArrows(message.hint ? [{ move: message.hint.move, kind: "hint" }] : []);
    this.moves.update(changed, message.shown);
    this.drawPlates();
    this.drawStatus();
    const isWatched = players.every((player) => player.who === "engine");
    const { takeBack, hint, pause, declare, resign } = this.buttons;
    takeBack.hidden = isWatched;
    hint.hidden = isWatched;
    declare.hidden = isWatched;
    takeBack.disabled = this.game.nodes.length < 2;
    hint.disabled = !message.canMove || message.hinting;
    declare.disabled = !message.canMove;
    pause.hidden = !isWatched && !message.clock;
    pause.disabled = Boolean(over);
    pause.textContent = t(message.paused ? "goOn" : "pause");
    resign.disabled = Boolean(over);
    resign.textContent = t(isWatched ? "stopGame" : "resign");
    this.after.hidden = !over;
    const node = this.game.current();
    if (before && node && before.position.sfen !== position.sfen) {
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
    else text = canMove && !areBothPeople ? t("yourTurn") : t("turnOf", colorName(position.turn));
    if (position.check && !over) text += ` – ${t("check")}`;
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(over));
  }

  drawPlates() {
    if (!this.message) return;
    const { players, position, over } = this.message;
    for (const place of /** @type {const} */ (["top", "bottom"])) {
      const color = this.board.orientation[place];
      const player = players[pairIndex(color)];
      const name = player.who === "engine" ? `${t("engine")} · ${levelName(player.strength)}` : players.every((other) => other.who === "person") ? "" : t("you");
      const shown = this.plates[place];
      shown.element.dataset.color = color;
      shown.name.textContent = `${color === "b" ? "☗" : "☖"} ${colorName(color)}${name ? ` · ${name}` : ""}`;
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
    }
  }

  /** Begins a game like the last one. */
  rematch() {
    const stored = localStorage.getItem("new-game");
    if (stored) this.request(JSON.parse(stored));
    else askForGame(this.app);
  }
}

function plate() {
  const name = h("span", { class: "player" });
  const clock = h("span", { class: "clock", role: "timer" });
  return { name, clock, element: h("div", { class: "plate" }, name, clock) };
}

/** @param {number} strength */
function levelName(strength) {
  return list("levels")[Math.min(Math.round(strength / 2), 10)] ?? "";
}

/**
 * @param {string} id
 * @param {[string, string][]} options values with their names
 * @param {string} chosen
 */
function select(id, options, chosen) {
  return h("select", { id }, options.map(([value, name]) => h("option", { value, selected: value === chosen }, name)));
}

/**
 * The request for a game as it was chosen.
 * @param {GameChoices} chosen
 * @param {string | undefined} sfen the position it begins with, if it is no handicap
 * @returns {PlayRequest}
 */
function newGameRequest(chosen, sfen) {
  /** @type {(level: number) => PlayerKind} */
  const engine = (level) => ({ who: "engine", strength: 2 * level });
  /** @type {PlayerKind} */
  const person = { who: "person" };
  const side = chosen.side === "r" ? "bw"[Math.floor(Math.random() * 2)] : chosen.side;
  /** @type {[PlayerKind, PlayerKind]} */
  const [black, white] = chosen.mode === "people" ? [person, person]
    : chosen.mode === "watch" ? [engine(chosen.level), engine(chosen.other)]
      : side === "b" ? [person, engine(chosen.level)] : [engine(chosen.level), person];
  /**
   * @param {string} count
   * @param {number} unit
   */
  const millis = (count, unit) => Math.round(Math.max(0, Number(count) || 0) * unit);
  const each = millis(chosen.seconds, 1000);
  return {
    type: "new-game",
    black,
    white,
    start: sfen ? { sfen } : { handicap: Number(chosen.handicap) },
    pace: Number(chosen.pace),
    clock: chosen.clock === "none" ? null : {
      main: millis(chosen.minutes, 60_000),
      byoyomi: chosen.clock === "byoyomi" ? each : 0,
      increment: chosen.clock === "fischer" ? each : 0,
    },
  };
}

/**
 * The dialog before a game.
 * @param {App} app
 * @param {string} [sfen] the position it begins with, if it is no handicap
 */
export function askForGame(app, sfen) {
  /** @type {Record<string, string | number | undefined>} */
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem("choices") ?? "{}");
  } catch {
    // An entry that is not ours: the dialog begins with the defaults.
  }
  const mode = select("mode", [["engine", t("againstEngine")], ["people", t("twoPeople")], ["watch", t("watch")]], String(stored.mode ?? "engine"));
  const mine = select("side", [["b", t("black")], ["w", t("white")], ["r", t("random")]], String(stored.side ?? "b"));
  /**
   * @param {string} id
   * @param {string | number} value
   */
  const range = (id, value) => h("input", { id, type: "range", min: 0, max: 10, value });
  const [level, other] = [range("level", stored.level ?? 2), range("other", stored.other ?? 10)];
  const [levelText, otherText] = [h("output"), h("output")];
  const handicap = select("handicap", list("handicaps").map((name, place) => [String(place), name]), String(stored.handicap ?? "0"));
  const clock = select("clock", [["none", t("noClock")], ["sudden", t("suddenDeath")], ["byoyomi", t("byoyomi")], ["fischer", t("fischer")]], String(stored.clock ?? "none"));
  const minutes = h("input", { id: "minutes", type: "number", min: 0, max: 1440, step: "any", value: stored.minutes ?? 10 });
  const seconds = h("input", { id: "seconds", type: "number", min: 0, max: 3600, step: "any", value: stored.seconds ?? 30 });
  const pace = select("pace", [["1200", t("slow")], ["500", t("normal")], ["0", t("fast")]], String(stored.pace ?? "500"));
  /**
   * @param {TextKey} text
   * @param {HTMLElement} field
   */
  const label = (text, field) => h("label", {}, h("span", {}, t(text)), field);
  const levelLabel = h("span");
  const rows = {
    side: label("mySide", mine),
    level: h("label", {}, levelLabel, level, levelText),
    other: h("label", {}, h("span", {}, t("levelOf", t("white"))), other, otherText),
    handicap: label("handicap", handicap),
    note: h("p", { class: "note" }, t("handicapNote")),
    clock: label("clock", clock),
    minutes: label("minutes", minutes),
    seconds: label("seconds", seconds),
    pace: label("pace", pace),
  };
  const update = () => {
    rows.side.hidden = mode.value !== "engine";
    rows.level.hidden = mode.value === "people";
    rows.other.hidden = mode.value !== "watch";
    rows.pace.hidden = mode.value === "people";
    rows.handicap.hidden = Boolean(sfen);
    rows.note.hidden = Boolean(sfen) || handicap.value === "0";
    rows.minutes.hidden = clock.value === "none";
    rows.seconds.hidden = clock.value === "none" || clock.value === "sudden";
    levelText.textContent = levelName(2 * Number(level.value));
    otherText.textContent = levelName(2 * Number(other.value));
    levelLabel.textContent = mode.value === "watch" ? t("levelOf", t("black")) : t("level");
  };
  const begin = () => {
    /** @type {GameChoices} */
    const chosen = { mode: mode.value, side: mine.value, level: Number(level.value), other: Number(other.value), handicap: handicap.value, clock: clock.value, minutes: minutes.value, seconds: seconds.value, pace: pace.value };
    const request = newGameRequest(chosen, sfen);
    localStorage.setItem("choices", JSON.stringify(chosen));
    localStorage.setItem("new-game", JSON.stringify(request));
    box.close();
    app.go("play");
    app.request({ play: request });
  };
  const box = dialog(t("newGame"), h("div", { class: "column form", onchange: update, oninput: update },
    label("who", mode), rows.side, rows.level, rows.other, rows.handicap, rows.note, rows.clock, rows.minutes, rows.seconds, rows.pace,
    h("button", { type: "button", class: "main", id: "begin", onclick: begin }, t("begin"))));
  update();
}
