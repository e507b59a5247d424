/**
 * Hides what is in the way on a page: the groups that are asked for, and what goes with them. The page's own
 * matter is never hidden. Tells how much of each was found.
 * @param {Document | Element} _
 * @param {{groups: string[], brief: boolean}} options
 * @param {Lib} lib
 */
export default (_, { groups, brief }, lib) => {
  // What the side panel's extension draws in.
  const OWN_LAYER = "browse-layer";
  const { tree, styleEdits, clutterSelectors } = lib;
  const MATTER = "main, article, [role=main]";
  const NAVIGATION = "nav, header, [role=navigation], [role=banner]";
  const TABLE_PARTS = "th, td, thead, tr";
  const MEDIA = "img, svg, video, canvas, iframe, object, embed, input, button, select, textarea, picture";
  const LABELS =
    "ads?|advert|advertisement|advertising|sponsored( content| by)?|promoted|anzeige|werbung|" +
    "publicit[ée]|publicidad|pubblicit[àa]";
  const LABEL = new RegExp(`^(${LABELS})\\s*:?$`, "i");
  const PLACEHOLDER = /(^|[-_\s])(ads?|advert\w*|sponsor\w*|sidebar|rail|widget)([-_\s]|$)/i;
  const SHORTENED = /truncat|preview|teaser/i;
  const MAX_LABEL_CHARS = 30;
  const MIN_PLACEHOLDER_PX = 50;
  const MAX_SHORTENED_PX = 500;
  // A bar at the top of the page: how far down, how high, and which share of the window's width.
  const [BAR_TOP_PX, BAR_HEIGHT_PX, BAR_WIDTH] = [50, 120, 0.8];

  /** @type {Record<string, number>} */
  const found = {};
  /** @param {string} what @param {boolean} done */
  const count = (what, done) => {
    if (done) found[what] = (found[what] || 0) + 1;
  };
  /** @param {Element} element */
  const namesOf = (element) => `${tree.attr(element, "class") || ""} ${tree.attr(element, "id") || ""}`;
  /** Whether an element is, or holds, what the page is about. @param {Element} element */
  const isMatter = (element) => {
    if (element === document.documentElement || element === document.body) return true;
    return tree.fits(element, MATTER) || tree.all(element, MATTER).length > 0;
  };

  for (const [group, selector] of Object.entries(clutterSelectors)) {
    if (!groups.includes(group)) continue;
    for (const root of tree.roots())
      for (const element of tree.all(root, selector))
        if (!isMatter(element)) count(group, styleEdits.hide(element, brief));
  }

  let isBarKept = false;
  /** The bar at the top, if it is no more than that, is part of the page. @param {Element} element */
  const isBar = (element) => {
    const { top, width, height } = tree.rect(element);
    const isOne = !isBarKept && top <= BAR_TOP_PX && height < BAR_HEIGHT_PX && width > innerWidth * BAR_WIDTH;
    isBarKept ||= isOne;
    return isOne;
  };
  /** @param {Element} element @param {CSSStyleDeclaration} style */
  const isSticky = (element, style) => {
    if (style.position !== "fixed" && style.position !== "sticky") return false;
    if (tree.closest(element, NAVIGATION) || tree.fits(element, TABLE_PARTS)) return false;
    return !isMatter(element) && !tree.all(element, "h1").length && !isBar(element);
  };
  /** @param {Element} element */
  const isLabel = (element) => {
    const words = tree.elementsIn(element).length ? "" : (element.textContent || "").trim();
    return words.length <= MAX_LABEL_CHARS && LABEL.test(words);
  };
  /**
   * Whether an element only keeps a place for an advertisement.
   * @param {Element} element @param {CSSStyleDeclaration} style
   */
  const isPlaceholder = (element, style) => {
    if (!(element instanceof HTMLElement) || !PLACEHOLDER.test(namesOf(element))) return false;
    if (tree.rect(element).height <= MIN_PLACEHOLDER_PX || element.innerText.trim()) return false;
    return style.backgroundImage === "none" && !tree.all(element, MEDIA).some((inner) => tree.rect(inner).height);
  };

  for (const element of tree.roots().flatMap((root) => tree.all(root, "*"))) {
    const style = tree.style(element);
    if (style.display === "none" || tree.tag(element) === OWN_LAYER) continue;
    const isAsked = (/** @type {string} */ group) => groups.includes(group);
    if (isAsked("sticky") && isSticky(element, style)) count("sticky", styleEdits.hide(element, brief));
    else if (isAsked("ads") && isLabel(element)) count("labels", styleEdits.hide(element, brief));
    else if (isAsked("ads") && !isMatter(element) && isPlaceholder(element, style))
      count("placeholders", styleEdits.hide(element, brief));
    else {
      if (style.filter.includes("blur(")) count("blurred", styleEdits.set(element, "filter", "none", brief));
      if (parseFloat(style.maxHeight) < MAX_SHORTENED_PX && SHORTENED.test(namesOf(element)))
        count("shortened", styleEdits.set(element, "max-height", "none", brief));
    }
  }

  for (const root of [document.documentElement, document.body]) {
    if (!root) continue;
    const style = tree.style(root);
    if (style.overflowY === "hidden") count("locked", styleEdits.set(root, "overflow", "auto", brief));
    if (style.position === "fixed") count("locked", styleEdits.set(root, "position", "static", brief));
  }
  return found;
};
