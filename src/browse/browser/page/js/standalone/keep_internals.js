/**
 * Keeps what an element set through `ElementInternals` for lib/closed_shadow.js.
 * @param {Element} element
 * @param {ElementInternalsFacts} facts
 */
export default (element, facts) => {
  const store = /** @type {Record<symbol, ClosedShadow>} */ (globalThis)[Symbol.for("browse closed shadow")];
  store.known = true;
  store.internals.set(element, facts);
};
