// The hint for whoever opens the board for the first time.

import { h, textButton } from "./dom.js";
import { t } from "./texts.js";

/** A hint that is shown once; `null` if it was. */
export function welcome() {
  if (localStorage.getItem("welcomed")) return null;
  const box = h("div", { class: "welcome", role: "note" }, h("p", {}, t("welcome")),
    textButton("gotIt", () => {
      localStorage.setItem("welcomed", "yes");
      box.remove();
    }, { class: "main", id: "got-it" }));
  return box;
}
