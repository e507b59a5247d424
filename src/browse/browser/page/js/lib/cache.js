/**
 * What was found out about each element in this run, so that it is found out once. `clear` must be called after each
 * run: what is remembered here keeps removed elements alive.
 * @param {Lib} lib
 */
export default (lib) => {
  /** @type {(() => void)[]} */
  const resets = [];
  // Facts that are asked of most elements come first, so that what is known of an element stays small.
  const USUAL = 8;
  let usual = 0;
  let slots = USUAL;
  // One Map of all facts: a Map for each kind of fact, or a WeakMap, took longer than the work itself.
  /** @type {Map<Node, unknown[]>} */
  let known = new Map();
  /** @type {Node | null} */
  let latest = null;
  /** @type {unknown[]} */
  let facts = [];

  /** @param {Node} node @returns {unknown[]} */
  const about = (node) => {
    if (node === latest) return facts;
    let found = known.get(node);
    if (!found) {
      found = new Array(USUAL);
      known.set(node, found);
    }
    latest = node;
    facts = found;
    return found;
  };

  /** Forget everything. */
  const clear = () => {
    known = new Map();
    latest = null;
    facts = [];
    for (const reset of resets) reset();
    lib.dom.forget();
  };

  /**
   * Remember a function's answer for each node until the next `clear`.
   * @template {Node} N @template T @param {(node: N) => T} compute
   * @param {boolean} [isUsual] Whether most elements are asked. @returns {(node: N) => T}
   */
  const remembered = (compute, isUsual = false) => {
    const slot = isUsual && usual < USUAL ? usual++ : slots++;
    return (node) => {
      const found = about(node);
      if (found[slot] === undefined) found[slot] = compute(node);
      return /** @type {T} */ (found[slot]);
    };
  };

  /**
   * Remember a function's only answer until the next `clear`.
   * @template T @param {() => T} compute @returns {() => T}
   */
  const once = (compute) => {
    /** @type {T | undefined} */
    let made;
    resets.push(() => {
      made = undefined;
    });
    return () => {
      if (made === undefined) made = compute();
      return made;
    };
  };

  /**
   * Something that an element has from above: climbed once, without recursion, and remembered on the way down.
   * @template T @param {(element: Element) => Element | null} parent @param {() => T} top
   * @param {(element: Element, above: T) => T} step @returns {(element: Element) => T}
   */
  const inherited = (parent, top, step) => {
    const slot = slots++;
    return (element) => {
      const found = about(element)[slot];
      if (found !== undefined) return /** @type {T} */ (found);
      const path = [element];
      let node = parent(element);
      for (; node && about(node)[slot] === undefined; node = parent(node)) path.push(node);
      let value = node ? /** @type {T} */ (about(node)[slot]) : top();
      while (path.length) {
        const next = /** @type {Element} */ (path.pop());
        value = step(next, value);
        about(next)[slot] = value;
      }
      return value;
    };
  };

  return { clear, remembered, once, inherited };
};
