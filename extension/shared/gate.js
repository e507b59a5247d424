// @ts-check
/**
 * Who may ask the extension for what. Pages of others cannot send messages at all; a page's process that was taken
 * over can speak as our content script, so that one may ask for nothing that reads or changes anything.
 */

/** @typedef {{id?: string, origin?: string, url?: string, tab?: {id?: number}, frameId?: number}} Sender */

/** What our own pages may ask the worker for. */
export const OWN_PAGES = Object.freeze(["connection", "pair", "forget"]);
/** What our content script may tell: nothing of it is answered with more than yes or no. */
export const CONTENT = Object.freeze(["open-panel", "document", "picked", "picker-ended"]);

/**
 * Whether a message may be answered.
 * @param {unknown} message @param {Sender} sender @param {string} ownId
 * @returns {"own page" | "content" | null}
 */
export const admitted = (message, sender, ownId) => {
  const type = typeOf(message);
  if (!type || sender.id !== ownId) return null;
  if (isOwnPage(sender, ownId)) return OWN_PAGES.includes(type) ? "own page" : null;
  const isContent = typeof sender.tab?.id === "number" && sender.frameId === 0;
  return isContent && CONTENT.includes(type) ? "content" : null;
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
