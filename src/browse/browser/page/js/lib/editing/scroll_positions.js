/**
 * Where things were scrolled to before they were moved for a picture, so that they can be scrolled back.
 * @param {Lib} lib
 */
export default (lib) => {
  const scrollTo = /** @type {(this: Element, options: ScrollToOptions) => void} */ (Element.prototype.scrollTo);
  /** @type {Map<Element, [number, number]>} */
  let saved = new Map();

  const left = lib.tree.getter(Element.prototype, "scrollLeft");
  const top = lib.tree.getter(Element.prototype, "scrollTop");
  /** How far an element is scrolled. @param {Element} element @returns {[number, number]} */
  const of = (element) => [left(element), top(element)];

  /** @param {Element | null} element */
  const save = (element) => {
    if (element && !saved.has(element)) saved.set(element, of(element));
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

  return { of, save, move, restore };
};
