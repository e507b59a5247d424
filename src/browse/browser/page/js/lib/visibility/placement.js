/**
 * Where words stand: outside of what can be scrolled to, too small, outside of the box that they are cut off by, or
 * under something opaque. What lies over a whole page (a dialog, a header that stays) covers nothing: it goes, or the
 * page moves.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleHiding, clipBoxes, colours } = lib;
  const { TINY_PX } = styleHiding;
  const MAX_PROBES = 64;
  const FAR_PX = 1000;
  const OPAQUE = 0.9;
  const REPLACED = new Set(["img", "video", "canvas", "iframe", "svg:svg", "embed", "object"]);
  const MODAL = "dialog, [aria-modal], [popover], :modal";

  /** The window, the page's direction, and where its content ends: asking takes as long as measuring an element. */
  const view = tree.once(() => {
    const root = document.documentElement;
    const body = document.body ? tree.box(document.body) : { bottom: 0, height: 0 };
    return {
      x: scrollX,
      y: scrollY,
      width: innerWidth,
      height: innerHeight,
      rtl: !!root && tree.style(root).direction === "rtl",
      end: body.height > 0 ? body.bottom + scrollY : Infinity,
    };
  });

  /** @param {Text} node @returns {DOMRect} */
  const boxOfText = (node) => {
    const range = new Range();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };

  /** @param {CSSStyleDeclaration} style */
  const isShifted = ({ top, right, bottom, left }) => [top, right, bottom, left].some((it) => Number.parseFloat(it));

  /**
   * @typedef {{placed: boolean, behind: boolean, mover: Element | null}} Position How an element stands among others,
   *   and what took it, or something around it, out of the place where it would be.
   */
  /** @type {(element: Element) => Position} */
  const positionOf = tree.inherited(
    () => /** @type {Position} */ ({ placed: false, behind: false, mover: null }),
    (element, above) => {
      const style = tree.style(element);
      const isRelative = style.position === "relative";
      const isTransformed = style.transform !== "none" || style.translate !== "none";
      const isMoved = isTransformed || /absolute|fixed/.test(style.position) || (isRelative && isShifted(style));
      const mover = isMoved ? element : above.mover;
      if (styleHiding.isOnTop(element)) return { placed: true, behind: false, mover };
      const behind = above.behind || Number(style.zIndex) < 0;
      return { placed: above.placed || isMoved || isRelative, behind, mover };
    },
  );

  /** Whether any part of a box is in the window now. @param {DOMRect} box @returns {boolean} */
  const isInView = (box) => {
    const { width, height } = view();
    return box.bottom > 0 && box.right > 0 && box.top < height && box.left < width;
  };

  /** Whether a box lies where it cannot be seen, unless something makes it so. @param {DOMRect} box */
  const isOdd = (box) => {
    const { x, y, width, height } = view();
    if (box.height < TINY_PX || box.width < 1 || box.right + x <= 0 || box.bottom + y <= 0) return true;
    return box.left >= width || box.top >= height;
  };

  /**
   * Where the content of something that scrolls begins, in the window. Where scrolling begins at another end, that is
   * not known.
   * @type {(scroller: Element) => {left: number, top: number}}
   */
  const beginningOf = tree.remembered((scroller) => {
    const { direction, flexDirection, writingMode } = tree.style(scroller);
    if (direction !== "ltr" || /reverse/.test(flexDirection) || !writingMode.startsWith("horizontal"))
      return { left: -Infinity, top: -Infinity };
    const { left, top } = tree.box(scroller);
    return { left: left - scroller.scrollLeft, top: top - scroller.scrollTop };
  });

  /**
   * Whether a box lies before the beginning of something that scrolls, where no scrolling leads.
   * @param {DOMRect} box @param {Element} scroller
   */
  const isBeforeScroller = (box, scroller) => {
    const { left, top } = beginningOf(scroller);
    return box.right <= left || box.bottom <= top;
  };

  /** Whether a box begins so far beside the window that nobody would scroll there. @param {DOMRect} box */
  const isFarBeside = (box) => {
    const { x, width, rtl } = view();
    return rtl ? box.right + x < -FAR_PX : box.left + x > width + FAR_PX;
  };

  /** Whether something was moved so far that nobody would scroll there. @param {Element} mover */
  const isMovedFar = (mover) => {
    const { y, height, end } = view();
    const box = tree.box(mover);
    return isFarBeside(box) || box.top + y > Math.max(end, height) + 2 * FAR_PX;
  };

  /**
   * Whether a box is where no scrolling leads, or so far that nobody would.
   * @param {DOMRect} box @param {Stand} stand @param {Element | null} mover @returns {boolean}
   */
  const isOffScreen = (box, stand, mover) => {
    const { x, y, width, height, rtl } = view();
    const scroller = scrollerOf(stand);
    if (scroller) return isBeforeScroller(box, scroller) || isAway(scroller);
    if (stand.fixed) return box.right <= 0 || box.bottom <= 0 || box.left >= width || box.top >= height;
    if (box.bottom + y <= 0) return true;
    if (rtl ? box.left >= width : box.right + x <= 0) return true;
    return mover !== null && isMovedFar(mover);
  };

  /** Whether a box that scrolls is itself where no scrolling leads. @type {(scroller: Element) => boolean} */
  const isAway = tree.remembered((scroller) =>
    isOffScreen(tree.box(scroller), clipBoxes.of(scroller), positionOf(scroller).mover),
  );

  /** The nearest box that scrolls, of those that cut something off. @param {Stand} stand @returns {Element | null} */
  const scrollerOf = (stand) => {
    let at = stand;
    while (at.cutBy && !at.scrolls) at = clipBoxes.of(at.cutBy);
    return at.cutBy;
  };

  /** Where the words in an element stand. @param {Element} holder @param {StyleState} state */
  const standOf = (holder, state) =>
    state.cutsOff || styleHiding.used().has("position") ? clipBoxes.around(holder) : clipBoxes.PAGE;

  /**
   * Whether an element's box is beyond the beginning of the page, and no scrolling leads there.
   * @param {Element} element @param {StyleState} state
   */
  const isBeforePage = (element, state) => {
    const box = tree.box(element);
    const { x, y } = view();
    const isBefore = (box.right + x <= 0 || box.bottom + y <= 0) && (box.width > 0 || box.height > 0);
    return isBefore && isOffScreen(box, standOf(element, state), positionOf(element).mover);
  };

  /** Whether a box lies outside of what is not cut off. @param {Edges} box @param {Edges} edges */
  const isOutside = (box, { left, right, top, bottom }) =>
    box.left >= right || box.right <= left || box.top >= bottom - 1 || box.bottom <= top + 1;
  /** Whether part of a box lies outside of what is not cut off. @param {Edges} box @param {Edges} edges */
  const isPartlyOutside = (box, { left, right, top, bottom }) =>
    box.right > right + 1 || box.bottom > bottom + 1 || box.left < left - 1 || box.top < top - 1;

  /**
   * Whether a box, or what it can be scrolled within, lies outside of a box that cuts it off.
   * @param {DOMRect} box @param {Stand} stand @param {(box: Edges, edges: Edges) => boolean} test
   */
  const isCutOff = (box, stand, test) => {
    /** @type {Edges} */
    let inner = box;
    for (let at = stand; at.cutBy; at = clipBoxes.of(at.cutBy)) {
      if (at.scrolls) inner = tree.box(at.cutBy);
      else if (test(inner, clipBoxes.edges(at.cutBy))) return true;
    }
    return false;
  };

  /**
   * Why the words of a text are not where they can be seen, or "".
   * @param {Text} node @param {Element} holder @param {StyleState} state
   */
  const reason = (node, holder, state) => {
    const around = tree.box(holder);
    const isIndented = styleHiding.used().has("text-indent") && !/^0/.test(tree.style(holder).textIndent);
    const isWithinAll = !state.cutsOff || !isCutOff(around, clipBoxes.around(holder), isPartlyOutside);
    if (!isOdd(around) && !isIndented && isWithinAll) return "";
    const box = boxOfText(node);
    const { placed, mover } = positionOf(holder);
    const isNowhere = !box.width && !box.height && !around.width && !around.height;
    if (isNowhere && !placed) return "";
    if (box.height < TINY_PX || box.width < 1) return "tiny text";
    const stand = standOf(holder, state);
    if (isOffScreen(box, stand, mover) || (isIndented && isFarBeside(box))) return "off-screen";
    return isCutOff(box, stand, isOutside) ? "cut off" : "";
  };

  let probes = 0;
  /** Whether nothing shows through an element. @param {Element} element */
  const isOpaque = (element) => {
    const style = tree.style(element);
    if (Number(style.opacity) < OPAQUE || style.visibility !== "visible") return false;
    if (REPLACED.has(tree.tag(element)) || /url\(|gradient/.test(style.backgroundImage)) return true;
    return colours.parsed(style.backgroundColor)[3] >= OPAQUE;
  };

  /**
   * The opaque thing from an element up to what both are in.
   * @param {Element} top @param {Element} holder @returns {Element | null}
   */
  const coverFrom = (top, holder) => {
    let node = /** @type {Element | null} */ (top);
    for (; node && !tree.isWithin(holder, node); node = tree.composedParent(node)) {
      if (/fixed|sticky/.test(tree.style(node).position) || tree.fits(node, MODAL)) return null;
      if (isOpaque(node)) return node;
    }
    return null;
  };

  /**
   * What covers an element at one point.
   * @param {Element} holder @param {number} x @param {number} y @returns {Element | null}
   */
  const coverAt = (holder, x, y) => {
    const root = tree.root(holder);
    const top = root instanceof Document || root instanceof ShadowRoot ? root.elementFromPoint(x, y) : null;
    probes += 1;
    if (!top || top === holder || tree.isWithin(top, holder)) return null;
    if (tree.isWithin(holder, top)) return positionOf(holder).behind && isOpaque(top) ? top : null;
    for (let node = /** @type {Element | null} */ (top); node; node = tree.composedParent(node))
      if (/fixed|sticky/.test(tree.style(node).position)) return null;
    return coverFrom(top, holder);
  };

  /** @param {DOMRect} inner @param {DOMRect} outer */
  const isInside = (inner, outer) =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1;

  /** @param {Element} element */
  const stackRank = (element) => {
    for (let node = /** @type {Element | null} */ (element); node; node = tree.composedParent(node)) {
      const { zIndex, position } = tree.style(node);
      if (zIndex !== "auto") return Number(zIndex);
      if (position !== "static") return 0;
    }
    return -0.5;
  };
  /**
   * Whether a cover is painted after an element, as far as can be told without looking.
   * @param {Element} cover @param {Element} holder
   */
  const isPaintedLater = (cover, holder) => {
    const [above, below] = [stackRank(cover), stackRank(holder)];
    const isFollowing = (holder.compareDocumentPosition(cover) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return above > below || (above === below && isFollowing);
  };

  /**
   * What covers a box wherever one looks.
   * @param {Element} holder @param {DOMRect} box @param {number} y @returns {Element | null}
   */
  const coverSeen = (holder, box, y) => {
    const { width } = view();
    let first = null;
    for (const share of [0.5, 0.05, 0.95]) {
      const x = Math.min(Math.max(box.left + box.width * share, 1), width - 1);
      const cover = coverAt(holder, x, y);
      if (!cover) return null;
      first ||= cover;
    }
    return first;
  };

  /**
   * What lies over the words of an element, if it is there for that.
   * @param {Element} holder @param {DOMRect} box @param {Element[]} covers What may lie over things, where looking
   *   does not help.
   * @returns {Element | null}
   */
  const coverOf = (holder, box, covers) => {
    const { width, height } = view();
    const y = box.top + Math.min(box.height / 2, 8);
    const isInWindow = y > 0 && y < height && box.left < width && box.right > 0;
    const canLook = isInWindow && tree.style(holder).pointerEvents !== "none";
    const seen = canLook && probes < MAX_PROBES ? coverSeen(holder, box, y) : null;
    if (seen) return seen;
    for (const cover of covers) {
      const takesNoClicks = tree.style(cover).pointerEvents === "none";
      if (canLook && !takesNoClicks) continue;
      if (!isInside(box, tree.box(cover)) || tree.isWithin(holder, cover) || tree.isWithin(cover, holder)) continue;
      if (coverFrom(cover, holder) === cover && isPaintedLater(cover, holder)) return cover;
    }
    return null;
  };

  /**
   * Whether an element could lie over something else: what stays in line is painted before all words.
   * @param {Element} element @param {StyleState} state
   */
  const canCover = (element, state) => {
    const { style } = state;
    if (clipBoxes.reasons(element, state).length || !style || /^(html|body)$/.test(tree.tag(element))) return false;
    const isTransformed = styleHiding.used().has("transform") && style.transform !== "none";
    if (!REPLACED.has(tree.tag(element)) && style.position === "static" && !isTransformed) return false;
    if (!isOpaque(element)) return false;
    return positionOf(element).placed && !clipBoxes.around(element).fixed;
  };

  /**
   * Whether something that no ancestor paints is behind words: a picture under a caption.
   * @param {Element} holder @param {DOMRect} box @param {Element[]} painted
   */
  const isOverPicture = (holder, box, painted) =>
    painted.some((it) => {
      const { left, right, top, bottom } = tree.box(it);
      const isApart = box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top;
      return !isApart && !tree.isWithin(holder, it) && !tree.isWithin(it, holder);
    });

  /** Start to count how often it was looked what lies over a point. */
  const begin = () => {
    probes = 0;
  };
  /** @param {Element} element */
  const isBehind = (element) => positionOf(element).behind;

  return { begin, boxOfText, canCover, coverOf, isBeforePage, isBehind, isInView, isOverPicture, reason, REPLACED };
};
