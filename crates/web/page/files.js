// Games in and out: paste, drop, save; and dialogs.

/**
 * @typedef {import("./main.js").App} App
 * @typedef {import("./protocol.js").FileMessage} FileMessage
 * @typedef {import("./protocol.js").GameTab} GameTab
 * @typedef {import("./protocol.js").RecordSource} RecordSource
 */

import { h } from "./dom.js";
import { t } from "./texts.js";

/** What a file may have, so that it fits a message in base 64. */
const LARGEST_FILE = 1_400_000;

const FORMATS = ["kif", "ki2", "csa", "csa3", "jkf", "usi"];

/**
 * A dialog that is removed when it is closed.
 * @param {string} title
 * @param {...Node} content
 */
export function dialog(title, ...content) {
  const box = h("dialog", { class: "dialog", "aria-label": title },
    h("form", { method: "dialog" },
      h("header", {}, h("h2", {}, title), h("button", { class: "icon", "aria-label": t("close"), title: t("close") }, "✕")),
    ),
    ...content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  // A dialog that was just closed may still be there.
  for (const old of document.querySelectorAll("dialog")) old.remove();
  document.body.append(box);
  box.showModal();
  return box;
}

/**
 * The bytes of a file in base 64.
 * @param {File} file
 */
export async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/**
 * Reads a file and hands it on; too large a file is refused here.
 * @param {App} app
 * @param {File} file
 * @param {(record: RecordSource) => void} load
 */
export async function readFile(app, file, load) {
  if (file.size > LARGEST_FILE) app.showError(t("tooLarge"));
  else load({ file: { name: file.name, bytes: await base64(file) } });
}

/**
 * Loads files, and texts, that are dropped on an element.
 * @param {App} app
 * @param {HTMLElement} element
 * @param {(record: RecordSource) => void} load
 */
export function acceptDrops(app, element, load) {
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text");
    if (file) readFile(app, file, load);
    else if (text) load({ text });
  });
}

/**
 * Asks for a record or a position.
 * @param {App} app
 * @param {(record: RecordSource) => void} load
 */
export function askForRecord(app, load) {
  const area = h("textarea", { rows: 10, placeholder: t("pasteHere"), "aria-label": t("pasteHere"), spellcheck: "false", id: "record" });
  const choose = h("input", { type: "file", "aria-label": t("chooseFile"), onchange: async () => {
    const file = choose.files?.[0];
    if (file) {
      box.close();
      await readFile(app, file, load);
    }
  } });
  const box = dialog(t("openRecord"), h("div", { class: "column" }, area,
    h("div", { class: "row spread" }, choose,
      h("button", { type: "button", class: "main", id: "read", onclick: () => {
        load({ text: area.value });
        box.close();
      } }, t("open")))));
  area.focus();
}

/**
 * Asks how to save a game, and offers the file when the server has written it.
 * @param {App} app
 * @param {GameTab} tab
 */
export function askForFormat(app, tab) {
  const stored = localStorage.getItem("format");
  const format = h("select", { id: "format" }, FORMATS.map((name) => h("option", { value: name, selected: name === stored }, name.toUpperCase())));
  const encoding = h("select", { id: "encoding" }, ["UTF-8", "Shift_JIS", "EUC-JP"].map((name) => h("option", { value: name }, name)));
  const text = h("textarea", { rows: 10, readonly: true, spellcheck: "false", id: "written" });
  /** @type {FileMessage | null} */
  let file = null;
  const ask = () => {
    localStorage.setItem("format", format.value);
    app.request({ save: { tab, format: format.value, encoding: encoding.value } });
  };
  app.onFile = (message) => {
    file = message;
    text.value = message.text;
  };
  format.onchange = ask;
  encoding.onchange = ask;
  dialog(t("saveAs"), h("div", { class: "column" },
    h("div", { class: "row" }, h("label", {}, t("format"), format), h("label", {}, t("encoding"), encoding)),
    text,
    h("div", { class: "row spread" },
      h("button", { type: "button", onclick: (event) => copy(text.value, event.target) }, t("copy")),
      h("button", { type: "button", class: "main", onclick: () => file && download(file) }, t("download")))));
  ask();
}

/** @param {FileMessage} file */
function download({ name, bytes }) {
  const data = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  saveBlob(new Blob([data]), name);
}

/**
 * Offers bytes as a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function saveBlob(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  document.body.dataset.saved = `${name} ${blob.size}`;
}

/**
 * @param {string} text
 * @param {HTMLElement} button
 */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = t("copied");
  } catch {
    const field = button.closest("dialog")?.querySelector("textarea, input");
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) field.select();
  }
}

/**
 * Opens the dialog with everything that can be given away; what it needs is loaded only then.
 * @param {App} app
 * @param {GameTab} tab
 */
export async function openShare(app, tab) {
  const share = await import("./share.js");
  share.openShare(app, tab);
}
