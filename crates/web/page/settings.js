// What this browser remembers about how things look.

import { language } from "./words.js";

const CHOICES = {
  language: ["auto", "en", "ja"],
  look: ["auto", "light", "dark"],
  board: ["wood", "plain"],
  pieces: ["one", "two", "western"],
};

export const settings = { language: "auto", look: "auto", board: "wood", pieces: "one" };

try {
  const kept = JSON.parse(localStorage.getItem("settings") ?? "{}");
  for (const [name, values] of Object.entries(CHOICES)) {
    if (values.includes(kept[name])) settings[name] = kept[name];
  }
} catch {
  // Somebody else's entry: the usual settings will do.
}

export function choices(name) {
  return CHOICES[name];
}

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", apply);

export function apply() {
  const root = document.documentElement;
  root.dataset.look = settings.look === "auto" ? (dark.matches ? "dark" : "light") : settings.look;
  root.dataset.board = settings.board;
  root.dataset.pieces = settings.pieces;
  const preferred = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2));
  const found = preferred.find((tag) => tag === "ja" || tag === "en") ?? "en";
  language(settings.language === "auto" ? found : settings.language);
  root.lang = language();
}

export function choose(name, value) {
  settings[name] = value;
  localStorage.setItem("settings", JSON.stringify(settings));
  apply();
}
