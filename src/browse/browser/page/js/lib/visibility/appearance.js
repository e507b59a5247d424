/**
 * How an element looks, so far as that decides whether and how its words are read: what its own style and that of what it
 * is in does to it. Only the styles of elements that an author's rule may have touched are read; the others look like
 * what they are in.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleRules } = lib;
  const TINY_PX = 1;
  const FAINT = 0.1;
  const NOTHING_LEFT = /^(inset\((100%|50%)|circle\(0|polygon\(0px 0px, 0px 0px)/;
  const NO_RECT = /^rect\(0px,? 0px,? 0px,? 0px\)$|^rect\(1px,? 1px,? 1px,? 1px\)$/;
  // Properties that matter here, and the values with which they do not.
  const HARMLESS = new Map([
    ["opacity", /^(0?\.[1-9]\d*|[1-9][\d.]*)$/],
    ["clip-path", /^none$/],
    ["clip", /^auto$/],
    ["overflow-x", /^visible$/],
    ["overflow-y", /^visible$/],
    ["font-size", /^(\d*[1-9]\d*(\.\d+)?(px|pt|rem)|[1-9]\d*(\.\d+)?em|[1-9]\d\d(\.\d+)?%|inherit|[a-z-]*(small|large|medium))$/],
    ["text-transform", /^none$/],
    ["-webkit-text-security", /^none$/],
    ["content", /^(none|normal)$/],
  ]);
  // What is styled without a rule: by an attribute, and what Chromium itself writes smaller than what it is in.
  const STYLED = ["[style]", "small", "sub", "sup", "rt"];
  const touched = tree.once(() => styleRules.touched(HARMLESS, STYLED));
  /** @param {Element} element @returns {boolean} */
  const isTouched = (element) => touched().has(element);

  /** The element's box in the viewport, measured once a run. */
  const box = tree.remembered((/** @type {Element} */ element) => Element.prototype.getBoundingClientRect.call(element));

  /** @param {Element} element Whether there is no room in it for what it holds. */
  const isShut = (element) => {
    const { overflowX, overflowY, display } = tree.style(element);
    if (overflowX === "visible" && overflowY === "visible") return false;
    if (display === "inline" || display === "contents") return false;
    const { width, height } = box(element);
    return width <= TINY_PX || height <= TINY_PX;
  };

  /** @param {Element} element @returns {string} What its own style does to all that it holds. */
  const ownVeil = (element) => {
    const { opacity, clipPath, clip } = tree.style(element);
    if (Number(opacity) < FAINT) return "transparent";
    if (clipPath !== "none" && NOTHING_LEFT.test(clipPath)) return "clipped";
    if (clip !== "auto" && NO_RECT.test(clip)) return "clipped";
    return isShut(element) ? "clipped" : "";
  };

  /** @typedef {{veil: string, source: Element | null}} Setting What lies over an element, and whose writing it has. */
  const BARE = { veil: "", source: null };
  /** @type {(element: Element) => Setting} */
  const inheritedSetting = lib.cache.inherited(
    tree.composedParent,
    () => BARE,
    (/** @type {Element} */ element, /** @type {Setting} */ above) =>
      isTouched(element) ? { veil: above.veil || ownVeil(element), source: element } : above,
  );

  /** @param {Element} element Where nothing is touched, nothing need be climbed. */
  const setting = (element) => (touched().size ? inheritedSetting(element) : BARE);

  /** @param {Element} element @returns {string} What lies over it: "transparent", "clipped" or "". */
  const veil = (element) => setting(element).veil;

  const PLAIN = { tiny: false, style: null };
  /** How the text directly in an element is written, by its own style. */
  const ownWriting = tree.remembered((/** @type {Element} */ element) => {
    const style = tree.style(element);
    const tiny = parseFloat(style.fontSize) < TINY_PX;
    const security = style.getPropertyValue("-webkit-text-security");
    const asIs = style.textTransform === "none" && (!security || security === "none");
    return tiny || !asIs ? { tiny, style: asIs ? null : style } : PLAIN;
  });

  /**
   * How the text directly in an element is written: whether too small to read, and its style where that changes
   * the letters. Writing is inherited, except by what Chromium styles itself (a button).
   * @param {Element} element @returns {{tiny: boolean, style: CSSStyleDeclaration | null}}
   */
  const writing = (element) => {
    const { source } = setting(element);
    return !source || ownWriting(source) === PLAIN ? PLAIN : ownWriting(element);
  };

  return { box, isShut, isTouched, veil, writing };
};
