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

const ICONS = {
  first: "M4 4h2v12H4zM16 4v12L7 10z",
  previous: "M14 3v14L4 10z",
  next: "M6 3v14l10-7z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
  gear: "M8.5 1h3l.5 2.4 1.6.7L15.700 2.800l2.100 2.100-1.300 2.100.7 1.600 2.400.5v3l-2.400.5-.7 1.600 1.300 2.100-2.100 2.100-2.100-1.300-1.600.7-.5 2.400h-3l-.5-2.400-1.600-.7-2.100 1.300-2.100-2.100 1.300-2.100-.7-1.600L.4 12.100v-3l2.400-.5.7-1.600-1.300-2.100 2.100-2.100 2.100 1.300 1.600-.7zM10 7a3.300 3.300 0 1 0 0 6.600A3.300 3.300 0 1 0 10 7z",
};

/**
 * A button with a text.
 * @param {import("./texts.js").TextKey} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function textButton(text, act, attributes) {
  return h("button", { type: "button", onclick: act, "data-text": text, ...attributes }, t(text));
}

/**
 * A button with an icon, and a name for screen readers.
 * @param {keyof typeof ICONS} icon
 * @param {string} name
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function iconButton(icon, name, act, attributes) {
  const picture = s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[icon], "fill-rule": "evenodd" }));
  return h("button", { type: "button", class: "icon", title: name, "aria-label": name, onclick: act, ...attributes }, picture);
}
