// The page: the tabs of one session, one of them shown.

import { AnalyseTab } from "./analyse.js";
import { confirmed } from "./confirm.js";
import { Connection, acceptInvitation } from "./connection.js";
import { drawIcon, h, iconButton, isWriting } from "./dom.js";
import { dialog } from "./files.js";
import { GameView } from "./game-view.js";
import { LoadedTab, PendingTab } from "./lazy.js";
import { LearnTab } from "./learn.js";
import { PlayTab } from "./play.js";
import { SETTING_NAMES, apply, choices, choose, settings } from "./settings.js";
import { SolveTab } from "./solve.js";
import { sound } from "./sound.js";
import { pick, t } from "./texts.js";
import { welcome } from "./welcome.js";

/**
 * @typedef {import("./protocol.js").AnalyseMessage} AnalyseMessage
 * @typedef {import("./protocol.js").AnalyseRequest} AnalyseRequest
 * @typedef {import("./protocol.js").FileMessage} FileMessage
 * @typedef {import("./protocol.js").GameTab} GameTab
 * @typedef {import("./protocol.js").InvitationMessage} InvitationMessage
 * @typedef {import("./protocol.js").LinkMessage} LinkMessage
 * @typedef {import("./protocol.js").LiveMessage} LiveMessage
 * @typedef {import("./protocol.js").PlayMessage} PlayMessage
 * @typedef {import("./protocol.js").PositionsMessage} PositionsMessage
 * @typedef {import("./protocol.js").RecordSource} RecordSource
 * @typedef {import("./protocol.js").Request} Request
 * @typedef {import("./protocol.js").ReviewMessage} ReviewMessage
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 * @typedef {import("./protocol.js").SolveMessage} SolveMessage
 * @typedef {import("./protocol.js").Tab} TabName
 * @typedef {import("./texts.js").TextKey} TextKey
 * @typedef {{ play?: PlayMessage, analyse?: AnalyseMessage, live?: LiveMessage, review?: ReviewMessage, solve?: SolveMessage }} LastMessages
 * @typedef {Extract<AnalyseRequest, { type: "load" | "set-position" | "load-played-game" }>} ReplaceRequest
 */

/** @type {TabName[]} */
const TABS = ["play", "analyse", "library", "train", "solve", "learn", "engines", "course"];

export class App {
  constructor() {
    this.games = { play: new GameView(), analyse: new GameView(), solve: new GameView() };
    /**
     * The last message of each type, to draw its tab anew.
     * @type {LastMessages}
     */
    this.messages = {};
    /**
     * Gets the next file that the server sends.
     * @type {((message: FileMessage) => void) | null}
     */
    this.onFile = null;
    /**
     * Gets the next position that the server sends.
     * @type {((position: import("./protocol.js").PositionView) => void) | null}
     */
    this.onPosition = null;
    /**
     * Gets the next link that the server sends.
     * @type {((message: LinkMessage) => void) | null}
     */
    this.onLink = null;
    /**
     * Gets the next invitation.
     * @type {((message: InvitationMessage) => void) | null}
     */
    this.onInvitation = null;
    /**
     * Gets the next list of positions.
     * @type {((message: PositionsMessage) => void) | null}
     */
    this.onPositions = null;
    /**
     * What the study was to be replaced by, if the server wants a question first.
     * @type {ReplaceRequest | null}
     */
    this.replacing = null;
    if (acceptInvitation(location.hash)) history.replaceState(null, "", "#play");
    apply();
    // The course in shogi is reached from the one in search.
    this.tabLinks = TABS.filter((name) => name !== "course").map((name) => h("a", { href: `#${name}`, "data-tab": name, class: "tab" }));
    this.content = h("main", { id: "content" });
    this.banner = h("div", { class: "banner", role: "alert", hidden: true });
    this.toasts = h("div", { class: "toasts", role: "alert", "aria-live": "assertive" });
    this.build();
    const link = this.link();
    this.tabName = link ? "analyse" : this.tabOfAddress();
    this.connection = new Connection(this.tabName, (message) => this.receive(message), (state) => this.connectionChanged(state));
    this.tab = this.show(this.tabName);
    if (link) this.openLink(link);
    this.listen();
  }

