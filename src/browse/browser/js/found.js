// @ts-check
/**
 * Elements that a selector found, kept from the moment they are found until they are described or reached: the
 * driver's own counting happens in the page's world, where a page can lie.
 * @param {any} _
 */
(_) => {
  let current = 0;
  /** @type {Set<Element>} */
  let elements = new Set();

  /** @param {number} run @param {Document | Element | null} element */
  const note = (run, element) => {
    if (run !== current) elements = new Set();
    current = run;
    if (element instanceof Element) elements.add(element);
  };

  /** @param {number} run @returns {Element[]} */
  const taken = (run) => {
    const found = run === current ? [...elements] : [];
    elements = new Set();
    return found;
  };

  /** @param {number} run @param {number} index @returns {Element | null} */
  const at = (run, index) => (run === current && [...elements][index]) || null;

  return { note, taken, at };
};
