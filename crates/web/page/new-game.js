// The dialog before a game: who plays, how strong, with which clock.

import { confirmed } from "./confirm.js";
import { h } from "./dom.js";
import { dialog } from "./files.js";
import { list, t } from "./texts.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").PlayRequest} PlayRequest
 * @typedef {import("./protocol.js").PlayerKind} PlayerKind
 * @typedef {import("./texts.js").TextKey} TextKey
 * @typedef {{ mode: string, side: string, level: number, other: number, handicap: string, clock: string, minutes: string, seconds: string, pace: string }} GameChoices
 */

/** @param {number} strength */
export function levelName(strength) {
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
 * What was chosen the last time.
 * @returns {Record<string, string | number | undefined>}
 */
function storedChoices() {
  try {
    return JSON.parse(localStorage.getItem("choices") ?? "{}");
  } catch {
    // An entry that is not ours: the dialog begins with the defaults.
    return {};
  }
}

/**
 * The dialog before a game.
 * @param {App} app
 * @param {string} [sfen] the position it begins with, if it is no handicap
 */
export function askForGame(app, sfen) {
  const stored = storedChoices();
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
  const problem = h("p", { class: "problem", role: "alert" });
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
    if (isTooShort(request)) {
      problem.textContent = t("clockTooShort");
      minutes.focus();
      return;
    }
    localStorage.setItem("choices", JSON.stringify(chosen));
    localStorage.setItem("new-game", JSON.stringify(request));
    box.close();
    beginGame(app, request);
  };
  const box = dialog(t("newGame"), h("div", { class: "column form", onchange: update, oninput: update },
    label("who", mode), rows.side, rows.level, rows.other, rows.handicap, rows.note, rows.clock, rows.minutes, rows.seconds, rows.pace, problem,
    h("button", { type: "button", class: "main", id: "begin", onclick: begin }, t("begin"))));
  update();
}

/**
 * Whether a game has a clock that falls at once.
 * @param {PlayRequest} request
 */
function isTooShort(request) {
  if (request.type !== "new-game" || !request.clock) return false;
  const { main, byoyomi, increment } = request.clock;
  return main + byoyomi + increment < 1000;
}

/**
 * Begins a game; one that is running is given up only after a question.
 * @param {App} app
 * @param {PlayRequest} request
 */
export function beginGame(app, request) {
  const begin = () => {
    app.go("play");
    app.request({ play: request });
  };
  const running = app.messages.play;
  const moves = app.games.play.mainLine().length - 1;
  if (running && !running.over && moves > 0) confirmed(t("giveUpGame"), "beginAnother", begin);
  else begin();
}
