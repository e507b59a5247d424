/** Tells documents and elements apart, for as long as they live. The numbers mean nothing but that. */
export default () => {
  const DIGITS = 36;
  const documentId = Math.random().toString(DIGITS).slice(2) + Math.random().toString(DIGITS).slice(2);
  /** @type {WeakMap<Element, number>} */
  const numbers = new WeakMap();
  let next = 1;

  /** @param {Element} element @returns {number} */
  const of = (element) => {
    const number = numbers.get(element) ?? next++;
    numbers.set(element, number);
    return number;
  };

  return { documentId, of };
};
