/**
 * Elements that a selector found, kept from the moment they are found until they are described or reached: the
 * driver's own counting happens in the page's world, where a page can lie.
 */
export default () => {
  let current = 0;
  /** @type {Set<Element>} */
  let elements = new Set();

  /** Start a run without elements, unless it has begun. @param {number} run */
  const begin = (run) => {
    if (run !== current) elements = new Set();
    current = run;
  };

  /** @param {number} run @param {Document | Element} found */
  const add = (run, found) => {
    begin(run);
    if (found instanceof Element) elements.add(found);
  };

  /** The elements of a run, which are forgotten here. @param {number} run @returns {Element[]} */
  const take = (run) => {
    const found = run === current ? [...elements] : [];
    elements = new Set();
    return found;
  };

  /** @param {number} run @param {number} index @returns {Element | null} */
  const at = (run, index) => (run === current && [...elements][index]) || null;

  const MAX_EXPECTED = 50;
  /** What expectations found before an action, by their tokens. @type {Map<string, WeakSet<Element>>} */
  const expected = new Map();

  /** Note what is there before an action. @param {string} token @param {Element[]} found */
  const expect = (token, found) => {
    if (expected.size >= MAX_EXPECTED) expected.clear();
    expected.set(token, new WeakSet(found));
  };
  /** How many elements were not there before. @param {string} token @param {Element[]} found @returns {number} */
  const countNew = (token, found) => {
    const old = expected.get(token);
    if (!found.length) expected.delete(token); // what comes from now on is new
    return old ? found.filter((it) => !old.has(it)).length : found.length;
  };

  return { begin, add, take, at, countNew, expect };
};
