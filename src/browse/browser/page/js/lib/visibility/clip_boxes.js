/**
 * The boxes that cut off what stands in an element. What is positioned leaves those between it and its containing
 * block, and what lies on top leaves them all; a clip, a clip path and a mask hold for everything inside, and are no
 * matter of this file. Asked only where there is a box around that cuts something off.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleHiding, clipping } = lib;
  const { isOnTop } = styleHiding;
  const MOVERS = ["transform", "translate", "scale", "rotate", "perspective", "filter", "backdropFilter"];
  const WILL_MOVE = /transform|translate|scale|rotate|perspective|filter|contain/;

  /**
   * Where an element's own box stands, and what is in it: in the flow, positioned absolutely, and fixed.
   * @typedef {{own: Stand, flow: Stand, absolute: Stand, pinned: Stand}} Stands
   */
  /** @type {Stand} */
  const PAGE = { cutBy: null, scrolls: false, emptyBox: null, fixed: false };
  /** @type {Stand} */
  const WINDOW = { ...PAGE, fixed: true };
  /** @type {Stands} */
  const TOP = { own: PAGE, flow: PAGE, absolute: PAGE, pinned: WINDOW };

  /** Whether even what is fixed stands in an element and not in the window. @param {CSSStyleDeclaration} style */
  const holdsFixed = (style) => {
    if (style.display === "inline" || style.display === "contents") return false;
    const values = /** @type {Record<string, string>} */ (/** @type {unknown} */ (style));
    if (MOVERS.some((name) => (values[name] || "none") !== "none")) return true;
    return WILL_MOVE.test(style.willChange) || /layout/.test(style.contain) || clipping.containsPaint(style);
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {Stands} around @returns {Stand} */
  const standOf = (element, { position }, { flow, absolute, pinned }) => {
    if (isOnTop(element)) return position === "fixed" ? WINDOW : PAGE;
    return position === "fixed" ? pinned : position === "absolute" ? absolute : flow;
  };

  /** @param {Element} element @param {Stands} around @returns {Stands} */
  const step = (element, around) => {
    if (!styleHiding.boxed().has(element)) return { ...around, own: around.flow };
    const style = tree.style(element);
    const own = standOf(element, style, around);
    const inner = clipping.axesOf(element, style) ? inside(element, style, own) : own;
    const isOut = isOnTop(element);
    const holdsAll = holdsFixed(style);
    const holds = holdsAll || (style.position !== "static" && style.display !== "contents");
    return {
      own,
      flow: inner,
      absolute: holds ? inner : isOut ? PAGE : around.absolute,
      pinned: holdsAll ? inner : isOut ? WINDOW : around.pinned,
    };
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {Stand} own @returns {Stand} */
  const inside = (element, style, own) => ({
    cutBy: element,
    scrolls: /auto|scroll/.test(style.overflowX + style.overflowY),
    emptyBox: clipping.hasNoRoom(element, style) ? element : own.emptyBox,
    fixed: own.fixed,
  });

  const stands = lib.cache.inherited(tree.composedParent, () => TOP, step);
  /** Where the words directly in an element stand. @param {Element} holder @returns {Stand} */
  const around = (holder) => stands(holder).flow;
  /** Where an element's own box stands. @param {Element} element @returns {Stand} */
  const of = (element) => stands(element).own;

  /** What has no room for the words in an element, if anything. @param {Element} holder @param {StyleState} state */
  const emptyBox = (holder, state) => (state.hasNoRoom ? around(holder).emptyBox : null);

  /**
   * Why style hides the words in an element, and through which element.
   * @param {Element} holder @param {StyleState} state @returns {{why: string, by: Element}[]}
   */
  const reasons = (holder, state) => {
    const by = emptyBox(holder, state);
    return by ? [...state.reasons, { why: "clipped", by }] : state.reasons;
  };

  /** Where an element cuts off what does not fit. @type {(element: Element) => Edges} */
  const edges = tree.remembered((element) => clipping.edgesOf(element, tree.style(element)));

  return { around, edges, of, reasons, PAGE };
};
