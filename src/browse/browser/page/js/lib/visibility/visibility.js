/**
 * Whether a person can see something, and if not, why: the one answer for all who read a page. How it is found out is
 * in the other files of this folder.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleHiding, clipping, clipBoxes, placement, hiddenText, revealHeuristics } = lib;
  const NEVER = new Set("script,style,noscript,template,head,title,meta,link,base".split(","));
  // What draws a number, and shows the text in it to browsers that cannot.
  const GAUGES = new Set(["meter", "progress"]);
  const WITH_VISIBILITY = { visibilityProperty: true };
  const NO_ROOM_PX = 1;
  const MIN_FRAME_PX = 3;
  const { checkVisibility } = Element.prototype;

  /** Whether an element, or something in it, may be seen. @param {Element} element @returns {boolean} */
  const isRendered = (element) => !NEVER.has(tree.tag(element)) && tree.isRendered(element);

  /** Whether an element is rendered and visible. @type {(element: Element) => boolean} */
  const isShown = tree.remembered((element) => checkVisibility.call(element, WITH_VISIBILITY));

  /**
   * Whether an element is seen and the text directly in it is not: folded away, or there for other browsers.
   * @param {Element} element @returns {boolean}
   */
  const keepsText = (element) => {
    const tag = tree.tag(element);
    return GAUGES.has(tag) || (tag === "details" && !tree.has(element, "open"));
  };
  /** Whether text directly in an element is rendered. @type {(element: Element) => boolean} */
  const showsText = tree.remembered((element) => {
    if (keepsText(element)) return false;
    if (isShown(element)) return true;
    const { display, visibility } = tree.style(element);
    return display === "contents" && visibility === "visible" && isRendered(element);
  });

  /** @param {{width: number, height: number}} box */
  const hasArea = ({ width, height }) => width > 0 && height > 0;

  /** Whether an element has a box that is not empty. @param {Element} element @returns {boolean} */
  const hasBox = (element) => hasArea(tree.box(element));

  /**
   * Whether a node is rendered with a box that is not empty, wherever that is.
   * @param {Node} node @returns {boolean}
   */
  const isVisible = (node) => {
    if (tree.isText(node)) return hasArea(placement.boxOfText(node));
    if (!tree.isElement(node)) return false;
    const { display, visibility } = tree.style(node);
    if (display === "contents") return tree.children(node).some(isVisible);
    return checkVisibility.call(node) && visibility === "visible" && hasBox(node);
  };

  /** Whether a frame is large enough to be read. @param {Element} frame @returns {boolean} */
  const isReadableFrame = (frame) => {
    const { width, height } = tree.box(frame);
    return width >= MIN_FRAME_PX && height >= MIN_FRAME_PX && isShown(frame);
  };

  /**
   * Why a person cannot see the words of an element that is rendered: the first reason that holds, or "". Looks at
   * what is quickly found; what lies over it and its colours are no part of that.
   * @type {(element: Element) => string}
   */
  const reason = tree.remembered((element) => {
    const state = styleHiding.ofCovering(element);
    if (styleHiding.isTiny(element, state)) return "tiny text";
    const [first] = clipBoxes.reasons(element, state);
    if (first) return first.why;
    const { width, height } = tree.box(element);
    // Fields cut off what they hold although no author said so.
    if ((width <= NO_ROOM_PX || height <= NO_ROOM_PX) && clipping.hasNoRoom(element, tree.style(element)))
      return "clipped";
    return placement.isBeforePage(element, state) ? "off-screen" : "";
  }, true);

  /**
   * Whether words that a person does not see now are meant for them all the same: read out, or shown in good time.
   * @param {Element} element @returns {boolean}
   */
  const isMeant = (element) => {
    const state = styleHiding.ofCovering(element);
    if (state.forScreenReaders) return true;
    const by = clipBoxes.reasons(element, state).at(-1)?.by || state.element;
    return by !== null && revealHeuristics.mayBeShown(element, by);
  };

  /** Whether any part of an element is in the window now. @param {Element} element @returns {boolean} */
  const isOnScreen = (element) => placement.isInView(tree.box(element));

  const { isAnyLeftOut, isLeftOut, holdsLeftOut } = hiddenText;
  /** Why a text cannot be seen; "" where it can. @param {Text} text @param {Element} holder @returns {string} */
  const reasonOfText = (text, holder) => reason(holder) || (isLeftOut(text) ? hiddenText.reason(text) : "");

  return {
    hasBox,
    holdsLeftOut,
    isAnyLeftOut,
    isLeftOut,
    isMeant,
    isOnScreen,
    isReadableFrame,
    isRendered,
    isShown,
    isVisible,
    keepsText,
    reason,
    reasonOfText,
    showsText,
  };
};
