// @ts-check
/**
 * Why a person cannot see an element that is in the accessibility tree: the first reason that holds,
 * or "". Looks at style and geometry only.
 * @param {any} lib
 */
(lib) => {
  const { tree } = lib;
  const TINY_PX = 1;
  const FAINT = 0.1;
  const NOTHING_LEFT = /^(inset\((100%|50%)|circle\(0|polygon\(0px 0px, 0px 0px)/;

  const STYLED = ["style", "class", "id"];
  let thorough = true;
  /**
   * How closely to look: where only controls are listed, an ancestor that nothing tells apart from its
   * like (a bare cell of a table) is taken for visible. @param {boolean} closely
   */
  const look = (closely) => {
    thorough = closely;
  };

  /** The element's box in the viewport, measured once a run. */
  const box = tree.remembered((/** @type {Element} */ element) => Element.prototype.getBoundingClientRect.call(element));

  /** What an element's own style does to all that it holds. @param {Element} element @returns {string} */
  const veil = (element) => {
    if (!thorough && !STYLED.some((name) => tree.has(element, name))) return "";
    const style = tree.style(element);
    if (Number(style.opacity) < FAINT) return "transparent";
    if (style.clipPath !== "none" && NOTHING_LEFT.test(style.clipPath)) return "clipped";
    if (style.clip !== "auto" && /^rect\(0px,? 0px,? 0px,? 0px\)$|^rect\(1px,? 1px,? 1px,? 1px\)$/.test(style.clip)) return "clipped";
    const cuts = style.overflowX !== "visible" || style.overflowY !== "visible";
    if (cuts && style.display !== "inline" && style.display !== "contents") {
      const { width, height } = box(element);
      if (width <= TINY_PX || height <= TINY_PX) return "clipped";
    }
    return "";
  };

  const known = tree.once(() => new WeakMap());
  /** The first veil on the way up, found without recursion. @param {Element} element @returns {string} */
  const veiled = (element) => {
    const veils = known();
    const path = [];
    let node = /** @type {Element | null} */ (element);
    for (; node && !veils.has(node); node = tree.parent(node)) path.push(node);
    let found = node ? veils.get(node) : "";
    while (path.length) {
      const next = /** @type {Element} */ (path.pop());
      found = found || veil(next);
      veils.set(next, found);
    }
    return found;
  };

  /** @param {Element} element @returns {string} */
  const placed = (element) => {
    if (tree.style(element).display === "contents") return "";
    const { right, bottom, width, height } = box(element);
    return (right + scrollX <= 0 || bottom + scrollY <= 0) && (width || height) ? "off-screen" : "";
  };

  const reason = tree.remembered((/** @type {Element} */ element) => {
    if (parseFloat(tree.style(element).fontSize) < TINY_PX) return "tiny text";
    return veiled(element) || placed(element);
  });

  /** Whether any part of an element is in the viewport now. @param {Element} element */
  const onScreen = (element) => {
    const { top, left, right, bottom } = box(element);
    return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  };

  return { look, reason, onScreen };
};
