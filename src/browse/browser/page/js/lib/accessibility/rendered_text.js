/**
 * The words that a page shows: text as CSS transforms it, and the content of `::before` and `::after`.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleRules } = lib;
  const CONTENT_ITEM = /"((?:[^"\\]|\\.)*)"|([a-z-]+)\(((?:[^()"]|"[^"]*")*)\)|[a-z-]+/gi;
  const BULLET = "•";
  const QUOTES = { open: "“", close: "”" };

  // Properties that change letters, and the values with which they do not.
  const LETTERS = ["text-transform", "-webkit-text-security", "content"].map(
    (name) => /** @type {const} */ ([name, { group: "letters", harmless: /^(none|normal)$/ }]),
  );
  const search = styleRules.search(new Map(LETTERS));
  const touched = tree.once(() => search.touched(["letters"], ["[style]"]));
  /** The nearest element whose style may change letters. @type {(element: Element) => Element | null} */
  const styledBy = lib.cache.inherited(
    tree.composedParent,
    () => /** @type {Element | null} */ (null),
    (element, above) => (touched().has(element) ? element : above),
  );
  /** Its style if it changes letters. @type {(element: Element) => CSSStyleDeclaration | null} */
  const changing = tree.remembered((element) => {
    const style = tree.style(element);
    const security = style.getPropertyValue("-webkit-text-security");
    return style.textTransform === "none" && (!security || security === "none") ? null : style;
  });

  /**
   * The style of an element where it changes the letters directly in it. Letters inherit that, except in what Chromium
   * styles by itself (a button).
   * @param {Element} element @returns {CSSStyleDeclaration | null}
   */
  const letterStyle = (element) => {
    const source = touched().size ? styledBy(element) : null;
    return source && changing(source) ? changing(element) : null;
  };

  // The cheaper question first: most texts are as they should be.
  const LOOSE = /[\t\n\f\r\v]| {2}|^\s|\s$/;
  /** @param {string} text @returns {string} */
  const fold = (text) => (LOOSE.test(text) ? text.replace(/[ \t\n\f\r\v]+/g, " ").trim() : text);

  // Icon fonts put their pictures where Unicode leaves room for private use.
  const GLYPHS = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]+/gu;
  /** A text without the pictures of icon fonts. @param {string} text @returns {string} */
  const withoutGlyphs = (text) => (text.search(GLYPHS) >= 0 ? fold(text.replace(GLYPHS, " ")) : text);

  /** @param {Element} element */
  const language = (element) => {
    const holder = tree.closest(element, "[lang]");
    const lang = (holder && tree.attr(holder, "lang")) || "";
    return /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(lang) ? lang : undefined;
  };

  /** @param {string} text */
  const capitalize = (text) =>
    text.replace(/(^|[^\p{L}\p{N}\p{M}'’_])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());

  /** @param {string} text @param {CSSStyleDeclaration} style @param {Element} element */
  const transformed = (text, style, element) => {
    const { textTransform } = style;
    let shown = text;
    if (textTransform.includes("uppercase")) shown = text.toLocaleUpperCase(language(element));
    else if (textTransform.includes("lowercase")) shown = text.toLocaleLowerCase(language(element));
    else if (textTransform.includes("capitalize")) shown = capitalize(text);
    const security = style.getPropertyValue("-webkit-text-security");
    return security && security !== "none" ? BULLET.repeat([...shown].length) : shown;
  };

  /**
   * A text as it is shown.
   * @param {Text} node @param {Element} element The element that it is in. @returns {string}
   */
  const ofNode = (node, element) => {
    const text = node.data;
    if (!text.trim()) return text;
    const style = letterStyle(element);
    return style ? transformed(text, style, element) : text;
  };

  /** Values of the page's counters where each element's pseudo-elements stand, without nested scopes. */
  const counters = tree.once(() => {
    /** @type {Map<string, number>} */
    const values = new Map();
    /** @type {Map<Element, Map<string, number>>} */
    const seen = new Map();
    /** @param {CSSStyleDeclaration} style */
    const apply = (style) => {
      for (const property of ["counter-reset", "counter-increment", "counter-set"]) {
        const list = style.getPropertyValue(property);
        for (const [, name, number] of list.matchAll(/(?:reversed\()?([^\s()]+)\)?\s+(-?\d+)/g))
          values.set(name, Number(number) + (property === "counter-increment" ? values.get(name) || 0 : 0));
      }
    };
    for (const element of tree.all(document, "*")) {
      apply(tree.style(element));
      const before = getComputedStyle(element, "::before");
      if (before.content !== "none" && before.content !== "normal") apply(before);
      seen.set(element, new Map(values));
    }
    return seen;
  });

  /** @param {string} text A CSS string without its quotes. */
  const unescaped = (text) =>
    text.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, code, character) =>
      code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : character,
    );

  /** @param {string} part One side of a `content` value. @param {Element} element @param {boolean} counted */
  const spoken = (part, element, counted) => {
    let text = "";
    for (const [item, quoted, call, inside] of part.matchAll(CONTENT_ITEM)) {
      if (quoted !== undefined) text += unescaped(quoted);
      else if (call === "attr") text += tree.attr(element, inside.trim()) || "";
      else if (call === "counter" && counted) text += counters().get(element)?.get(inside.split(",")[0].trim()) ?? "";
      else if (item === "open-quote") text += QUOTES.open;
      else if (item === "close-quote") text += QUOTES.close;
    }
    return text;
  };

  /**
   * What a `content` value shows, and the words to say instead.
   * @param {string} content @returns {[string, string | null]}
   */
  const split = (content) => {
    const found = /^((?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?! ))*?) \/ (.*)$/s.exec(content);
    return found ? [found[1], found[2]] : [content, null];
  };

  /** Whether something runs on within the line. @param {CSSStyleDeclaration} style @returns {boolean} */
  const isInline = (style) => style.display === "inline" || style.display === "ruby";

  /** @param {Element} element @param {"::before" | "::after"} which @returns {string} */
  const pseudo = (element, which) => {
    const style = getComputedStyle(element, which);
    const { content } = style;
    if (content === "none" || content === "normal" || content === '""') return "";
    if (style.display === "none" || style.visibility !== "visible") return "";
    const [shown, instead] = split(content);
    const text =
      instead === null ? transformed(spoken(shown, element, false), style, element) : spoken(instead, element, true);
    return text && (instead !== null || !isInline(style)) ? ` ${text} ` : text;
  };

  /** The words for an element that CSS replaced by a picture. @param {Element} element @returns {string | null} */
  const replaced = (element) => {
    if (tree.firstChild(element) || !touched().has(element)) return null;
    const { content } = tree.style(element);
    if (!content || !/^(url|image|linear-gradient)/.test(content)) return null;
    const [, instead] = split(content);
    return instead === null ? null : spoken(instead, element, true);
  };

  return { fold, isInline, letterStyle, ofNode, pseudo, replaced, withoutGlyphs };
};
