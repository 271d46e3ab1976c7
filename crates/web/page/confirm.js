// Questions before something is lost.

import { h } from "./dom.js";
import { dialog } from "./files.js";
import { t } from "./texts.js";

/**
 * Asks before something is done that cannot be undone by a click. The harmless answer has the focus.
 * @param {string} question
 * @param {import("./texts.js").TextKey} yes what the button says that does it
 * @param {() => void} act
 */
export function confirmed(question, yes, act) {
  const keep = h("button", { type: "button", id: "keep", onclick: () => box.close() }, t("keep"));
  const box = dialog(t("sure"),
    h("p", {}, question),
    h("div", { class: "row answers" }, keep,
      h("button", { type: "button", class: "danger", id: "confirm", onclick: () => {
        box.close();
        act();
      } }, t(yes))));
  box.classList.add("question");
  keep.focus();
}
