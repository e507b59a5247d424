// @ts-check
// Elements without markup: words become text, never HTML, whoever wrote them.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {{ node: HTMLElement, fill: (row: any) => void }} Shown */
/** @type {WeakMap<Element, Map<string, Shown>>} */
const shownIn = new WeakMap();

/**
 * Return the element of this page with an id.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no #${id}`);
  return found;
}

/**
 * Make an element with a class and text or elements in it.
 * @param {string} tag
 * @param {string} [name]
 * @param {...(string | Node)} children
 * @returns {HTMLElement}
 */
export function el(tag, name = "", ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(string | Node)} children
 */
export function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} label
 * @param {string} name
 * @param {() => void} pressed
 */
export function button(label, name, pressed) {
  const made = el("button", name, label);
  made.addEventListener("click", pressed);
  return made;
}

/**
 * Set the text of an element, if it is another: screen readers read what is set.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Show rows as the children of a list. Elements of rows that stay are kept, with focus and pictures.
 * @param {Element} list
 * @param {any[]} rows
 * @param {(row: any) => string} keyOf
 * @param {(row: any) => Shown} make
 * @param {string} [none] what to say if there are no rows
 */
export function keyed(list, rows, keyOf, make, none = "") {
  const before = shownIn.get(list) ?? new Map();
  /** @type {Map<string, Shown>} */
  const now = new Map();
  for (const row of rows) {
    const shown = before.get(keyOf(row)) ?? make(row);
    shown.fill(row);
    now.set(keyOf(row), shown);
  }
  shownIn.set(list, now);
  const wanted = [...now.values()].map((shown) => shown.node);
  if (!wanted.length && none) wanted.push(el("li", "muted", none));
  for (const child of [...list.children]) {
    if (!wanted.includes(/** @type {HTMLElement} */ (child))) child.remove();
  }
  wanted.forEach((node, at) => {
    if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null);
  });
}

/** @param {number | null | undefined} bytes */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return "unknown";
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  const mega = bytes / 1024 / 1024;
  return mega < 1024 ? `${mega.toFixed(mega < 10 ? 1 : 0)} MB` : `${(mega / 1024).toFixed(2)} GB`;
}

/** @param {number} seconds */
export function span(seconds) {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}
