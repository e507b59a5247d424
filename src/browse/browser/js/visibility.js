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

  /** What an element's own style does to all that it holds. @param {Element} element @returns {string} */
  const veil = (element) => {
    const style = tree.style(element);
    if (Number(style.opacity) < FAINT) return "transparent";
    if (style.clipPath !== "none" && NOTHING_LEFT.test(style.clipPath)) return "clipped";
    if (style.clip !== "auto" && /^rect\(0px,? 0px,? 0px,? 0px\)$|^rect\(1px,? 1px,? 1px,? 1px\)$/.test(style.clip)) return "clipped";
    const cuts = style.overflowX !== "visible" || style.overflowY !== "visible";
    if (cuts && style.display !== "inline" && style.display !== "contents") {
      const box = element.getBoundingClientRect();
      if (box.width <= TINY_PX || box.height <= TINY_PX) return "clipped";
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
    const box = element.getBoundingClientRect();
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return box.width || box.height ? "off-screen" : "";
    return "";
  };

  const reason = tree.remembered((/** @type {Element} */ element) => {
    if (parseFloat(tree.style(element).fontSize) < TINY_PX) return "tiny text";
    return veiled(element) || placed(element);
  });

  /** Whether any part of an element is in the viewport now. @param {Element} element */
  const onScreen = (element) => {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  };

  return { reason, onScreen };
};
