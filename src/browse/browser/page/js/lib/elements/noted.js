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

  return { begin, add, take, at };
};
