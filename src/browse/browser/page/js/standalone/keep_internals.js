/**
 * Keeps what an element set through `ElementInternals` for lib/closed_shadow.js.
 * @param {Element} element
 * @param {ElementInternalsFacts} facts
 */
export default (element, facts) => {
  const told = /** @type {Record<symbol, ClosedShadow>} */ (globalThis)[Symbol.for("browse closed shadow")];
  told.known = true;
  told.internals.set(element, facts);
};
