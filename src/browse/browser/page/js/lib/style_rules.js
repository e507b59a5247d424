/**
 * The rules of a page's style sheets, with whole selectors. Asking for the style of an element costs as much as all else
 * about it, and few elements have anything to tell, so the sheets are asked first.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const STYLE_RULE = 1;

  /** @typedef {{selector: string, style: CSSStyleDeclaration}} Rule */

  /** @param {string} own @param {string} above */
  const nested = (own, above) => (own.includes("&") ? own.replaceAll("&", `:is(${above})`) : `:is(${above}) ${own}`);

  /**
   * Adds the rules of a sheet or of a group of rules. @param {any} group @param {string} above @param {Rule[]} found
   * @param {number} most @returns {boolean} Whether all of them could be read.
   */
  const read = (group, above, found, most) => {
    let rules;
    try {
      rules = group.cssRules || [];
    } catch {
      return false; // a sheet of another origin keeps its rules to itself
    }
    for (let at = 0; at < rules.length; at += 1) {
      if (found.length > most || !readRule(rules[at], above, found, most)) return false;
    }
    return true;
  };

  /** @param {any} rule @param {string} above @param {Rule[]} found @param {number} most @returns {boolean} */
  const readRule = (rule, above, found, most) => {
    if (rule.type === STYLE_RULE) {
      const selector = above ? nested(rule.selectorText, above) : rule.selectorText;
      found.push({ selector, style: rule.style });
      return !rule.cssRules.length || read(rule, selector, found, most);
    }
    if (rule.cssRules) return read(rule, above, found, most);
    if (rule.styleSheet) return read(rule.styleSheet, above, found, most);
    // Declarations after a nested rule.
    if (above && rule.style) found.push({ selector: above, style: rule.style });
    return true;
  };

  /**
   * All rules of a root, or null when they cannot be told: a sheet of another origin, or more rules than there are
   * elements, whose styles then are the quicker to read.
   * @type {(root: Document | ShadowRoot) => {rules: Rule[] | null}}
   */
  const of = tree.remembered((root) => {
    /** @type {Rule[]} */
    const rules = [];
    const most = tree.list(root, "*").length;
    const known = [...root.styleSheets, ...root.adoptedStyleSheets].every((sheet) => read(sheet, "", rules, most));
    return { rules: known ? rules : null };
  });

  // More selectors than this cost more to match than styles cost to read.
  const MANY = 40;
  const FOREIGN = /:host|::slotted|::part|:scope/;
  const EVERYTHING = { has: () => true, size: Infinity };

  /**
   * The elements that some of the selectors fit; all elements when that cannot be told.
   * @param {Document | ShadowRoot} root @param {string[]} selectors @returns {{has: (element: Element) => boolean, size: number}}
   */
  const fitting = (root, selectors) => {
    if (selectors.length > MANY || selectors.some((it) => FOREIGN.test(it))) return EVERYTHING;
    try {
      return new Set(tree.list(root, selectors.join(",")));
    } catch {
      return EVERYTHING;
    }
  };

  /** @param {CSSStyleDeclaration} style @param {Map<string, RegExp>} harmless */
  const matters = (style, harmless) => {
    for (let at = 0; at < style.length; at += 1) {
      const value = harmless.get(style[at]);
      if (value && !value.test(style.getPropertyValue(style[at]))) return true;
    }
    return false;
  };

  /** @param {string} selector */
  const isOfPseudos = (selector) => selector.split(",").every((part) => /::|:(before|after)\b/.test(part));
  const DRAWN = ["svg", "svg *", "math", "math *"];

  /**
   * The elements whose own style has to be read: those that a rule may have given a property that matters, those that
   * are styled without a rule, what is drawn, and what is animated.
   * @param {Map<string, RegExp>} harmless The properties that matter, and the values with which they do not.
   * @param {string[]} others Selectors of what is styled without a rule.
   */
  const touched = (harmless, others) => {
    if (tree.roots().length > 1) return EVERYTHING; // they style each other's hosts, parts and slots
    const { rules } = of(document);
    if (!rules) return EVERYTHING;
    const selectors = tree.list(document, "svg, math").length ? [...others, ...DRAWN] : [...others];
    for (const { selector, style } of rules)
      if (!isOfPseudos(selector) && matters(style, harmless)) selectors.push(selector);
    const found = fitting(document, selectors);
    const animated = document.getAnimations().map((it) => /** @type {any} */ (it.effect)?.target);
    return found === EVERYTHING ? found : new Set([...found, ...animated]);
  };

  // Properties that say in part what others say as well.
  const ALIKE = new Map([
    ["-webkit-mask-image", "mask-image"], ["background-color", "color"],
    ["fill", "color"], ["fill-opacity", "color"], ["overflow-y", "overflow-x"], ["animation-name", "opacity"], 
    ["translate", "transform"], ["scale", "transform"], ["rotate", "transform"],
  ]);

  /**
   * Which of some properties are set at all, other than harmlessly, by a rule or on an element itself.
   * @param {Map<string, RegExp>} harmless @returns {{has: (name: string) => boolean}}
   */
  const used = (harmless) => {
    const found = new Set();
    const take = (/** @type {CSSStyleDeclaration} */ style) => {
      for (let at = 0; at < style.length; at += 1) {
        const name = ALIKE.get(style[at]) || style[at];
        const value = found.has(name) ? null : harmless.get(style[at]);
        if (value && !value.test(style.getPropertyValue(style[at]))) found.add(name);
      }
    };
    if (document.getAnimations().length || tree.list(document, "svg text, font, [bgcolor], body[text]").length) return EVERYTHING;
    for (const root of tree.roots()) {
      const { rules } = of(root);
      if (!rules) return EVERYTHING;
      for (const { style } of rules) take(style);
      for (const element of tree.list(root, "[style]")) take(element.style);
    }
    return found;
  };

  return { of, fitting, touched, used, EVERYTHING };
};
