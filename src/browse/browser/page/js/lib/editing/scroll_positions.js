/** Where things were scrolled to before they were moved for a picture, so that they can be scrolled back. */
export default () => {
  const scrollTo = /** @type {(this: Element, options: ScrollToOptions) => void} */ (Element.prototype.scrollTo);
  /** @type {Map<Element, [number, number]>} */
  let saved = new Map();

  /** @param {Element | null} element */
  const save = (element) => {
    if (element && !saved.has(element)) saved.set(element, [element.scrollLeft, element.scrollTop]);
  };

  /**
   * Scroll at once, even where the page's style asks for a smooth way.
   * @param {Element} element @param {number} left @param {number} top
   */
  const move = (element, left, top) => scrollTo.call(element, { left, top, behavior: "instant" });

  const restore = () => {
    for (const [element, [left, top]] of saved) move(element, left, top);
    saved = new Map();
  };

  return { save, move, restore };
};
