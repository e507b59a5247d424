/**
 * Where words stand: outside of what can be scrolled to, too small, outside of the box that they are cut off by, or under
 * something opaque. What lies over a whole page (a dialog, a header that stays) is no lid: it goes, or the page moves.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleHiding, colours, appearance } = lib;
  const MOST_PROBES = 64;
  const FAR_PX = 1000;
  const OPAQUE = 0.9;
  const REPLACED = new Set(["img", "video", "canvas", "iframe", "svg:svg", "embed", "object"]);

  const view = tree.once(() => {
    const root = document.documentElement;
    const body = document.body ? appearance.box(document.body) : { bottom: 0, height: 0 };
    return {
      x: scrollX, y: scrollY, width: innerWidth, height: innerHeight,
      rtl: !!root && tree.style(root).direction === "rtl",
      end: body.height > 0 ? body.bottom + scrollY : Infinity,
    };
  });

  /** @param {Text} node @returns {DOMRect} */
  const place = (node) => {
    const range = new Range();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };

  /** @param {Element} holder @returns {{fixed: boolean, placed: boolean, behind: boolean}} How it stands among others. */
  const standing = tree.inherited(
    () => ({ fixed: false, placed: false, behind: false }),
    (/** @type {Element} */ element, /** @type {any} */ above) => {
      const { position, zIndex, transform, translate } = tree.style(element);
      return {
        fixed: above.fixed || position === "fixed",
        placed: above.placed || /absolute|fixed|relative/.test(position) || transform !== "none" || translate !== "none",
        behind: above.behind || Number(zIndex) < 0,
      };
    },
  );

  /** @param {DOMRect} box Whether it lies where it cannot be seen, unless something makes it so. */
  const isOdd = (box) => {
    const { x, y, width, height } = view();
    return box.height < styleHiding.SMALL_PX || box.width < 1 || box.right + x <= 0 || box.bottom + y <= 0 || box.left >= width || box.top >= height;
  };

  /** @param {DOMRect} box @param {Element} holder @param {any} state @returns {boolean} */
  const isAway = (box, holder, state) => {
    const { x, y, width, height, rtl, end } = view();
    const { fixed, placed } = standing(holder);
    if (fixed) return box.right <= 0 || box.bottom <= 0 || box.left >= width || box.top >= height;
    if (box.bottom + y <= 0) return true;
    if (state.scrolls) return false;
    if (rtl ? box.left >= width : box.right + x <= 0) return true;
    if (placed && (rtl ? box.right + x < -FAR_PX : box.left + x > width + FAR_PX)) return true;
    return placed && box.top + y > Math.max(end, height) + 2 * FAR_PX;
  };

  /** @param {DOMRect} box @param {any} state Whether it lies outside of the box that cuts it off. */
  const isOut = (box, { frame, scrolls }) => {
    if (!frame || scrolls) return false;
    const { left, right, top, bottom } = appearance.box(frame);
    return box.left >= right || box.right <= left || box.top >= bottom - 1 || box.bottom <= top + 1;
  };

  /** @param {DOMRect} box @param {any} state Whether some of it does. */
  const spills = (box, { frame, scrolls }) => {
    const { right, bottom, left, top } = appearance.box(frame);
    return !scrolls && (box.right > right + 1 || box.bottom > bottom + 1 || box.left < left - 1 || box.top < top - 1);
  };

  /** Why the words of a text are not where they can be seen, or "". @param {Text} node @param {Element} holder @param {any} state */
  const where = (node, holder, state) => {
    const around = appearance.box(holder);
    const isIndented = styleHiding.used().has("text-indent") && !/^0/.test(tree.style(holder).textIndent);
    if (!isOdd(around) && !isIndented && !(state.frame && spills(around, state))) return "";
    const box = place(node);
    if (!box.width && !box.height && !around.width && !around.height && !standing(holder).placed) return "";
    if (box.height < styleHiding.SMALL_PX || box.width < 1) return "tiny text";
    if (isAway(box, holder, state)) return "off-screen";
    return isOut(box, state) ? "cut off" : "";
  };

  let probes = 0;
  /** @param {Element} element Whether nothing shows through. */
  const isOpaque = (element) => {
    const style = tree.style(element);
    if (Number(style.opacity) < OPAQUE || style.visibility !== "visible") return false;
    return REPLACED.has(tree.tag(element)) || colours.parsed(style.backgroundColor)[3] >= OPAQUE || /url\(|gradient/.test(style.backgroundImage);
  };

  /** @param {Element} top @param {Element} holder @returns {Element | null} The opaque thing from here up to what both are in. */
  const lidFrom = (top, holder) => {
    for (let node = /** @type {Element | null} */ (top); node && !tree.isWithin(holder, node); node = tree.composedParent(node)) {
      if (/fixed|sticky/.test(tree.style(node).position) || tree.fits(node, "dialog, [aria-modal], [popover], :modal")) return null;
      if (isOpaque(node)) return node;
    }
    return null;
  };

  /** @param {Element} holder @param {number} x @param {number} y @returns {Element | null} */
  const under = (holder, x, y) => {
    const root = tree.root(holder);
    const top = /** @type {any} */ (root).elementFromPoint?.(x, y);
    probes += 1;
    if (!top || top === holder || tree.isWithin(top, holder)) return null;
    if (tree.isWithin(holder, top)) return standing(holder).behind && isOpaque(top) ? top : null;
    for (let node = /** @type {Element | null} */ (top); node; node = tree.composedParent(node))
      if (/fixed|sticky/.test(tree.style(node).position)) return null;
    return lidFrom(top, holder);
  };

  /** @param {DOMRect} inner @param {DOMRect} outer */
  const isInside = (inner, outer) =>
    inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;

  /** @param {Element} lid @param {Element} holder Whether the one is painted after the other, as far as can be told without looking. */
  const isLater = (lid, holder) => {
    const rank = (/** @type {Element} */ it) => {
      for (let node = /** @type {Element | null} */ (it); node; node = tree.composedParent(node)) {
        const { zIndex, position } = tree.style(node);
        if (zIndex !== "auto") return Number(zIndex);
        if (position !== "static") return 0;
      }
      return -0.5;
    };
    const [above, below] = [rank(lid), rank(holder)];
    return above > below || (above === below && !!(holder.compareDocumentPosition(lid) & Node.DOCUMENT_POSITION_FOLLOWING));
  };

  /**
   * What lies over the words of an element, if it is there for that. @param {Element} holder @param {DOMRect} box
   * @param {Element[]} lids What may lie over things, where looking does not help. @returns {Element | null}
   */
  const over = (holder, box, lids) => {
    const { width, height } = view();
    const y = box.top + Math.min(box.height / 2, 8);
    const isPlain = tree.style(holder).pointerEvents !== "none";
    const isHere = y > 0 && y < height && box.left < width && box.right > 0;
    if (isHere && isPlain && probes < MOST_PROBES) {
      const points = [0.5, 0.05, 0.95].map((share) => Math.min(Math.max(box.left + box.width * share, 1), width - 1));
      const found = [];
      for (const x of points) {
        const lid = under(holder, x, y);
        if (!lid) break;
        found.push(lid);
      }
      if (found.length === points.length) return found[0];
    }
    for (const lid of lids) {
      const isBlind = tree.style(lid).pointerEvents === "none";
      if (isHere && isPlain && !isBlind) continue;
      if (!isInside(box, appearance.box(lid)) || tree.isWithin(holder, lid) || tree.isWithin(lid, holder)) continue;
      if (lidFrom(lid, holder) === lid && isLater(lid, holder)) return lid;
    }
    return null;
  };

  /** @param {Element} element @param {any} state Whether it could lie over something else: what stays in line is painted before all words. */
  const mayBe = (element, state) => {
    if (state.veils.length || /^(html|body)$/.test(tree.tag(element))) return false;
    const isReplaced = REPLACED.has(tree.tag(element));
    if (!isReplaced && state.style.position === "static" && !(styleHiding.used().has("transform") && state.style.transform !== "none")) return false;
    if (!isOpaque(element)) return false;
    const { fixed, placed } = standing(element);
    return placed && !fixed;
  };

  /** Whether something that no ancestor paints is behind words: a picture under a caption. @param {Element} holder @param {DOMRect} box @param {Element[]} painted */
  const isPainted = (holder, box, painted) =>
    painted.some((it) => {
      const { left, right, top, bottom } = appearance.box(it);
      const isApart = box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top;
      return !isApart && !tree.isWithin(holder, it) && !tree.isWithin(it, holder);
    });

  return { where, place, over, mayBe, isBehind: (/** @type {Element} */ it) => standing(it).behind, isPainted, begin: () => (probes = 0), REPLACED };
};
