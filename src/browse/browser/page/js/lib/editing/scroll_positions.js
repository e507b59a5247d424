/**
 * Where things were scrolled to before they were moved for a picture, so that they can be put back.
 * @param {any} _
 */
export default (_) => {
  /** @type {Map<Element, [number, number]>} */
  let kept = new Map();

  /** @param {Element | null} element */
  const keep = (element) => {
    if (element && !kept.has(element)) kept.set(element, [element.scrollLeft, element.scrollTop]);
  };

  /** At once, even where the page's style asks for a smooth way. @param {Element} element @param {number} left @param {number} top */
  const move = (element, left, top) => Element.prototype.scrollTo.call(element, { left, top, behavior: "instant" });

  const putBack = () => {
    for (const [element, [left, top]] of kept) move(element, left, top);
    kept = new Map();
  };

  return { keep, move, putBack };
};
