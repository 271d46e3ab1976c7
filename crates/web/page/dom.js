// Elements in a line each.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/// An element of HTML.
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/// An element of SVG.
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/// Does something before the next picture, however often it is asked: the page never draws more
/// often than it is seen.
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

/// Whether keys belong to a field somebody writes in.
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

/// A button with a drawing and a name for those who listen.
export function iconButton(drawing, name, act, attributes) {
  const picture = s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[drawing], "fill-rule": "evenodd" }));
  return h("button", { type: "button", class: "icon", title: name, "aria-label": name, onclick: act, ...attributes }, picture);
}
