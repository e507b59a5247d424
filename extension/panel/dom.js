// @ts-check
/** Building elements. Words become text and nothing else: what a page wrote must never become markup. */

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number | boolean | ((event: any) => unknown) | undefined>} [about]
 * @param {...Child} children @returns {HTMLElementTagNameMap[K]}
 */
export const el = (tag, about = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((it) => it !== null && it !== undefined && it !== false).map(asNode));
  return made;
};

/** @param {Child} child @returns {Node | string} */
const asNode = (child) => (child instanceof Node ? child : String(child));

/** The element of an id, which the page has. @param {string} id @returns {HTMLElement} */
export const byId = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no #${id}`);
  return found;
};

/**
 * Draw anew, and leave the keyboard where the person has it, with what they have typed meanwhile. Elements are known
 * again by their ids; `settled` is the field whose value is drawn.
 * @param {() => void} draw @param {string} [settled]
 */
export const redraw = (draw, settled = "") => {
  const was = document.activeElement;
  const typed = was instanceof HTMLInputElement && was.value !== was.defaultValue ? was.value : null;
  draw();
  const now = was?.id ? document.getElementById(was.id) : null;
  if (!now || now === was) return;
  now.focus();
  if (typed !== null && now instanceof HTMLInputElement && now.id !== settled) now.value = typed;
};

/** A text in one line, cut to a length. @param {unknown} value @param {number} most */
export const short = (value, most) => {
  const text = String(value ?? "").replace(/\s+/g, " ");
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

/** Say what went wrong, and what to do. @param {unknown} error */
export const said = (error) => {
  const { message, hint } = /** @type {{message?: string, hint?: string}} */ (error);
  return [message || String(error), hint].filter(Boolean).join(" ");
};
