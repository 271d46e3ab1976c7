// Elements in a line each.

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {{ [name: string]: string | number | boolean | null | undefined | ((event: any) => void) }} Attributes
 * @typedef {Node | string | null | undefined | false} Child
 * @typedef {Child | Child[]} Children
 */

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes | undefined} attributes
 * @param {Children[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * A function that does its work before the next frame, once, however often it is called.
 * @param {() => void} work
 */
export function batched(work) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      work();
    });
  };
}

/**
 * Whether keys belong to a field for text.
 * @param {EventTarget | null} target
 */
export function isWriting(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Drawings of 20 by 20, filled; a hole is a part that runs the other way round or lies inside. */
const ICONS = {
  first: "M4 4h2v12H4zM16 4v12L7 10z",
  previous: "M14 3v14L4 10z",
  next: "M6 3v14l10-7z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
  gear: "M8.5 1h3l.5 2.4 1.6.7L15.700 2.800l2.100 2.100-1.300 2.100.7 1.600 2.400.5v3l-2.400.5-.7 1.600 1.300 2.100-2.100 2.100-2.100-1.300-1.600.7-.5 2.400h-3l-.5-2.400-1.600-.7-2.100 1.300-2.100-2.100 1.300-2.100-.7-1.600L.4 12.100v-3l2.400-.5.7-1.600-1.300-2.100 2.100-2.100 2.100 1.300 1.600-.7zM10 7a3.300 3.300 0 1 0 0 6.600A3.300 3.300 0 1 0 10 7z",
  plus: "M9 3h2v6h6v2h-6v6H9v-6H3V9h6z",
  undo: "M8 3v4c5 0 9 3 9 9-2-3.500-5-4.500-9-4.500V16L2 9.500z",
  bulb: "M10 1a6 6 0 0 0-3.500 10.900V14h7v-2.100A6 6 0 0 0 10 1zM7 15.500h6V17H7zM8 18h4v1.200H8z",
  pause: "M5 3h3.500v14H5zM11.500 3H15v14h-3.500z",
  flag: "M4 2h2v1h10l-3 4 3 4H6v8H4z",
  crown: "M2 6l4 4 4-7 4 7 4-4-2 10H4z",
  flip: "M6 2l4 5H7.500v6H4.500V7H2zM14 18l-4-5h2.500V7h3v6H18z",
  folder: "M2 4h6l2 2h8v10H2zM4 8v6h12V8z",
  pencil: "M14 2l4 4L7 17l-5 1 1-5zM12.500 6l1.500 1.500L6.500 15 5 13.500z",
  save: "M8.700 2h2.600v7H15l-5 5-5-5h3.700zM3 15h14v3H3z",
  share: "M11 2l7 6-7 6v-3.500C6 10.500 4 12 2 16c0-6 3-10 9-10.500z",
  dots: "M3 8h4v4H3zM8 8h4v4H8zM13 8h4v4h-4z",
  trash: "M7 2h6v2h5v2H2V4h5zM4 7h12l-1 11H5zM7.500 9v7H9V9zM11 9v7h1.500V9z",
  up: "M10 3l6 7h-4v7H8v-7H4z",
  sound: "M2 7h4l5-4v14l-5-4H2zM13 6.500c2 1.500 2 5.500 0 7zM15 4c4 3 4 9 0 12l-.8-1.200c3-2.500 3-7.100 0-9.600z",
  silent: "M2 7h4l5-4v14l-5-4H2zM13 8l1.200-1.200L16 8.600l1.800-1.800L19 8l-1.800 1.800L19 11.600l-1.200 1.200L16 11l-1.800 1.800L13 11.600l1.800-1.800z",
  print: "M5 2h10v4H5zM2 7h16v8h-3v-3H5v3H2zM6 13h8v5H6z",
  phone: "M6 1h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V2a1 1 0 0 1 1-1zM6.500 3v12h7V3zM9 16h2v1.500H9z",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * A button with a text.
 * @param {import("./texts.js").TextKey} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function textButton(text, act, attributes) {
  return h("button", { type: "button", onclick: act, "data-text": text, ...attributes }, t(text));
}

/** @param {IconName} icon */
export function drawIcon(icon) {
  return s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[icon], "fill-rule": "evenodd" }));
}

/**
 * A button with an icon, and a name for screen readers.
 * @param {IconName} icon
 * @param {string} name
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function iconButton(icon, name, act, attributes) {
  return h("button", { type: "button", class: "icon", title: name, "aria-label": name, onclick: act, ...attributes }, drawIcon(icon));
}

/**
 * A button of a toolbar: an icon with its name as a hint, and with the name beside it where there is
 * room.
 * @param {IconName} icon
 * @param {import("./texts.js").TextKey} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function toolButton(icon, text, act, attributes) {
  const name = t(text);
  return h("button", { type: "button", title: name, "aria-label": name, onclick: act, "data-text": text, ...attributes, class: `tool ${attributes?.class ?? ""}` },
    drawIcon(icon), h("span", { class: "label" }, name));
}

/**
 * Gives a toolbar button another name.
 * @param {HTMLElement} button
 * @param {string} name
 */
export function rename(button, name) {
  const label = button.querySelector(".label");
  if (label && label.textContent !== name) label.textContent = name;
  button.title = name;
  button.setAttribute("aria-label", name);
}

/**
 * A menu of buttons that are not needed often.
 * @param {string} name
 * @param {...HTMLElement} items
 */
export function menu(name, ...items) {
  const box = h("details", { class: "menu" },
    h("summary", { title: name, "aria-label": name }, drawIcon("dots")),
    h("div", { class: "items" }, items));
  box.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(".items button")) box.open = false;
  });
  box.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !box.contains(event.relatedTarget)) box.open = false;
  });
  return box;
}
