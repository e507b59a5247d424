// @ts-check
/**
 * Who may tell the extension what. Nothing that reads or changes anything can be asked for by a message: our own pages
 * ask the daemon themselves. Pages of others cannot send messages at all, but a page's process that was taken over can
 * speak as our content script.
 */

/** @typedef {{id?: string, origin?: string, url?: string, tab?: {id?: number}, frameId?: number}} Sender */

/** What our content script may tell. Nothing of it is answered with more than yes or no. */
export const CONTENT = Object.freeze(["open-panel", "document", "picked", "picker-ended"]);

/**
 * Whether a message comes from our content script in the main frame of a tab, and is one that it may send.
 * @param {unknown} message @param {Sender} sender @param {string} ownId
 */
export const admitted = (message, sender, ownId) => {
  if (sender.id !== ownId || isOwnPage(sender, ownId)) return false;
  if (typeof sender.tab?.id !== "number" || sender.frameId !== 0) return false;
  return CONTENT.includes(typeOf(message));
};

/** @param {Sender} sender @param {string} ownId */
export const isOwnPage = (sender, ownId) =>
  sender.id === ownId && String(sender.url || "").startsWith(`chrome-extension://${ownId}/`);

/** @param {unknown} message @returns {string} */
export const typeOf = (message) => {
  const type = typeof message === "object" && message !== null ? Reflect.get(message, "type") : "";
  return typeof type === "string" ? type : "";
};

/**
 * What a content script says was picked, checked; null if it is not of that form.
 * @param {unknown} message
 * @returns {{purpose: "inspect" | "note", document: number, at: [number, number] | null,
 *   area: [number, number, number, number] | null} | null}
 */
export const pickedBy = (message) => {
  const fields = /** @type {Record<string, unknown>} */ (message);
  const { purpose, document, at, area } = fields;
  if (purpose !== "inspect" && purpose !== "note") return null;
  if (typeof document !== "number" || !Number.isFinite(document)) return null;
  const point = /** @type {[number, number] | null} */ (numbers(at, 2));
  const part = /** @type {[number, number, number, number] | null} */ (numbers(area, 4));
  return point || part ? { purpose, document, at: point, area: point ? null : part } : null;
};

/** @param {unknown} value @param {number} count @returns {number[] | null} */
const numbers = (value, count) =>
  Array.isArray(value) && value.length === count && value.every((it) => Number.isFinite(it)) ? value : null;
