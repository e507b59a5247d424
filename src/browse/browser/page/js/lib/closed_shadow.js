/**
 * What custom elements keep to themselves: a closed shadow root, and the role and states that they set through
 * `ElementInternals`. No script of ours can read that, only the DevTools protocol can. So the daemon asks about the
 * elements that wait here, and leaves what it found (standalone/keep_closed_root.js, keep_internals.js). The key
 * is a symbol, because an element's id would shadow a name.
 * @param {Lib} lib
 */
export default (lib) => {
  const { dom } = lib;
  const MAX_WAITING = 300;
  const RANGED = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);

  /** @type {ClosedShadow} */
  const store = {
    waiting: [],
    roots: new WeakMap(),
    internals: new WeakMap(),
    // Whether there is anything: asking an empty map about each element of a page takes its time.
    known: false,
  };
  /** @type {Record<symbol, unknown>} */ (globalThis)[Symbol.for("browse closed shadow")] = store;
  /** @type {WeakSet<Element>} */
  const asked = new WeakSet();

  /**
   * Make custom elements wait to be asked about: new ones, and with `all` also those whose states may have changed.
   * @param {"all" | "new" | "none"} which @returns {number} How many wait.
   */
  const enqueue = (which) => {
    store.waiting = [];
    if (which === "none") return 0;
    for (const element of lib.tree.customElements()) {
      if (asked.has(element) && !(which === "all" && store.internals.has(element))) continue;
      if (store.waiting.length >= MAX_WAITING || !dom.fits(element, ":defined")) continue;
      asked.add(element);
      store.waiting.push(element);
    }
    return store.waiting.length;
  };

  /** @param {Element} element @returns {ElementInternalsFacts | undefined} */
  const internals = (element) => (store.known ? store.internals.get(element) : undefined);
  /** @param {Element} element @returns {ShadowRoot | null} */
  const root = (element) => (store.known && store.roots.get(element)) || null;
  /** @param {Element} element @returns {string} */
  const role = (element) => {
    const given = internals(element)?.role || "";
    return lib.roleTables.ROLES.has(given) && given !== "none" ? given : "";
  };
  /** @param {Element} element @returns {string} */
  const name = (element) => internals(element)?.name || "";
  /** @param {Element} element @returns {ElementStates} */
  const states = (element) => {
    const found = internals(element);
    if (!found) return {};
    return RANGED.has(found.role) && found.value ? { ...found.states, value: found.value } : found.states;
  };

  return { enqueue, root, role, name, states };
};
