// @ts-check
/**
 * Which elements can have words in `::before` or `::after`. Asking for the style of a pseudo-element costs as much
 * as all else about an element, and few have one, so the style sheets are asked first.
 * @param {any} lib
 */
(lib) => {
  const { tree } = lib;
  // More selectors than this (a font of icons) cost more to match than styles cost to read.
  const MANY = 40;
  const PSEUDO = /::?(before|after)\b/gi;

  /** @typedef {{everywhere: boolean, selectors: string[]}} Found */

  /** @param {any} sheet @param {string} above @param {Found} found */
  const readSheet = (sheet, above, found) => {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      // A sheet of another origin keeps its rules to itself.
      found.everywhere = true;
      return;
    }
    for (const rule of rules || []) {
      if (found.everywhere) return;
      readRule(rule, above, found);
    }
  };

  /** @param {any} rule @param {string} above @param {Found} found */
  const readRule = (rule, above, found) => {
    const own = rule.selectorText;
    if (own === undefined) {
      if (rule.styleSheet) readSheet(rule.styleSheet, above, found);
      else if (rule.cssRules) readSheet(rule, above, found);
      return;
    }
    const selector = above ? nested(own, above) : own;
    const isWorded = /:(before|after)\b/i.test(own) && !/^(none|normal)?$/.test(rule.style.getPropertyValue("content"));
    if (isWorded) add(selector, found);
    if (rule.cssRules && rule.cssRules.length) readSheet(rule, selector, found);
  };

  /** @param {string} own @param {string} above */
  const nested = (own, above) => (own.includes("&") ? own.replaceAll("&", `:is(${above})`) : `:is(${above}) ${own}`);

  /** @param {string} selector @param {Found} found */
  const add = (selector, found) => {
    const whole = selector.replace(/(^|[\s,>+~(])::?(before|after)\b/gi, "$1*").replace(PSEUDO, "");
    if (/:host|::slotted|::part/.test(whole) || found.selectors.length >= MANY) found.everywhere = true;
    else found.selectors.push(whole);
  };

  /** @type {(root: Document | ShadowRoot) => {has: (element: Element) => boolean}} */
  const within = tree.remembered((root) => {
    /** @type {Found} */
    const found = { everywhere: false, selectors: ["q"] };
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) readSheet(sheet, "", found);
    if (found.everywhere) return { has: () => true };
    try {
      return new Set(tree.all(root, found.selectors.join(",")));
    } catch {
      return { has: () => true };
    }
  });

  /** @param {Element} element @returns {boolean} */
  const may = (element) => {
    if (tree.roots().length === 1) return within(document).has(element);
    const root = tree.root(element);
    return root === document || root instanceof ShadowRoot ? within(root).has(element) : false;
  };

  return { may };
};
