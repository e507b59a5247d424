/**
 * The custom elements that wait to be asked about (lib/closed_shadow.js), in a world where there is the engine.
 * @returns {Element[] | undefined}
 */
export default () => {
  const store = /** @type {Record<symbol, ClosedShadow | undefined>} */ (globalThis)[
    Symbol.for("browse closed shadow")
  ];
  return store?.waiting;
};
