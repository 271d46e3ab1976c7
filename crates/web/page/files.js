// Games in and out: paste, drop, save, share.

import { h } from "./dom.js";
import { t } from "./words.js";

const FORMATS = ["kif", "ki2", "csa", "csa3", "jkf", "usi"];

/// A dialog that is gone when it is closed.
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
  // One that was just closed may still be there.
  for (const old of document.querySelectorAll("dialog")) old.remove();
  document.body.append(box);
  box.showModal();
  return box;
}

/// Bytes in base 64.
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/// Reads a file and hands it on as a wish; too large a file is refused here.
export async function readFile(file, wish, sorry) {
  if (file.size > 1_400_000) return sorry(t("tooLarge"));
  wish({ bytes: await base64(file), name: file.name });
}

/// Asks for a record or a position.
export function askForRecord(wish, sorry) {
  const area = h("textarea", { rows: 10, placeholder: t("pasteHere"), "aria-label": t("pasteHere"), spellcheck: "false", id: "record" });
  const choose = h("input", { type: "file", "aria-label": t("chooseFile"), onchange: async () => {
    if (choose.files[0]) {
      box.close();
      await readFile(choose.files[0], wish, sorry);
    }
  } });
  const box = dialog(t("openRecord"), h("div", { class: "column" }, area,
    h("div", { class: "row spread" }, choose,
      h("button", { type: "button", class: "main", id: "read", onclick: () => {
        wish({ text: area.value });
        box.close();
      } }, t("open")))));
  area.focus();
}

/// Asks how to save, and hands the file over when the server has written it.
export function askForFormat(app, corner) {
  const kept = localStorage.getItem("format");
  const format = h("select", { id: "format" }, FORMATS.map((name) => h("option", { value: name, selected: name === kept }, name.toUpperCase())));
  const encoding = h("select", { id: "encoding" }, ["UTF-8", "Shift_JIS", "EUC-JP"].map((name) => h("option", { value: name }, name)));
  const text = h("textarea", { rows: 10, readonly: true, spellcheck: "false", id: "written" });
  let file = null;
  const ask = () => {
    localStorage.setItem("format", format.value);
    app.net.wish({ do: "save", corner, format: format.value, encoding: encoding.value });
  };
  app.expect("file", (answer) => {
    file = answer;
    text.value = answer.text;
  });
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

function download({ name, bytes }) {
  const data = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  const link = h("a", { href: URL.createObjectURL(new Blob([data])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = t("copied");
  } catch {
    button.closest("dialog")?.querySelector("textarea, input")?.select();
  }
}

/// Shows a link that holds the game.
export function share(app, corner) {
  app.expect("link", ({ game }) => {
    const url = `${location.origin}/#game=${game}`;
    const field = h("input", { readonly: true, value: url, id: "link", "aria-label": t("shareLink") });
    dialog(t("shareLink"), h("div", { class: "column" }, field,
      h("button", { type: "button", class: "main", onclick: (event) => copy(url, event.target) }, t("copy"))));
    field.select();
  });
  app.net.wish({ do: "link", corner });
}
