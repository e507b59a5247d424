/**
 * Tells documents and elements apart, for as long as they live. The numbers mean nothing but that.
 * @param {any} _
 */
export default (_) => {
  const DIGITS = 36;
  const documentId = Math.random().toString(DIGITS).slice(2) + Math.random().toString(DIGITS).slice(2);
  /** @type {WeakMap<Element, number>} */
  const numbers = new WeakMap();
  let next = 1;

  /** @param {Element} element @returns {number} */
  const of = (element) => {
    if (!numbers.has(element)) numbers.set(element, next++);
    return /** @type {number} */ (numbers.get(element));
  };

  return { documentId, of };
};
