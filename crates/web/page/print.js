// Things on paper: shown to the printer instead of the page.

import { h } from "./dom.js";

/**
 * Prints an element alone.
 * @param {Element} element
 */
export function print(element) {
  for (const old of document.querySelectorAll(".printed")) old.remove();
  const sheet = h("div", { class: "printed" }, element);
  document.body.append(sheet);
  addEventListener("afterprint", () => sheet.remove(), { once: true });
  window.print();
}
