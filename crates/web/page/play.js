// Playing: against the engine, between two people, between two engines.

import { h } from "./dom.js";
import { Board, announce } from "./board.js";
import { askForFormat, dialog, share } from "./files.js";
import { MoveList, clockName, nodeName, resultName, stepped, stepper } from "./sheet.js";
import { list, t, language } from "./words.js";

export class Play {
  constructor(app) {
    this.app = app;
    this.sheet = app.sheets.play;
    this.board = new Board((mv) => app.wish({ do: "move", move: mv }));
    this.plates = { b: plate(), w: plate() };
    this.status = h("p", { class: "status", role: "status" });
    this.moves = new MoveList(this.sheet, (node) => this.look(node), { values: false });
    const button = (word, act, extra) => h("button", { type: "button", onclick: act, "data-word": word, ...extra }, t(word));
    this.buttons = {
      takeBack: button("takeBack", () => app.wish({ do: "take-back" })),
      hint: button("hint", () => app.wish({ do: "hint" })),
      pause: button("pause", () => app.wish({ do: "pause", on: !this.last?.paused })),
      declare: button("declare", () => app.wish({ do: "declare" })),
      resign: button("resign", () => app.wish({ do: "resign" })),
    };
    this.after = h("div", { class: "row after", hidden: true },
      button("rematch", () => this.again(), { class: "main" }),
      button("analyseGame", () => app.analyse({ do: "study-game" })));
    this.element = h("section", { class: "corner play", "aria-label": t("play") },
      h("div", { class: "seatboard" }, this.plates.w.element, this.board.element, this.plates.b.element),
      h("div", { class: "panel" },
        h("div", { class: "row" }, button("newGame", () => this.ask(), { class: "main", id: "new" }), Object.values(this.buttons)),
        this.status, this.after,
        this.moves.element,
        h("div", { class: "row spread" }, stepper((steps) => this.step(steps)),
          h("div", { class: "row" },
            button("flip", () => this.flip()),
            button("save", () => askForFormat(app, "play")),
            button("share", () => share(app, "play"))))));
    this.timer = setInterval(() => this.tick(), 100);
  }

  close() {
    clearInterval(this.timer);
  }

  look(node) {
    this.app.wish({ do: "look", node: node === this.sheet.at ? null : node });
  }

  step(steps) {
    const node = stepped(this.sheet, this.last?.shown ?? 0, steps);
    this.look(node);
  }

  flip() {
    this.board.flip();
    this.drawPlates();
    this.turned = true;
  }

  key(key) {
    if (key === "f") this.flip();
    else if (key === "u") this.app.wish({ do: "take-back" });
    else if (key === "h") this.app.wish({ do: "hint" });
    else if (key === ",") this.step(-1);
    else if (key === ".") this.step(1);
    else return false;
    return true;
  }

  hear(news, changed) {
    const before = this.last;
    this.last = news;
    const { seats, position, over } = news;
    const white = seats[0].who === "engine" && seats[1].who === "person";
    if (!before || JSON.stringify(before.seats) !== JSON.stringify(seats)) this.turned = false;
    // Whoever plays White sits at White's side, unless the board was turned by hand.
    if (!this.turned && this.board.flipped !== white) this.board.flip();
    this.heard = performance.now();
    this.board.show(position);
    this.board.point(news.hint ? [{ move: news.hint.move, kind: "hint" }] : []);
    this.moves.update(changed, news.shown);
    this.drawPlates();
    this.drawStatus();
    const isWatched = seats.every((seat) => seat.who === "engine");
    const { takeBack, hint, pause, declare, resign } = this.buttons;
    takeBack.hidden = isWatched;
    hint.hidden = isWatched;
    declare.hidden = isWatched;
    takeBack.disabled = this.sheet.nodes.length < 2;
    hint.disabled = !news.canMove || news.hinting;
    declare.disabled = !news.canMove;
    pause.hidden = !isWatched && !news.clock;
    pause.disabled = Boolean(over);
    pause.textContent = t(news.paused ? "goOn" : "pause");
    resign.disabled = Boolean(over);
    resign.textContent = t(isWatched ? "stopGame" : "resign");
    this.after.hidden = !over;
    const node = this.sheet.nodes[this.sheet.at];
    if (before && node && before.position.sfen !== position.sfen) {
      announce(over ? t("ends", resultName(over)) : nodeName(node) + (position.check ? `. ${t("check")}` : ""));
    }
  }