  listen() {
    addEventListener("hashchange", () => {
      const found = this.link();
      if (acceptInvitation(location.hash)) location.reload();
      else if (document.querySelector("dialog[open]")) this.closeDialog();
      else if (found) this.openLink(found);
      else this.go(this.tabOfAddress());
    });
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text");
      if (!text || isWriting(event.target)) return;
      if (this.tabName === "solve") this.request({ solve: { type: "load", record: { text } } });
      else if (this.tabName === "analyse") this.loadStudy({ text });
    });
  }

  /** The tab that the address names. */
  tabOfAddress() {
    return TABS.find((name) => location.hash === `#${name}`) ?? "play";
  }

  /** The game that the address holds. */
  link() {
    return location.hash.startsWith("#game=") ? location.hash : null;
  }

  /** @param {string} link */
  openLink(link) {
    history.replaceState(null, "", "#analyse");
    this.loadStudy({ text: link });
  }

  /** Back closes a dialog, and nothing else: the tab below it stays. */
  closeDialog() {
    for (const box of document.querySelectorAll("dialog")) box.close();
    history.pushState(null, "", `#${this.tabName}`);
  }

  /**
   * Replaces the study; what is nowhere else only after a question.
   * @param {ReplaceRequest} request
   */
  replaceStudy(request) {
    this.replacing = request;
    this.analyse(request);
  }

  /** @param {RecordSource} record */
  loadStudy(record) {
    this.replaceStudy({ type: "load", record, number: null, replace: false });
  }

  askBeforeReplacing() {
    const request = this.replacing;
    if (request) confirmed(t("replaceSure"), "replace", () => this.analyse({ ...request, replace: true }));
  }

  /**
   * Offers the games of a text that holds several.
   * @param {string[]} titles
   */
  chooseGame(titles) {
    const request = this.replacing;
    if (request?.type !== "load") return;
    const box = dialog(t("severalGames", titles.length), h("ol", { class: "column several" }, titles.map((title, number) => h("li", {}, h("button", { type: "button", "data-game": number, onclick: () => {
      box.close();
      this.analyse({ ...request, number, replace: true });
    } }, title)))));
  }

  /**
   * Every position of the main line of a tab.
   * @param {GameTab} tab
   * @returns {Promise<PositionsMessage>}
   */
  positions(tab) {
    return new Promise((done) => {
      this.onPositions = done;
      this.request({ positions: tab });
    });
  }

  /** Draws what is around the tabs, in the language of the page. */
  build() {
    document.title = t("title");
    for (const link of this.tabLinks) link.replaceChildren(t(/** @type {TabName} */ (link.dataset.tab)));
    document.body.replaceChildren(
      h("header", { class: "top" },
        h("a", { class: "brand", href: "#play", "aria-label": "Tesuji" }, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, "Tesuji")),
        h("nav", { "aria-label": "Tesuji" }, this.tabLinks),
        this.soundButton(),
        iconButton("gear", t("settings"), () => this.askForSettings(), { id: "settings" })),
      this.banner, welcome() ?? "", this.content, this.toasts,
      h("div", { id: "announce", class: "unseen", role: "status", "aria-live": "polite" }));
  }

  soundButton() {
    const button = iconButton(sound.isOn ? "sound" : "silent", t("sound"), () => this.toggleSound(), { id: "sound", "aria-pressed": String(sound.isOn) });
    return button;
  }

  toggleSound() {
    sound.toggle();
    const button = document.getElementById("sound");
    button?.replaceChildren(drawIcon(sound.isOn ? "sound" : "silent"));
    button?.setAttribute("aria-pressed", String(sound.isOn));
  }

  /**
   * Shows a tab and says so to the server and in the address.
   * @param {TabName} name
   */
  go(name) {
    if (name === this.tabName) return;
    this.tab = this.show(name);
    this.connection.show(name);
  }

  /**
   * Shows a tab with what is known about it.
   * @param {TabName} name
   */
  show(name) {
    this.tabName = name;
    if (location.hash !== `#${name}` && !this.link()) history.replaceState(null, "", `#${name}`);
    const shown = name === "course" ? "learn" : name;
    for (const link of this.tabLinks) link.setAttribute("aria-current", link.dataset.tab === shown ? "page" : "false");
    // In a narrow window the tabs scroll sideways.
    this.tabLinks.find((link) => link.dataset.tab === shown)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.tab?.close();
    const tab = this.open(name);
    this.content.replaceChildren(tab.element);
    return tab;
  }

  /**
   * Makes a tab and shows it the last messages about it.
   * @param {TabName} name
   */
  open(name) {
    const { play, analyse, live, review, solve } = this.messages;
    switch (name) {
      case "play": {
        const tab = new PlayTab(this);
        if (play) tab.receive(play, []);
        return tab;
      }
      case "analyse": {
        const tab = new AnalyseTab(this);
        if (analyse) tab.receive(analyse, []);
        if (live) tab.receiveLive(live, []);
        if (review) tab.review.receive(review);
        return tab;
      }
      case "solve": {
        const tab = new SolveTab(this);
        if (solve) tab.receive(solve, []);
        return tab;
      }
      case "learn":
        return new LearnTab(this);
      default:
        return new PendingTab(this, name);
    }
  }

  /**
   * Shows a tab whose module is there now, unless another one is shown meanwhile.
   * @param {PendingTab} pending
   * @param {LoadedTab} tab
   */
  replacePending(pending, tab) {
    if (this.tab !== pending) return tab.close();
    this.tab = tab;
    this.content.replaceChildren(tab.element);
    document.body.dataset.ready = "yes";
  }

  /** Draws everything anew, with other settings. */
  redraw() {
    apply();
    this.build();
    this.tab = this.show(this.tabName);
  }

  /** @param {Request} request */
  request(request) {
    this.connection.send(request);
  }

  /** @param {ServerMessage} message */
  receive(message) {
    const { games, tab } = this;
    switch (message.type) {
      case "play": {
        const changed = games.play.apply(message.game);
        this.messages.play = message;
        if (tab instanceof PlayTab) tab.receive(message, changed);
        break;
      }
      case "analyse": {
        const changed = games.analyse.apply(message.game);
        this.messages.analyse = message;
        if (tab instanceof AnalyseTab) tab.receive(message, changed);
        break;
      }
      case "live": {
        const changed = games.analyse.apply(message.game);
        this.messages.live = message;
        if (tab instanceof AnalyseTab) tab.receiveLive(message, changed);
        break;
      }
      case "review":
        this.messages.review = message;
        if (tab instanceof AnalyseTab) tab.receiveReview(message);
        break;
      case "solve": {
        const changed = games.solve.apply(message.game);
        this.messages.solve = message;
        if (tab instanceof SolveTab) tab.receive(message, changed);
        break;
      }
      case "explore":
        if (tab instanceof AnalyseTab) tab.explorer.receive(message);
        break;
      case "lesson":
        if (tab instanceof LearnTab) tab.receive(message);
        break;
      case "look":
        if (message.what === "line") this.onPosition?.(message.position);
        else if (tab instanceof AnalyseTab) tab.facts?.receive(message);
        else if (tab instanceof PlayTab) tab.showNames(message);
        break;
      case "file": return this.onFile?.(message);
      case "link": return this.onLink?.(message);
      case "invitation": return this.onInvitation?.(message);
      case "positions": return this.onPositions?.(message);
      case "several": return this.chooseGame(message.titles);
      case "unsaved": return this.askBeforeReplacing();
      case "error":
        if ("stepping" in tab) tab.stepping.forget();
        return this.showError(pick(message));
    }
    if (tab instanceof LoadedTab) tab.take(message);
    document.body.dataset.ready = "yes";
  }

  /** @param {import("./connection.js").ConnectionState} state */
  connectionChanged(state) {
    if (state === "too-large") this.showError(t("tooLarge"));
    this.banner.hidden = state !== "lost";
    this.banner.textContent = t("lost");
    document.body.dataset.connection = state;
  }

  /**
   * Tells the user that something cannot be done.
   * @param {string} text
   */
  showError(text) {
    const toast = h("div", { class: "toast" }, h("span", {}, text), h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => toast.remove() }, "✕"));
    this.toasts.append(toast);
    while (this.toasts.children.length > 3) this.toasts.firstElementChild?.remove();
    setTimeout(() => toast.remove(), 12_000);
  }

  /**
   * Shows the analysis tab and asks it for something.
   * @param {AnalyseRequest} request
   */
  analyse(request) {
    this.go("analyse");
    this.request({ analyse: request });
  }

  /**
   * Shows the tab for mate problems with a position.
   * @param {string} sfen
   */
  solve(sfen) {
    this.go("solve");
    this.request({ solve: { type: "load", record: { text: sfen } } });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || document.querySelector("dialog[open]")) return;
    const key = event.key === "ArrowLeft" ? "," : event.key === "ArrowRight" ? "." : event.key;
    if (key === "m") this.toggleSound();
    else if (this.tab.key(key)) event.preventDefault();
  }

  askForSettings() {
    const rows = SETTING_NAMES.map((name) => {
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

// The tests of the page look at it through this name.
Object.assign(window, { tesuji: new App() });
