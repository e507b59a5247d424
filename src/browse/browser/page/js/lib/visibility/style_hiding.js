/**
 * What style does to the words in an element, each thing checked by itself: faint, clipped, not displayed, written
 * tiny or in the colour of what is behind them. Only elements that a rule with such a property may have touched are
 * asked for their style; the others look like what they are in.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleRules, clipping } = lib;
  const FAINT = 0.1;
  const TINY_PX = 4;
  // Distances that move nothing out of sight.
  const NEAR = /^(auto|-?0?\.?\d{1,2}(px|%)|-?\d?\.?\d(r?em)|0)$/;
  const NEAR_MARGIN = /^(auto|\d[^(]*|\.\d[^(]*|-\d{1,2}(\.\d+)?px|-\d?(\.\d+)?r?em)$/;
  const LARGE_ENOUGH = new RegExp(
    [
      "^(([4-9]|[1-9]\\d+)(\\.\\d+)?(px|pt)",
      "[1-9]\\d*(\\.\\d+)?r?em",
      "0?\\.[5-9]\\d*r?em",
      "[5-9]\\d(\\.\\d+)?%",
      "[1-9]\\d\\d(\\.\\d+)?%",
      "inherit",
      "[a-z-]*(small|large|medium|smaller|larger))$",
    ].join("|"),
  );
  // Properties that can hide words, by what they do, and the values with which they do not; and those that only make
  // what is positioned inside stand in their element.
  /** @type {Record<string, Record<string, RegExp>>} */
  const HARMLESS = {
    covering: {
      opacity: /^1$/,
      filter: /^none$/,
      "clip-path": /^none$/,
      clip: /^auto$/,
      "mask-image": /^none$/,
      "-webkit-mask-image": /^none$/,
      "overflow-x": /^visible$/,
      "overflow-y": /^visible$/,
      contain: /^(none|size|layout|style|inline-size|\s)*$/,
      "content-visibility": /^visible$/,
    },
    size: { "font-size": LARGE_ENOUGH, "letter-spacing": /^(normal|inherit|[\d.].*)$/ },
    colour: {
      color: /^(inherit|currentcolor)$/i,
      "-webkit-text-fill-color": /^(inherit|currentcolor)$/i,
      "background-color": /^(inherit|transparent|initial)$/,
      "background-image": /^(none|initial)$/,
      fill: /^(inherit|none)$/,
      "fill-opacity": /^1$/,
      "mix-blend-mode": /^normal$/,
    },
    place: {
      transform: /^none$/,
      translate: /^none$/,
      scale: /^none$/,
      rotate: /^none$/,
      zoom: /^(1|normal)$/,
      "offset-path": /^none$/,
      "text-indent": /^0(px)?$/,
      position: /^static$/,
      "z-index": /^(auto|\d+)$/,
      "margin-left": NEAR_MARGIN,
      "margin-right": NEAR_MARGIN,
      "margin-top": NEAR_MARGIN,
      "margin-bottom": NEAR_MARGIN,
      left: NEAR,
      right: NEAR,
      top: NEAR,
      bottom: NEAR,
    },
    display: {
      display: /^(?!none|var|inherit|$)/,
      visibility: /^visible$/,
      "animation-name": /^none$/,
    },
    holding: {
      perspective: /^none$/,
      "backdrop-filter": /^none$/,
      "will-change": /^(auto|contents|scroll-position|opacity)$/,
    },
  };
  const HIDING = Object.keys(HARMLESS).filter((group) => group !== "holding");
  const TABLE = new Map(
    Object.entries(HARMLESS).flatMap(([group, rows]) =>
      Object.entries(rows).map(([name, harmless]) => /** @type {const} */ ([name, { group, harmless }])),
    ),
  );
  const ALIASES = new Map([
    ["-webkit-mask-image", "mask-image"],
    ["background-color", "color"],
    ["fill", "color"],
    ["fill-opacity", "color"],
    ["overflow-y", "overflow-x"],
    ["animation-name", "opacity"],
    ["translate", "transform"],
    ["scale", "transform"],
    ["rotate", "transform"],
  ]);
  // What can hide its words without a rule.
  const BY_ITSELF = ["[style]", "[hidden]", "[popover]", "[bgcolor]", "body[text]"];
  const TAGS = ["font", "details", "dialog", "canvas", "audio", "video", "datalist"];
  const search = styleRules.search(TABLE, ALIASES);

  /** Elements whose style may hide words in any way. @type {() => ElementSet} */
  const touched = tree.once(() => {
    const others = TAGS.filter((tag) => Document.prototype.getElementsByTagName.call(document, tag).length);
    return search.touched(HIDING, [...BY_ITSELF, ...others]);
  });
  /** Elements whose style may cover what is in them or write it tiny: much fewer, and enough for names. */
  const covering = tree.once(() => search.touched(["covering", "size"], ["[style]", "[popover]", "dialog"]));
  /** Elements whose style may say which boxes cut off what. */
  const boxed = tree.once(() =>
    search.touched(["covering", "place", "holding"], ["[style]", "[popover]", "dialog", "input", "textarea"]),
  );
  /** What is only rendered when one scrolls there: until then the browser does not tell its text. */
  const skippable = tree.once(() => {
    if (!used().has("content-visibility")) return [];
    const among = covering();
    const elements = among instanceof Set ? [...among] : tree.roots().flatMap((root) => tree.all(root, "*"));
    return elements.filter((element) => tree.style(element).contentVisibility === "auto");
  });
  const coveringOnly = tree.once(() => {
    const declared = search.declared();
    const names = new Set(["covering", "size"].flatMap((group) => Object.keys(HARMLESS[group])));
    /** @param {Properties} among @returns {Properties} */
    const of = (among) => ({ has: (name) => names.has(name) && among.has(name) });
    return { byRules: of(declared), anywhere: of(styleRules.EVERY_PROPERTY) };
  });
  /** The properties that are set at all somewhere: the others need not be read. */
  const used = tree.once(() => search.used());

  /** How much of what is there a filter lets through. @param {string} filter @returns {number} */
  const passedBy = (filter) => {
    let opacity = 1;
    for (const [, value] of filter.matchAll(/opacity\(([\d.]+)\)/g)) opacity *= Number(value);
    return opacity;
  };

  /** Whether a transform shows the back of something. @param {string} transform */
  const isTurnedAway = (transform) => {
    const numbers = /^matrix3d\((.*)\)$/.exec(transform)?.[1].split(",").map(Number);
    return numbers !== undefined && numbers[10] < 0;
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {Properties} uses */
  const isClipped = (element, style, uses) => {
    if (uses.has("clip-path")) {
      const { clipPath } = style;
      if (clipPath !== "none" && clipping.pathHides(clipPath, element)) return true;
    }
    if (uses.has("clip")) {
      const { clip } = style;
      if (clip !== "auto" && /absolute|fixed/.test(style.position) && clipping.rectHides(clip)) return true;
    }
    return uses.has("mask-image") && clipping.maskHides(style.maskImage);
  };

  /**
   * Whether an element is made as texts for screen readers are.
   * @param {Element} element @param {CSSStyleDeclaration} style
   */
  const isForScreenReaders = (element, style) => {
    const { width, height } = tree.box(element);
    return width <= 2 && height <= 2 && /absolute|fixed/.test(style.position);
  };

  /** @type {StyleState} */
  const UNTOUCHED = {
    above: null,
    element: null,
    style: null,
    opacity: 1,
    fontSize: Infinity,
    overlaps: false,
    reasons: [],
    forScreenReaders: false,
    notDisplayed: false,
    cutsOff: false,
    hasNoRoom: false,
    foldedBy: null,
  };
  /** What is on top has nothing from those around it that hides it. */
  const UNHIDDEN = { opacity: 1, reasons: [], forScreenReaders: false, cutsOff: false, hasNoRoom: false };
  const ON_TOP = ":modal, :popover-open";
  /** Whether an element lies over the page, out of all that it is in. @param {Element} element @returns {boolean} */
  const isOnTop = (element) =>
    (tree.tag(element) === "dialog" || tree.has(element, "popover")) && tree.fits(element, ON_TOP);

  const REPLACED = new Set(["canvas", "audio", "video"]);
  /**
   * Whether an element is there, and what is in it is not.
   * @param {Element} element @param {CSSStyleDeclaration} style @param {Properties} uses
   */
  const folds = (element, style, uses) => {
    const tag = tree.tag(element);
    if (REPLACED.has(tag)) return true;
    if (uses.has("content-visibility") && style.contentVisibility === "hidden") return true;
    return tag === "details" && !tree.has(element, "open");
  };
  /**
   * Whether words are in something that does not show what it holds.
   * @param {Element} holder @param {StyleState} state
   */
  const isFolded = (holder, { foldedBy }) => {
    if (!foldedBy || tree.tag(foldedBy) !== "details") return foldedBy !== null;
    const summary = tree.all(foldedBy, ":scope > summary")[0];
    return !summary || !tree.isWithin(holder, summary);
  };

  /** @param {CSSStyleDeclaration} style @param {StyleState} above @param {Properties} uses */
  const sizeOf = (style, above, uses) => {
    if (!uses.has("font-size") && !uses.has("letter-spacing")) return above;
    const fontSize = parseFloat(style.fontSize);
    return { fontSize, overlaps: uses.has("letter-spacing") && parseFloat(style.letterSpacing) < -fontSize * 0.4 };
  };

  /** @param {Element} element @param {CSSStyleDeclaration} style @param {Properties} uses */
  const cutsOff = (element, style, uses) =>
    (uses.has("overflow-x") || uses.has("contain") || uses.has("content-visibility")) &&
    clipping.axesOf(element, style) !== null;

  /** @param {Element} element @param {StyleState} outer @param {Properties} uses @returns {StyleState} */
  const stateOf = (element, outer, uses) => {
    const above = isOnTop(element) ? { ...outer, ...UNHIDDEN } : outer;
    const style = tree.style(element);
    const filter = uses.has("filter") ? style.filter : "none";
    const own = uses.has("opacity") ? Number(style.opacity) : 1;
    const opacity = above.opacity * own * (filter === "none" ? 1 : passedBy(filter));
    const reasons = [];
    if (opacity < FAINT && above.opacity >= FAINT) reasons.push({ why: "transparent", by: element });
    if (filter !== "none" && /contrast\(0\)/.test(filter)) reasons.push({ why: "same colour", by: element });
    const clipped = isClipped(element, style, uses);
    if (clipped) reasons.push({ why: "clipped", by: element });
    if (uses.has("transform") && style.backfaceVisibility === "hidden" && isTurnedAway(style.transform))
      reasons.push({ why: "turned away", by: element });
    const { fontSize, overlaps } = sizeOf(style, above, uses);
    const cuts = cutsOff(element, style, uses);
    const isEmpty = cuts && clipping.hasNoRoom(element, style);
    return {
      above: outer,
      element,
      style,
      opacity,
      fontSize,
      overlaps,
      reasons: reasons.length ? [...above.reasons, ...reasons] : above.reasons,
      forScreenReaders: above.forScreenReaders || ((clipped || isEmpty) && isForScreenReaders(element, style)),
      notDisplayed: false,
      cutsOff: above.cutsOff || cuts,
      hasNoRoom: above.hasNoRoom || isEmpty,
      foldedBy: above.foldedBy || (folds(element, style, uses) ? element : null),
    };
  };

  /**
   * Something about style that an element has from the elements around it that are in a set.
   * @param {() => ElementSet} set @param {(element: Element, above: StyleState) => StyleState} step
   * @returns {(element: Element) => StyleState}
   */
  const inherited = (set, step) => {
    /** @type {(element: Element) => StyleState} */
    const climb = lib.cache.inherited(
      tree.composedParent,
      () => UNTOUCHED,
      (element, above) => (set().has(element) ? step(element, above) : above),
    );
    // Where nothing is touched, nothing need be climbed.
    return (element) => (set().size ? climb(element) : UNTOUCHED);
  };
  /** What style does to the words in an element, its own and that of all around it. */
  const of = inherited(touched, (element, above) => {
    if (above.notDisplayed) return above;
    return tree.isRendered(element)
      ? stateOf(element, above, used())
      : { ...above, above, element, notDisplayed: true };
  });
  /** The same for an element that is rendered, as far as its words are covered or tiny. */
  const ofCovering = inherited(covering, (element, above) => {
    const { byRules, anywhere } = coveringOnly();
    // Drawings are styled by attributes as well.
    const isByRules = !tree.has(element, "style") && !tree.tag(element).includes(":");
    return stateOf(element, above, isByRules ? byRules : anywhere);
  });

  /**
   * Whether letters directly in an element are too small to be read, or lie on top of each other. Letters have the
   * size of the nearest element that a rule touched, except in what Chromium styles by itself (a button).
   * @param {Element} element @param {StyleState} state @returns {boolean}
   */
  const isTiny = (element, { fontSize, overlaps }) =>
    overlaps || (fontSize < TINY_PX && parseFloat(tree.style(element).fontSize) < TINY_PX);

  return { boxed, of, ofCovering, isFolded, isOnTop, isTiny, skippable, touched, used, UNTOUCHED, FAINT, TINY_PX };
};