  drawStatus() {
    const { over, canMove, thinking, paused, hint, hinting, position, shown, seats } = this.last;
    const side = t(position.turn === "b" ? "black" : "white");
    const both = seats.every((seat) => seat.who === "person");
    let text;
    if (over) text = resultName(over);
    else if (shown !== this.sheet.at) text = t("looking");
    else if (hinting) text = t("hinting");
    else if (hint) text = t("hintIs", language() === "ja" ? hint.ja : hint.en);
    else if (paused) text = t("paused");
    else if (thinking && !canMove) text = t("thinking");
    else text = canMove && !both ? t("yourTurn") : t("turnOf", side);
    if (position.check && !over) text += ` – ${t("check")}`;
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(over));
  }

  drawPlates() {
    if (!this.last) return;
    const { seats, position, over } = this.last;
    for (const [place, color] of Object.entries({ w: this.board.flipped ? "b" : "w", b: this.board.flipped ? "w" : "b" })) {
      const seat = seats[color === "b" ? 0 : 1];
      const name = seat.who === "person" ? (seats.every((other) => other.who === "person") ? "" : t("you")) : `${t("engine")} · ${levelName(seat.strength)}`;
      const shown = this.plates[place];
      shown.element.dataset.color = color;
      shown.name.textContent = `${color === "b" ? "☗" : "☖"} ${t(color === "b" ? "black" : "white")}${name ? ` · ${name}` : ""}`;
      shown.element.classList.toggle("turn", position.turn === color && !over);
    }
    this.tick();
  }

  tick() {
    const clock = this.last?.clock;
    for (const { element, clock: face } of Object.values(this.plates)) {
      const color = element.dataset.color;
      face.hidden = !clock;
      if (!clock || !color) continue;
      let [main, byoyomi] = clock.left[color === "b" ? 0 : 1];
      if (clock.running === color) {
        const gone = performance.now() - this.heard;
        byoyomi = Math.max(0, byoyomi - Math.max(0, gone - main));
        main = Math.max(0, main - gone);
      }
      const text = main > 0 || !clock.control.byoyomi ? clockName(main) : `${Math.ceil(byoyomi / 1000)}`;
      if (face.textContent !== text) face.textContent = text;
      const left = main > 0 ? main + clock.control.byoyomi : byoyomi;
      face.classList.toggle("hurry", clock.running === color && left < 10_000);
    }
  }

  again() {
    const kept = localStorage.getItem("game");
    if (kept) this.app.wish(JSON.parse(kept));
    else this.ask();
  }

  /// Asks how the next game is to be.
  ask(sfen) {
    askForGame(this.app, sfen);
  }
}

function plate() {
  const name = h("span", { class: "player" });
  const clock = h("span", { class: "clock", role: "timer" });
  return { name, clock, element: h("div", { class: "plate" }, name, clock) };
}

function levelName(strength) {
  return list("levels")[Math.min(Math.round(strength / 2), 10)];
}

function select(id, options, chosen) {
  return h("select", { id }, options.map(([value, name]) => h("option", { value, selected: value === chosen }, name)));
}

/// The dialog before a game.
export function askForGame(app, sfen) {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("choices") ?? "{}");
  } catch {
    // Begins with the usual choices.
  }
  const mode = select("mode", [["engine", t("againstEngine")], ["people", t("twoPeople")], ["watch", t("watch")]], kept.mode ?? "engine");
  const mine = select("side", [["b", t("black")], ["w", t("white")], ["r", t("random")]], kept.side ?? "b");
  const range = (id, value) => h("input", { id, type: "range", min: 0, max: 10, value });
  const [level, other] = [range("level", kept.level ?? 2), range("other", kept.other ?? 10)];
  const names = [h("output", {}), h("output", {})];
  const handicap = select("handicap", list("handicaps").map((name, place) => [String(place), name]), kept.handicap ?? "0");
  const clock = select("clock", [["none", t("noClock")], ["sudden", t("suddenDeath")], ["byoyomi", t("byoyomi")], ["fischer", t("fischer")]], kept.clock ?? "none");
  const minutes = h("input", { id: "minutes", type: "number", min: 0, max: 1440, step: "any", value: kept.minutes ?? 10 });
  const seconds = h("input", { id: "seconds", type: "number", min: 0, max: 3600, step: "any", value: kept.seconds ?? 30 });
  const pace = select("pace", [["1200", t("slow")], ["500", t("normal")], ["0", t("fast")]], kept.pace ?? "500");
  const label = (word, ...content) => h("label", {}, h("span", {}, t(word)), ...content);
  const rows = {
    side: label("mySide", mine),
    level: h("label", {}, h("span", { class: "levelname" }), level, names[0]),
    other: h("label", {}, h("span", { class: "levelname" }), other, names[1]),
    handicap: h("label", {}, h("span", {}, t("handicap")), handicap),
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
    names[0].textContent = list("levels")[level.value];
    names[1].textContent = list("levels")[other.value];
    rows.level.querySelector(".levelname").textContent = mode.value === "watch" ? t("levelOf", t("black")) : t("level");
    rows.other.querySelector(".levelname").textContent = t("levelOf", t("white"));
  };
  const begin = () => {
    const chosen = { mode: mode.value, side: mine.value, level: Number(level.value), other: Number(other.value), handicap: handicap.value, clock: clock.value, minutes: minutes.value, seconds: seconds.value, pace: pace.value };
    localStorage.setItem("choices", JSON.stringify(chosen));
    const engine = (value) => ({ who: "engine", strength: 2 * Number(value) });
    const person = { who: "person" };
    const side = chosen.side === "r" ? "bw"[Math.floor(Math.random() * 2)] : chosen.side;
    const [black, white] = chosen.mode === "people" ? [person, person]
      : chosen.mode === "watch" ? [engine(level.value), engine(other.value)]
        : side === "b" ? [person, engine(level.value)] : [engine(level.value), person];
    const millis = (field, unit) => Math.round(Math.max(0, Number(field.value) || 0) * unit);
    const each = millis(seconds, 1000);
    const wish = {
      do: "begin", black, white, handicap: sfen ? 0 : Number(handicap.value), sfen: sfen ?? null,
      pace: Number(pace.value),
      clock: chosen.clock === "none" ? null : {
        main: millis(minutes, 60_000),
        byoyomi: chosen.clock === "byoyomi" ? each : 0,
        increment: chosen.clock === "fischer" ? each : 0,
      },
    };
    localStorage.setItem("game", JSON.stringify(wish));
    box.close();
    app.go("play");
    app.wish(wish);
  };
  const box = dialog(t("newGame"), h("div", { class: "column form", onchange: update, oninput: update },
    label("who", mode), rows.side, rows.level, rows.other, rows.handicap, rows.note, rows.clock, rows.minutes, rows.seconds, rows.pace,
    h("button", { type: "button", class: "main", id: "begin", onclick: begin }, t("begin"))));
  update();
}
