/**
 * Hides what is in the way on a page: the groups that are asked for, and what goes with them. The page's own
 * matter is never hidden. Tells how much of each was found.
 * @param {Document | Element} _
 * @param {{groups: string[], brief: boolean}} options
 * @param {Lib} lib
 */
export default (_, { groups, brief }, lib) => {
  const { tree, styleEdits, clutterSelectors } = lib;
  const MATTER = "main, article, [role=main]";
  const PLACED = "nav, header, [role=navigation], [role=banner]";
  const HEADINGS = "th, td, thead, tr";
  const MEDIA = "img, svg, video, canvas, iframe, object, embed, input, button, select, textarea, picture";
  const LABEL = /^(ads?|advert|advertisement|advertising|sponsored( content| by)?|promoted|anzeige|werbung|publicit[ée]|publicidad|pubblicit[àa])\s*:?$/i;
  const SPARE = /(^|[-_\s])(ads?|advert\w*|sponsor\w*|sidebar|rail|widget)([-_\s]|$)/i;
  const CUT_SHORT = /truncat|preview|teaser/i;
  const [NEAR_TOP_PX, BAR_PX, SPARE_PX, CUT_PX, LABEL_CHARS, WIDE] = [50, 120, 50, 500, 30, 0.8];

  /** @type {Record<string, number>} */
  const found = {};
  /** @param {string} what @param {boolean} done */
  const count = (what, done) => {
    if (done) found[what] = (found[what] || 0) + 1;
  };
  const measure = (/** @type {Element} */ element) => Element.prototype.getBoundingClientRect.call(element);
  const named = (/** @type {Element} */ element) => `${tree.attr(element, "class") || ""} ${tree.attr(element, "id") || ""}`;
  const isMatter = (/** @type {Element} */ element) =>
    element === document.documentElement || element === document.body || tree.fits(element, MATTER) || tree.all(element, MATTER).length > 0;
  const elements = () => tree.roots().flatMap((/** @type {Document | ShadowRoot} */ root) => tree.all(root, "*"));

  for (const group of Object.keys(clutterSelectors)) {
    if (!groups.includes(group)) continue;
    for (const root of tree.roots())
      for (const element of tree.all(root, clutterSelectors[group])) if (!isMatter(element)) count(group, styleEdits.hide(element, brief));
  }

  let barKept = false;
  /** The bar at the top, if it is no more than that, is part of the page. @param {Element} element */
  const isBar = (element) => {
    const { top, width, height } = measure(element);
    const bar = !barKept && top <= NEAR_TOP_PX && height < BAR_PX && width > innerWidth * WIDE;
    barKept = barKept || bar;
    return bar;
  };
  /** @param {Element} element @param {CSSStyleDeclaration} style */
  const isSticky = (element, style) =>
    (style.position === "fixed" || style.position === "sticky") &&
    !tree.closest(element, PLACED) && !tree.fits(element, HEADINGS) && !isMatter(element) && !tree.all(element, "h1").length && !isBar(element);
  /** @param {Element} element */
  const isLabel = (element) => {
    const words = element.firstElementChild ? "" : (element.textContent || "").trim();
    return words.length <= LABEL_CHARS && LABEL.test(words);
  };
  /** @param {Element} element @param {CSSStyleDeclaration} style */
  const isSpare = (element, style) =>
    element instanceof HTMLElement && SPARE.test(named(element)) && measure(element).height > SPARE_PX &&
    !element.innerText.trim() && style.backgroundImage === "none" && !tree.all(element, MEDIA).some((/** @type {Element} */ inner) => measure(inner).height);

  for (const element of elements()) {
    const style = getComputedStyle(element);
    if (style.display === "none") continue;
    if (groups.includes("sticky") && isSticky(element, style)) count("sticky", styleEdits.hide(element, brief));
    else if (groups.includes("ads") && isLabel(element)) count("labels", styleEdits.hide(element, brief));
    else if (groups.includes("ads") && !isMatter(element) && isSpare(element, style)) count("placeholders", styleEdits.hide(element, brief));
    else {
      if (style.filter.includes("blur(")) count("blurred", styleEdits.set(element, "filter", "none", brief));
      if (parseFloat(style.maxHeight) < CUT_PX && CUT_SHORT.test(named(element)))
        count("shortened", styleEdits.set(element, "max-height", "none", brief));
    }
  }

  for (const root of [document.documentElement, document.body]) {
    if (!root) continue;
    const style = getComputedStyle(root);
    if (style.overflowY === "hidden") count("locked", styleEdits.set(root, "overflow", "auto", brief));
    if (style.position === "fixed") count("locked", styleEdits.set(root, "position", "static", brief));
  }
  return found;
};
