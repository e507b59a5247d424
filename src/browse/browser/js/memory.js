// @ts-check
/**
 * What was found out about each element in this run, so that it is found out once.
 * @param {any} lib Gets `fresh`, which forgets it all: call it after each run, because what is remembered keeps
 *   removed elements alive.
 */
(lib) => {
  /** @type {(() => void)[]} */
  const resets = [];
  let slots = 0;
  // One Map of all facts: a Map for each kind of fact, or a WeakMap, took longer than the work itself.
  /** @type {Map<any, any[]>} */
  let known = new Map();
  /** @type {any} */
  let latest = null;
  /** @type {any[]} */
  let facts = [];

  /** @param {any} it @returns {any[]} */
  const about = (it) => {
    if (it === latest) return facts;
    let found = known.get(it);
    if (!found) known.set(it, (found = new Array(slots)));
    latest = it;
    facts = found;
    return found;
  };

  lib.fresh = () => {
    known = new Map();
    latest = null;
    facts = [];
    resets.forEach((reset) => reset());
  };

  /**
   * Remember a function's answers until the next `fresh`.
   * @template T @param {(it: any) => T} compute @returns {(it: any) => T}
   */
  const remembered = (compute) => {
    const slot = slots++;
    return (it) => {
      const found = about(it);
      if (found[slot] === undefined) found[slot] = compute(it);
      return found[slot];
    };
  };

  /** @template T @param {() => T} compute @returns {() => T} */
  const once = (compute) => {
    /** @type {T | undefined} */
    let made;
    resets.push(() => (made = undefined));
    return () => (made === undefined ? (made = compute()) : made);
  };

  /**
   * Something that an element has from above: climbed once, without recursion, and remembered on the way down.
   * @template T @param {(it: any) => Element | null} parent @param {() => T} top
   * @param {(element: Element, above: T) => T} step @returns {(element: Element) => T}
   */
  const inherited = (parent, top, step) => {
    const slot = slots++;
    return (element) => {
      const found = about(element)[slot];
      if (found !== undefined) return found;
      const path = [element];
      let node = parent(element);
      for (; node && about(node)[slot] === undefined; node = parent(node)) path.push(node);
      let value = node ? about(node)[slot] : top();
      while (path.length) {
        const next = /** @type {Element} */ (path.pop());
        value = step(next, value);
        about(next)[slot] = value;
      }
      return value;
    };
  };

  return { remembered, once, inherited };
};
