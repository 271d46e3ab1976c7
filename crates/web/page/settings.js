// The settings that this browser remembers: how the page looks.

import { language, setLanguage } from "./texts.js";

/** @typedef {"language" | "look" | "board" | "pieces" | "sound"} SettingName */

/** @type {Record<SettingName, import("./texts.js").TextKey[]>} */
const CHOICES = {
  language: ["auto", "en", "ja"],
  look: ["auto", "light", "dark"],
  board: ["wood", "kaya", "lacquer", "plain"],
  pieces: ["one", "two", "brush", "western"],
  sound: ["soundOn", "soundOff"],
};

/** @type {Record<SettingName, string>} */
export const settings = { language: "auto", look: "auto", board: "wood", pieces: "one", sound: "soundOn" };

/** @type {SettingName[]} */
export const SETTING_NAMES = ["language", "look", "board", "pieces", "sound"];

try {
  const stored = JSON.parse(localStorage.getItem("settings") ?? "{}");
  for (const name of SETTING_NAMES) {
    const known = CHOICES[name].find((value) => value === stored[name]);
    if (known) settings[name] = known;
  }
} catch {
  // An entry that is not ours: the defaults stay.
}

/** @param {SettingName} name */
export function choices(name) {
  return CHOICES[name];
}

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", apply);

/** Applies the settings to the page. */
export function apply() {
  const root = document.documentElement;
  root.dataset.look = settings.look === "auto" ? (dark.matches ? "dark" : "light") : settings.look;
  root.dataset.board = settings.board;
  root.dataset.pieces = settings.pieces;
  const preferred = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2));
  const found = preferred.find((tag) => tag === "ja" || tag === "en") ?? "en";
  setLanguage((settings.language === "auto" ? found : settings.language) === "ja" ? "ja" : "en");
  root.lang = language();
}

/**
 * @param {SettingName} name
 * @param {string} value
 */
export function choose(name, value) {
  settings[name] = value;
  localStorage.setItem("settings", JSON.stringify(settings));
  apply();
}
