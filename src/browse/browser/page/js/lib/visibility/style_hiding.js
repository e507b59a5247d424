/**
 * What style does to the words in an element, checked each by itself: faint, clipped, shut, written tiny or in the colour
 * of what is behind them. Only elements that a rule with such a property may have touched are asked for their style.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleRules, colours, appearance } = lib;
  const FAINT = 0.1;
  const SMALL_PX = 4;
  const LONGEST_MASK = 2000;
  // Distances that move nothing out of sight.
  const NEAR = /^(auto|-?0?\.?\d{1,2}(px|%)|-?\d?\.?\d(r?em)|0)$/;
  const NEAR_MARGIN = /^(auto|\d[^(]*|\.\d[^(]*|-\d{1,2}(\.\d+)?px|-\d?(\.\d+)?r?em)$/;
  // Properties that can hide words, and the values with which they do not.
  const HARMLESS = new Map([
    ["opacity", /^1$/],
    ["filter", /^none$/],
    ["clip-path", /^none$/],
    ["clip", /^auto$/],
    ["mask-image", /^none$/],
    ["-webkit-mask-image", /^none$/],
    ["overflow-x", /^visible$/],
    ["overflow-y", /^visible$/],
    ["font-size", /^(([4-9]|[1-9]\d+)(\.\d+)?(px|pt)|[1-9]\d*(\.\d+)?r?em|0?\.[5-9]\d*r?em|[5-9]\d(\.\d+)?%|[1-9]\d\d(\.\d+)?%|inherit|[a-z-]*(small|large|medium|smaller|larger))$/],
    ["transform", /^none$/],
    ["translate", /^none$/],
    ["scale", /^none$/],
    ["rotate", /^none$/],
    ["zoom", /^(1|normal)$/],
    ["offset-path", /^none$/],
    ["color", /^(inherit|currentcolor)$/i],
    ["-webkit-text-fill-color", /^(inherit|currentcolor)$/i],
    ["background-color", /^(inherit|transparent|initial)$/],
    ["background-image", /^(none|initial)$/],
    ["fill", /^(inherit|none)$/],
    ["fill-opacity", /^1$/],
    ["text-indent", /^0(px)?$/],
    ["letter-spacing", /^(normal|inherit|[\d.].*)$/],
    ["position", /^static$/],
    ["z-index", /^(auto|\d+)$/],
    ["mix-blend-mode", /^normal$/],
    ...["margin-left", "margin-right", "margin-top", "margin-bottom"].map((name) => /** @type {[string, RegExp]} */ ([name, NEAR_MARGIN])),
    ...["left", "right", "top", "bottom"].map((name) => /** @type {[string, RegExp]} */ ([name, NEAR])),
    ["display", /^(?!none|var|inherit|$)/],
    ["visibility", /^visible$/],
    ["content-visibility", /^visible$/],
    ["animation-name", /^none$/],
  ]);
  // What can hide its words without a rule.
  const BY_ITSELF = ["[style]", "[hidden]", "[popover]", "[bgcolor]", "body[text]"];
  const TAGS = ["font", "details", "dialog", "canvas", "audio", "video", "datalist"];
  const TRANSPARENT_MASK = /^(?:\w+-)*gradient\((?:[^()]|rgba?\([^)]*, 0\))*\)$/;

  const touched = tree.once(() => {
    const others = TAGS.filter((tag) => Document.prototype.getElementsByTagName.call(document, tag).length);
    return styleRules.touched(HARMLESS, [...BY_ITSELF, ...others]);
  });
  /** The properties that are set at all somewhere: the others need not be read. @type {() => {has: (name: string) => boolean}} */
  const used = tree.once(() => styleRules.used(HARMLESS));

  /** @param {string} filter @returns {number} How much of what is there it lets through. */
  const passes = (filter) => {
    let left = 1;
    for (const [, value] of filter.matchAll(/opacity\(([\d.]+)\)/g)) left *= Number(value);
    return left;
  };

  /** @param {string} path @param {DOMRect} box Whether a clip path leaves nothing of a box. */
  const leavesNothing = (path, box) => {
    const [, shape, inside] = /^(\w+)\((.*)\)/.exec(path) || [];
    if (!shape) return false;
    const [size] = inside.split(/ (?:round|at) /);
    const given = size.trim().split(/\s+/);
    const share = (/** @type {string} */ word, /** @type {number} */ whole) => (word.endsWith("%") ? parseFloat(word) / 100 : parseFloat(word) / (whole || 1));
    if (shape === "inset") {
      const [top, right = top, bottom = top, left = right] = given;
      return share(top, box.height) + share(bottom, box.height) >= 0.99 || share(left, box.width) + share(right, box.width) >= 0.99;
    }
    if (shape === "circle" || shape === "ellipse") return given.some((word) => /^\d/.test(word) && parseFloat(word) < 1);
    if (shape === "rect") return share(given[1], box.width) <= share(given[3], box.width) || share(given[2], box.height) <= share(given[0], box.height);
    if (shape === "xywh") return parseFloat(given[2]) < 1 || parseFloat(given[3]) < 1;
    return shape === "polygon" && area(inside) < 1;
  };

  /** @param {string} points Of a polygon, all in one unit as far as that matters here. */
  const area = (points) => {
    const at = points.replace(/^(nonzero|evenodd),\s*/, "").split(",").map((point) => point.trim().split(/\s+/).map(parseFloat));
    if (at.some(([x, y]) => Number.isNaN(x) || Number.isNaN(y))) return Infinity;
    return Math.abs(at.reduce((sum, [x, y], index) => sum + x * at[(index + 1) % at.length][1] - at[(index + 1) % at.length][0] * y, 0)) / 2;
  };

  /** @param {string} clip */
  const isNoRect = (clip) => {
    const [top, right, bottom, left] = (/^rect\((.*)\)$/.exec(clip)?.[1] || "").split(/,?\s+/).map(parseFloat);
    return right - left <= 1 || bottom - top <= 1;
  };

  /** @param {string} transform Whether it shows the back of something that has none. */
  const isTurnedAway = (transform) => {
    const numbers = /^matrix3d\((.*)\)$/.exec(transform)?.[1].split(",").map(Number);
    return numbers !== undefined && numbers[10] < 0;
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {boolean} clips @returns {string} */
  const cut = (element, style, clips) => {
    const uses = used();
    if (uses.has("clip-path")) {
      const { clipPath } = style;
      if (clipPath !== "none" && leavesNothing(clipPath, appearance.box(element))) return "clipped";
    }
    if (uses.has("clip")) {
      const { clip } = style;
      if (clip !== "auto" && /absolute|fixed/.test(style.position) && isNoRect(clip)) return "clipped";
    }
    if (uses.has("mask-image")) {
      const mask = style.maskImage;
      if (mask !== "none" && mask.length < LONGEST_MASK && TRANSPARENT_MASK.test(mask) && !/(rgb\(|, (0\.\d*[1-9]\d*|1)\))/.test(mask)) return "clipped";
    }
    return clips && appearance.isShut(element) ? "clipped" : "";
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style Whether it is made as texts for screen readers are. */
  const isForEars = (element, style) => {
    const { width, height } = appearance.box(element);
    return width <= 2 && height <= 2 && /absolute|fixed/.test(style.position);
  };

  /**
   * What an element does to the words in it, and what those around it do.
   * @typedef {{above: State | null, element: Element | null, style: CSSStyleDeclaration | null, left: number, veils: {why: string, by: Element}[],
   *   ears: boolean, gone: boolean, scrolls: boolean, frame: Element | null, fold: Element | null,
   *   ink?: string, ground?: {colour: any, known: boolean}}} State
   */
  /** @type {State} */
  const BARE = {
    above: null, element: null, style: null, left: 1, veils: [], ears: false, gone: false, scrolls: false, frame: null, fold: null,
  };
  const isRoot = (/** @type {Element} */ element) => /^(html|body)$/.test(tree.tag(element));

  const INSTEAD = new Set(["canvas", "audio", "video"]);
  /** @param {Element} element @param {CSSStyleDeclaration} style Whether it is there, and what is in it is not. */
  const folds = (element, style) => {
    const tag = tree.tag(element);
    return INSTEAD.has(tag) || (used().has("content-visibility") && style.contentVisibility === "hidden") || (tag === "details" && !tree.has(element, "open"));
  };
  /** @param {Element} holder @param {State} state Whether its words are in something that does not show what it holds. */
  const isFolded = (holder, { fold }) => {
    if (!fold || tree.tag(fold) !== "details") return fold !== null;
    const summary = tree.all(fold, ":scope > summary")[0];
    return !summary || !tree.isWithin(holder, summary);
  };

  /** @param {Element} element @param {State} above @returns {State} */
  const step = (element, above) => {
    if (above.gone || !touched().has(element)) return above;
    if (!tree.isRendered(element)) return { ...above, above, element, gone: true };
    const style = tree.style(element);
    const uses = used();
    const filter = uses.has("filter") ? style.filter : "none";
    const left = above.left * (uses.has("opacity") ? Number(style.opacity) : 1) * (filter === "none" ? 1 : passes(filter));
    const veils = [];
    if (left < FAINT && above.left >= FAINT) veils.push({ why: "transparent", by: element });
    if (filter !== "none" && /contrast\(0\)/.test(filter)) veils.push({ why: "same colour", by: element });
    const overflow = uses.has("overflow-x") ? style.overflowX + style.overflowY : "";
    const clips = /hidden|clip|auto|scroll/.test(overflow) && !isRoot(element);
    const isCut = cut(element, style, clips);
    if (isCut) veils.push({ why: isCut, by: element });
    if (uses.has("transform") && style.backfaceVisibility === "hidden" && isTurnedAway(style.transform)) veils.push({ why: "turned away", by: element });
    const isFixed = clips || above.frame ? style.position === "fixed" : false;
    return {
      above, element, style, left,
      veils: veils.length ? [...above.veils, ...veils] : above.veils,
      ears: above.ears || (!!isCut && isForEars(element, style)),
      gone: false,
      scrolls: (above.scrolls && !isFixed) || (clips && /auto|scroll/.test(overflow)),
      frame: clips ? element : isFixed ? null : above.frame,
      fold: above.fold || (folds(element, style) ? element : null),
    };
  };
  /** @type {(element: Element) => State} */
  const inherited = lib.cache.inherited(tree.composedParent, () => BARE, step);
  /** @param {Element} element @returns {State} */
  const of = (element) => (touched().size ? inherited(element) : BARE);

  /** What shows behind everything where nobody painted. */
  const canvas = tree.once(() => {
    const scheme = document.documentElement ? tree.style(document.documentElement).colorScheme : "";
    const dark = /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia("(prefers-color-scheme: dark)").matches);
    // A frame lets through what is behind it, and that is not known here.
    return { colour: dark ? [18, 18, 18, 1] : [255, 255, 255, 1], known: window.top === window };
  });

  /** What is behind the words in an element, as far as it and those around it paint that. @param {State} state @returns {{colour: any, known: boolean}} */
  const ground = (state) => {
    const uses = used();
    /** @type {State[]} */
    const path = [];
    let at = /** @type {State | null} */ (state);
    for (; at && at.style && !at.ground; at = at.above) path.push(at);
    let below = at?.ground || canvas();
    while (path.length) {
      const next = /** @type {any} */ (path.pop());
      const colour = colours.parsed(next.style.backgroundColor);
      const isPlain =
        (!uses.has("background-image") || next.style.backgroundImage === "none") &&
        (!uses.has("mix-blend-mode") || next.style.mixBlendMode === "normal");
      if (colour[3] > 0.99) below = { colour, known: isPlain };
      else if (colour[3] > 0 || !isPlain) below = { colour: colours.over(colour, below.colour), known: below.known && isPlain };
      next.ground = below;
    }
    return below;
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @returns {any} The colour of its letters. */
  const letters = (element, style) => {
    if (tree.tag(element).startsWith("svg:")) {
      if (style.fill === "none") return [0, 0, 0, 0];
      const colour = /^rgb|^color/.test(style.fill) ? colours.parsed(style.fill) : [0, 0, 0, 1];
      return [colour[0], colour[1], colour[2], colour[3] * Number(style.fillOpacity)];
    }
    return colours.parsed(used().has("-webkit-text-fill-color") ? style.getPropertyValue("-webkit-text-fill-color") : style.color);
  };

  /** @param {CSSStyleDeclaration} style Whether letters are drawn otherwise than by their colour. */
  const isOutlined = (style) =>
    style.textShadow !== "none" || parseFloat(style.getPropertyValue("-webkit-text-stroke-width")) > 0 || (style.stroke && style.stroke !== "none");

  /** @param {Element} element @returns {boolean} Whether the letters are cut out of a background. */
  const isCutOut = (element) => {
    for (let node = /** @type {Element | null} */ (element), up = 0; node && up < 4; node = tree.composedParent(node), up += 1)
      if (/text/.test(tree.style(node).backgroundClip || "")) return true;
    return false;
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {State} state @returns {string} What its colours do: "", "transparent", "same colour" or, where that is not sure, with a "?". */
  const inkOf = (element, style, state) => {
    const [red, green, blue, alpha] = letters(element, style);
    const { colour, known } = ground(state);
    const isFaint = alpha < FAINT;
    if (!isFaint && !colours.alike(colours.over([red, green, blue, alpha * state.left], colour), colour)) return "";
    if (isOutlined(style) || isCutOut(element)) return "";
    // In drawings the ground is drawn as well, and by no ancestor.
    const isDrawn = tree.tag(element).startsWith("svg:");
    return isFaint ? "transparent" : known && !isDrawn ? "same colour" : "same colour?";
  };

  /** @param {Element} element Whose words they are. @param {State} state @returns {string[]} How the words themselves are written. */
  const written = (element, state) => {
    const { style } = state;
    if (!style || !state.element) return [];
    const uses = used();
    const found = [];
    // Letters have the colour of the nearest element that a rule touched, except those that Chromium colours by itself.
    if (state.ink === undefined) state.ink = uses.has("color") || uses.has("-webkit-text-fill-color") ? inkOf(state.element, style, state) : "";
    const ink = state.ink && element !== state.element ? inkOf(element, tree.style(element), state) : state.ink;
    if (ink) found.push(ink);
    const size = uses.has("font-size") || uses.has("letter-spacing") ? parseFloat(style.fontSize) : Infinity;
    if (size < SMALL_PX && parseFloat(tree.style(element).fontSize) < SMALL_PX) found.push("tiny text");
    else if (uses.has("letter-spacing") && parseFloat(style.letterSpacing) < -size * 0.4) found.push("tiny text");
    return found;
  };

  return { of, isFolded, written, touched, used, BARE, SMALL_PX };
};
