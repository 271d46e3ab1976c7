// The page: four corners of one desk, one of them shown.

import { h, iconButton, isWriting } from "./dom.js";
import { Analyse } from "./analyse.js";
import { dialog } from "./files.js";
import { Learn } from "./learn.js";
import { Net } from "./net.js";
import { Play } from "./play.js";
import { Sheet } from "./sheet.js";
import { Solve } from "./solve.js";
import { apply, choices, choose, settings } from "./settings.js";
import { language, pick, t } from "./words.js";

const CORNERS = { play: Play, analyse: Analyse, solve: Solve, learn: Learn };
// What the server calls them.
const SERVED = { play: "play", analyse: "study", solve: "problem", learn: "learn" };

class App {
  constructor() {
    this.sheets = { play: new Sheet(), study: new Sheet(), problem: new Sheet() };
    this.news = {}; // the last news of each corner, to draw it anew
    this.expected = new Map();
    this.net = new Net((news) => this.hear(news), (how) => this.connection(how));
    this.name = null;
    apply();
    this.build();
    const link = this.link();
    this.show(link ? "analyse" : this.cornerOfAddress());
    this.net.open(SERVED[this.name]);
    if (link) this.openLink(link);
    addEventListener("hashchange", () => {
      const found = this.link();
      if (found) this.openLink(found);
      else this.go(this.cornerOfAddress());
    });
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text");
      if (!text || isWriting(event.target)) return;
      if (this.name === "solve") this.wish({ do: "pose", text });
      else if (this.name === "analyse") this.wish({ do: "load", text });
    });
  }

  cornerOfAddress() {
    const name = location.hash.slice(1);
    return name in CORNERS ? name : "play";
  }

  link() {
    return location.hash.startsWith("#game=") ? location.hash : null;
  }

  openLink(link) {
    history.replaceState(null, "", "#analyse");
    this.go("analyse");
    this.wish({ do: "load", text: link });
  }

  build() {
    document.title = t("title");
    this.tabs = Object.keys(CORNERS).map((name) => h("a", { href: `#${name}`, "data-corner": name, class: "tab" }, t(name)));
    this.place = h("main", { id: "place" });
    this.banner = h("div", { class: "banner", role: "alert", hidden: true });
    this.toasts = h("div", { class: "toasts", role: "alert", "aria-live": "assertive" });
    document.body.replaceChildren(
      h("header", { class: "top" },
        h("a", { class: "brand", href: "#play", "aria-label": "Tesuji" }, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, "Tesuji")),
        h("nav", { "aria-label": "Tesuji" }, this.tabs),
        iconButton("gear", t("settings"), () => this.askForSettings(), { id: "settings" })),
      this.banner, this.place, this.toasts,
      h("div", { id: "announce", class: "unseen", role: "status", "aria-live": "polite" }));
  }

  /// Shows a corner and says so to the server and in the address.
  go(name) {
    if (name === this.name) return;
    this.show(name);
    this.net.show(SERVED[name]);
  }

  show(name) {
    this.name = name;
    if (location.hash !== `#${name}` && !this.link()) history.replaceState(null, "", `#${name}`);
    for (const tab of this.tabs) tab.setAttribute("aria-current", tab.dataset.corner === name ? "page" : "false");
    this.corner?.close();
    this.corner = new CORNERS[name](this);
    this.place.replaceChildren(this.corner.element);
    const served = SERVED[name];
    if (this.news[served]) this.corner.hear(this.news[served], []);
    if (served === "study" && this.news.live) this.corner.hear(this.news.live, []);
  }

  /// Draws everything anew, in other words or shapes.
  redraw() {
    apply();
    this.build();
    const name = this.name;
    this.show(name);
  }

  wish(wish) {
    this.net.wish(wish);
  }

  /// The next answer of a kind goes to `act`.
  expect(is, act) {
    this.expected.set(is, act);
  }

  hear(news) {
    if (news.is === "sorry") return this.sorry(pick(news));
    if (this.expected.has(news.is)) return this.expected.get(news.is)(news);
    const corner = news.is === "live" ? "study" : news.is;
    const changed = news.sheet && this.sheets[corner] ? this.sheets[corner].apply(news.sheet) : [];
    this.news[news.is] = news;
    if (SERVED[this.name] === corner || news.is === "lesson") this.corner.hear(news, changed);
    document.body.dataset.ready = "yes";
  }

  connection(how) {
    if (how === "too-large") this.sorry(t("tooLarge"));
    this.banner.hidden = how !== "lost";
    this.banner.textContent = t("lost");
    document.body.dataset.connection = how;
  }

  /// Says that something cannot be done.
  sorry(text) {
    const toast = h("div", { class: "toast" }, h("span", {}, text), h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => toast.remove() }, "✕"));
    this.toasts.append(toast);
    while (this.toasts.children.length > 3) this.toasts.firstChild.remove();
    setTimeout(() => toast.remove(), 12_000);
  }

  analyse(wish) {
    this.go("analyse");
    this.wish(wish);
  }

  solve(sfen) {
    this.go("solve");
    this.wish({ do: "pose", text: sfen });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || document.querySelector("dialog[open]")) return;
    const key = event.key === "ArrowLeft" ? "," : event.key === "ArrowRight" ? "." : event.key;
    if (this.corner.key?.(key)) event.preventDefault();
  }

  askForSettings() {
    const rows = ["language", "look", "board", "pieces"].map((name) => {
      const select = h("select", { id: `set-${name}`, onchange: () => {
        choose(name, select.value);
        box.close();
        this.redraw();
      } }, choices(name).map((value) => h("option", { value, selected: settings[name] === value }, t(value))));
      return h("label", {}, h("span", {}, t(name)), select);
    });
    const box = dialog(t("settings"), h("div", { class: "column form" }, rows, h("p", { class: "note" }, t("keys"))));
  }
}

window.tesuji = new App();
window.tesuji.language = language;
