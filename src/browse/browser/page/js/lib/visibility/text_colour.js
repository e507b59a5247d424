/**
 * Whether letters stand out from what is painted behind them.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, colours, styleHiding } = lib;
  const { used, FAINT } = styleHiding;
  const OPAQUE = 0.99;
  // How far up letters that are cut out of a background are looked for.
  const MAX_CLIP_HEIGHT = 4;
  const BLACK = /** @type {const} */ ([0, 0, 0, 1]);
  const NONE = /** @type {const} */ ([0, 0, 0, 0]);

  /** What shows behind everything where nobody painted. @type {() => Background} */
  const canvas = tree.once(() => {
    const scheme = document.documentElement ? tree.style(document.documentElement).colorScheme : "";
    const dark = /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia("(prefers-color-scheme: dark)").matches);
    // A frame lets through what is behind it, and that is not known here.
    return { colour: dark ? [18, 18, 18, 1] : [255, 255, 255, 1], known: window.top === window };
  });

  /** @param {CSSStyleDeclaration} style @param {Background} below @returns {Background} */
  const painted = (style, below) => {
    const uses = used();
    const colour = colours.parsed(style.backgroundColor);
    const isPlain =
      (!uses.has("background-image") || style.backgroundImage === "none") &&
      (!uses.has("mix-blend-mode") || style.mixBlendMode === "normal");
    if (colour[3] > OPAQUE) return { colour, known: isPlain };
    if (colour[3] === 0 && isPlain) return below;
    return { colour: colours.over(colour, below.colour), known: below.known && isPlain };
  };

  /** What is behind the words in an element, as far as it and those around it paint that. @param {StyleState} state */
  const backgroundOf = (state) => {
    /** @type {StyleState[]} */
    const path = [];
    let at = /** @type {StyleState | null} */ (state);
    for (; at?.style && !at.background; at = at.above) path.push(at);
    let below = at?.background || canvas();
    while (path.length) {
      const next = /** @type {StyleState} */ (path.pop());
      if (next.style) below = painted(next.style, below);
      next.background = below;
    }
    return below;
  };

  /**
   * The colour of an element's letters.
   * @param {Element} element @param {CSSStyleDeclaration} style @returns {Colour}
   */
  const letterColour = (element, style) => {
    if (tree.tag(element).startsWith("svg:")) {
      if (style.fill === "none") return [...NONE];
      const [red, green, blue, alpha] = /^rgb|^color/.test(style.fill) ? colours.parsed(style.fill) : BLACK;
      return [red, green, blue, alpha * Number(style.fillOpacity)];
    }
    const isFilled = used().has("-webkit-text-fill-color");
    return colours.parsed(isFilled ? style.getPropertyValue("-webkit-text-fill-color") : style.color);
  };

  /** Whether letters are drawn otherwise than by their colour. @param {CSSStyleDeclaration} style */
  const isOutlined = (style) =>
    style.textShadow !== "none" ||
    parseFloat(style.getPropertyValue("-webkit-text-stroke-width")) > 0 ||
    (style.stroke && style.stroke !== "none");

  /** Whether letters are cut out of a background. @param {Element} element */
  const isCutOut = (element) => {
    let node = /** @type {Element | null} */ (element);
    for (let up = 0; node && up < MAX_CLIP_HEIGHT; node = tree.composedParent(node), up += 1)
      if (/text/.test(tree.style(node).backgroundClip || "")) return true;
    return false;
  };

  /**
   * What its colours do to an element's letters.
   * @param {Element} element @param {CSSStyleDeclaration} style @param {StyleState} state
   * @returns {Ink}
   */
  const inkOf = (element, style, state) => {
    const [red, green, blue, alpha] = letterColour(element, style);
    const { colour, known } = backgroundOf(state);
    const isFaint = alpha < FAINT;
    if (!isFaint && !colours.alike(colours.over([red, green, blue, alpha * state.opacity], colour), colour)) return "";
    if (isOutlined(style) || isCutOut(element)) return "";
    if (isFaint) return "transparent";
    // In drawings the background is drawn as well, and by no ancestor.
    return known && !tree.tag(element).startsWith("svg:") ? "same colour" : "maybe same colour";
  };

  /**
   * What its colours do to the words directly in an element.
   * @param {Element} element @param {StyleState} state @returns {Ink}
   */
  const ink = (element, state) => {
    const { style } = state;
    if (!style || !state.element) return "";
    // Letters have the colour of the nearest element that a rule touched, except where Chromium colours by itself.
    if (state.ink === undefined) {
      const uses = used();
      const isColoured = uses.has("color") || uses.has("-webkit-text-fill-color");
      state.ink = isColoured ? inkOf(state.element, style, state) : "";
    }
    return state.ink && element !== state.element ? inkOf(element, tree.style(element), state) : state.ink;
  };

  return { ink };
};
