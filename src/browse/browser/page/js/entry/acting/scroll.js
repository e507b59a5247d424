/**
 * Scrolls a document or an element, and tells where that led. A page whose document does not scroll has
 * something inside that does: the largest such thing is meant then.
 * @param {Document | Element} root
 * `moved` says whether the caller has scrolled to an element just before.
 * @param {{by: [number, number] | null, to: "top" | "bottom", moved: boolean}} options
 * @param {Lib} lib
 */
export default (root, { by, to, moved: wasMoved }, lib) => {
  const { tree } = lib;
  const SCROLLS = /^(auto|scroll|overlay)$/;
  const page = document.scrollingElement || document.documentElement;

  /** @param {Element} element */
  const scrolls = (element) => {
    const tall = element.scrollHeight > element.clientHeight;
    const wide = element.scrollWidth > element.clientWidth;
    if (!tall && !wide) return false;
    const { overflowX, overflowY } = tree.style(element);
    return (tall && SCROLLS.test(overflowY)) || (wide && SCROLLS.test(overflowX));
  };

  const pageScrolls = () => {
    const locked = [document.documentElement, document.body].some(
      (it) => it && /^(hidden|clip)$/.test(tree.style(it).overflowY),
    );
    return !locked && (page.scrollHeight > page.clientHeight || page.scrollWidth > page.clientWidth);
  };

  /** @returns {Element} */
  const main = () => {
    if (pageScrolls()) return page;
    const inner = tree.roots().flatMap((it) => tree.all(it, "*").filter(scrolls));
    const area = (/** @type {Element} */ it) => it.clientWidth * it.clientHeight;
    return inner.reduce(
      (/** @type {Element} */ best, /** @type {Element} */ it) => (area(it) > area(best) ? it : best),
      inner[0] || page,
    );
  };

  const isPage = root === page || root === document.body || root === document.documentElement;
  const box = root instanceof Document ? main() : isPage ? page : root;
  if (root instanceof Element && !isPage && !scrolls(root))
    return { scrolls: false, moved: false, x: 0, y: 0, size: 0 };
  const [left, top] = [box.scrollLeft, box.scrollTop];
  const behavior = "instant";
  if (by) box.scrollBy({ left: by[0], top: by[1], behavior });
  else box.scrollTo({ top: to === "top" ? 0 : box.scrollHeight, behavior });
  const moved = wasMoved || box.scrollLeft !== left || box.scrollTop !== top;
  if (moved) lib.actionWatch.scrolled();
  const [x, y] = [Math.round(box.scrollLeft), Math.round(box.scrollTop)];
  return { scrolls: true, moved, x, y, size: box.scrollHeight + box.scrollWidth };
};
