/**
 * What custom elements keep to themselves: a closed shadow root, and the role and states that they set through
 * `ElementInternals`. No script of ours can read that, only the protocol can. So the daemon asks about those that wait
 * here and leaves what it was told. The key is a symbol, because an element's id would shadow a name.
 * @param {Lib} lib
 */
export default (lib) => {
  const { dom } = lib;
  const MOST = 300;
  const RANGED = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);

  /** @typedef {{role: string, name: string, value: string, states: Record<string, unknown>}} Facts */
  const told = {
    /** @type {Element[]} */
    waiting: [],
    /** @type {WeakMap<Element, ShadowRoot>} */
    roots: new WeakMap(),
    /** @type {WeakMap<Element, Facts>} */
    facts: new WeakMap(),
    // Whether there is anything: asking an empty map about each element of a page takes its time.
    known: false,
  };
  /** @type {any} */ (globalThis)[Symbol.for("browse strangers")] = told;
  /** @type {WeakSet<Element>} */
  const met = new WeakSet();

  /**
   * Lets custom elements wait to be asked about: new ones, and those whose facts may have changed if `all` are meant.
   * @param {"all" | "new" | "none"} which @returns {number} How many wait.
   */
  const meet = (which) => {
    told.waiting = [];
    if (which === "none") return 0;
    for (const element of lib.tree.customs()) {
      if (met.has(element) && !(which === "all" && told.facts.has(element))) continue;
      if (told.waiting.length >= MOST || !dom.fits(element, ":defined")) continue;
      met.add(element);
      told.waiting.push(element);
    }
    return told.waiting.length;
  };

  /** @param {Element} element @returns {Facts | undefined} */
  const facts = (element) => (told.known ? told.facts.get(element) : undefined);
  /** @param {Element} element @returns {ShadowRoot | null} */
  const root = (element) => (told.known && told.roots.get(element)) || null;
  /** @param {Element} element @returns {string} */
  const role = (element) => {
    const given = facts(element)?.role || "";
    return lib.roleTables.ROLES.has(given) && given !== "none" ? given : "";
  };
  /** @param {Element} element @returns {string} */
  const name = (element) => facts(element)?.name || "";
  /** @param {Element} element @returns {Record<string, unknown>} */
  const states = (element) => {
    const found = facts(element);
    if (!found) return {};
    return RANGED.has(found.role) && found.value ? { ...found.states, value: found.value } : found.states;
  };

  return { meet, root, role, name, states };
};
