/**
 * Keeps a closed shadow root for lib/closed_shadow.js.
 * @param {ShadowRoot} root
 */
export default (root) => {
  const told = /** @type {Record<symbol, ClosedShadow>} */ (globalThis)[Symbol.for("browse closed shadow")];
  told.known = true;
  told.roots.set(root.host, root);
};
