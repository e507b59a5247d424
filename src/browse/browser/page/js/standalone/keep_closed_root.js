/**
 * Keeps a closed shadow root for lib/closed_shadow.js.
 * @param {ShadowRoot} root
 */
export default (root) => {
  const store = /** @type {Record<symbol, ClosedShadow>} */ (globalThis)[Symbol.for("browse closed shadow")];
  store.known = true;
  store.roots.set(root.host, root);
};
