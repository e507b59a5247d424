/**
 * The words that a page shows: text as CSS transforms it, and the content of `::before` and `::after`.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, appearance } = lib;
  const CONTENT_ITEM = /"((?:[^"\\]|\\.)*)"|([a-z-]+)\(((?:[^()"]|"[^"]*")*)\)|[a-z-]+/gi;
  const BULLET = "•";
  const QUOTES = { open: "“", close: "”" };

  // The cheaper question first: most texts are as they should be.
  const LOOSE = /[\t\n\f\r\v]| {2}|^\s|\s$/;
  /** @param {string} text */
  const fold = (text) => (LOOSE.test(text) ? text.replace(/[ \t\n\f\r\v]+/g, " ").trim() : text);

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

  /** @param {Text} node @param {Element} element The element that it is in. */
  const ofNode = (node, element) => {
    const text = node.data;
    if (!text.trim()) return text;
    const { style } = appearance.writing(element);
    return style ? transformed(text, style, element) : text;
  };

  /** Values of the page's counters where each element's pseudo-elements stand, without nested scopes. */
  const counters = tree.once(() => {
    const values = new Map();
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

  /** @param {string} content @returns {[string, string | null]} What is shown, and the words to say instead. */
  const split = (content) => {
    const found = /^((?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?! ))*?) \/ (.*)$/s.exec(content);
    return found ? [found[1], found[2]] : [content, null];
  };

  /** @param {CSSStyleDeclaration} style @returns {boolean} Whether it runs on within the line. */
  const isInline = (style) => style.display === "inline" || style.display === "ruby";

  /** @param {Element} element @param {"::before" | "::after"} which */
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

  /** @param {Element} element @returns {string | null} The words for an element that CSS replaced by a picture. */
  const replaced = (element) => {
    if (tree.firstChild(element) || !appearance.isTouched(element)) return null;
    const { content } = tree.style(element);
    if (!content || !/^(url|image|linear-gradient)/.test(content)) return null;
    const [, instead] = split(content);
    return instead === null ? null : spoken(instead, element, true);
  };

  return { fold, ofNode, pseudo, replaced, isInline };
};
