// Tabs whose modules are loaded when they are first shown, so that the first page stays small.

import { h } from "./dom.js";

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").ServerMessage} ServerMessage
 * @typedef {"library" | "train" | "engines" | "course"} LazyName
 */

/** What every tab that is loaded later can do. */
export class LoadedTab {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {HTMLElement} */
    this.element = h("section", { class: "tabpanel" });
  }

  close() {}

  /**
   * Does what a key stands for, and says whether it stands for something.
   * @param {string} _key
   */
  key(_key) {
    return false;
  }

  /**
   * Shows a message of the server, if it is meant for this tab.
   * @param {ServerMessage} _message
   */
  take(_message) {}
}

/** Stands in the place of a tab until its module is there. */
export class PendingTab extends LoadedTab {
  /**
   * @param {App} app
   * @param {LazyName} name
   */
  constructor(app, name) {
    super(app);
    this.element.setAttribute("aria-busy", "true");
    load(app, name).then((tab) => app.replacePending(this, tab), () => app.connectionChanged("lost"));
  }
}

/**
 * @param {App} app
 * @param {LazyName} name
 * @returns {Promise<LoadedTab>}
 */
async function load(app, name) {
  await loadStyle("/more.css");
  switch (name) {
    case "library": return new (await import("./library.js")).LibraryTab(app);
    case "train": return new (await import("./train.js")).TrainTab(app);
    case "course": return new (await import("./course.js")).CourseTab(app);
    case "engines": return new (await import("./engines.js")).EnginesTab(app);
  }
}

/**
 * Loads a file of styles, once.
 * @param {string} path
 */
export function loadStyle(path) {
  const known = document.querySelector(`link[href="${path}"]`);
  return new Promise((done, failed) => {
    if (known) return done(known);
    const link = h("link", { rel: "stylesheet", href: path, onload: () => done(link), onerror: failed });
    document.head.append(link);
  });
}
