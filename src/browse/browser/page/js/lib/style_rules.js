/**
 * The rules of a page's style sheets, with whole selectors. Asking for the style of an element costs as much as all
 * else about it, and few elements have anything to tell, so the sheets are asked first.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const STYLE_RULE = 1;

  /** @typedef {{selector: string, style: CSSStyleDeclaration}} Rule */
  /**
   * Any rule, with what those of some kinds have.
   * @typedef {CSSRule & {selectorText?: string, style?: CSSStyleDeclaration, cssRules?: CSSRuleList,
   *   styleSheet?: CSSStyleSheet | null}} AnyRule
   */

  /** @param {string} own @param {string} above */
  const nested = (own, above) => (own.includes("&") ? own.replaceAll("&", `:is(${above})`) : `:is(${above}) ${own}`);

  /**
   * Add the rules of a sheet or of a group of rules.
   * @param {{cssRules?: CSSRuleList}} group @param {string} above @param {Rule[]} found @param {number} most
   * @returns {boolean} Whether all of them could be read.
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

  /** @param {AnyRule} rule @param {string} above @param {Rule[]} found @param {number} most @returns {boolean} */
  const readRule = (rule, above, found, most) => {
    if (rule.type === STYLE_RULE && rule.selectorText && rule.style) {
      const selector = above ? nested(rule.selectorText, above) : rule.selectorText;
      found.push({ selector, style: rule.style });
      return !rule.cssRules?.length || read(rule, selector, found, most);
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
  const MAX_SELECTORS = 40;
  const FOREIGN = /:host|::slotted|::part|:scope/;
  /** @type {ElementSet} */
  const EVERYTHING = { has: () => true, size: Infinity };

  /**
   * The elements that some of the selectors fit; all elements when that cannot be told.
   * @param {Document | ShadowRoot} root @param {string[]} selectors @param {Iterable<Element>} [others]
   * @returns {ElementSet}
   */
  const fitting = (root, selectors, others = []) => {
    if (selectors.length > MAX_SELECTORS || selectors.some((it) => FOREIGN.test(it))) return EVERYTHING;
    try {
      return new Set([...tree.list(root, selectors.join(",")), ...others]);
    } catch {
      return EVERYTHING;
    }
  };

  /** @param {string} selector */
  const isOfPseudos = (selector) => selector.split(",").every((part) => /::|:(before|after)\b/.test(part));
  const DRAWN = ["svg", "svg *", "math", "math *"];
  // What sets colours without a rule.
  const COLOURED = "svg text, font, [bgcolor], body[text]";

  /** Elements that an animation has changed or may change. @returns {Element[]} */
  const animated = () =>
    document.getAnimations().flatMap(({ effect }) => {
      const target = effect instanceof KeyframeEffect ? effect.target : null;
      return target ? [target] : [];
    });

  /**
   * Properties that matter, each with the group that it belongs to and the values with which it does not matter after
   * all.
   * @typedef {Map<string, {group: string, harmless: RegExp}>} PropertyTable
   */

  /**
   * Look for properties of a table in all rules, once a run.
   * @param {PropertyTable} table @param {Map<string, string>} [aliases] Properties that say in part what others say.
   */
  const search = (table, aliases = new Map()) => {
    /** @param {CSSStyleDeclaration} style @param {(name: string, group: string) => void} take */
    const eachThatMatters = (style, take) => {
      for (let at = 0; at < style.length; at += 1) {
        const row = table.get(style[at]);
        if (row && !row.harmless.test(style.getPropertyValue(style[at]))) take(style[at], row.group);
      }
    };

    const found = tree.once(() => {
      /** @type {Map<string, string[]>} */
      const selectors = new Map();
      /** @type {Set<string>} */
      const properties = new Set();
      for (const root of tree.roots()) {
        const { rules } = of(root);
        if (!rules) return { isKnown: false, selectors, properties };
        for (const { selector, style } of rules) {
          const groups = new Set();
          eachThatMatters(style, (name, group) => {
            properties.add(aliases.get(name) || name);
            groups.add(group);
          });
          if (!groups.size || isOfPseudos(selector)) continue;
          for (const group of groups) selectors.set(group, [...(selectors.get(group) || []), selector]);
        }
      }
      return { isKnown: true, selectors, properties };
    });

    /**
     * The elements whose own style has to be read: those that a rule may have given a property of some groups, those
     * that are styled without a rule, what is drawn, and what is animated.
     * @param {string[]} groups @param {string[]} others Selectors of what is styled without a rule.
     * @returns {ElementSet}
     */
    const touched = (groups, others) => {
      if (tree.roots().length > 1) return EVERYTHING; // they style each other's hosts, parts and slots
      const { isKnown, selectors } = found();
      if (!isKnown) return EVERYTHING;
      const drawn = tree.list(document, "svg, math").length ? DRAWN : [];
      const styled = new Set(groups.flatMap((group) => selectors.get(group) || []));
      return fitting(document, [...others, ...drawn, ...styled], animated());
    };

    /** The properties that rules set at all, other than harmlessly. @returns {Properties} */
    const declared = () => {
      const { isKnown, properties } = found();
      return isKnown && !document.getAnimations().length ? properties : EVERY_PROPERTY;
    };

    /**
     * The properties that are set at all, other than harmlessly, by a rule or on an element itself.
     * @returns {Properties}
     */
    const used = () => {
      const { isKnown, properties } = found();
      if (!isKnown || document.getAnimations().length || tree.list(document, COLOURED).length) return EVERY_PROPERTY;
      const all = new Set(properties);
      for (const root of tree.roots())
        for (const element of tree.list(root, "[style]"))
          eachThatMatters(/** @type {HTMLElement} */ (element).style, (name) => all.add(aliases.get(name) || name));
      return all;
    };

    return { touched, declared, used };
  };

  /** @type {Properties} */
  const EVERY_PROPERTY = { has: () => true };

  return { of, fitting, search, EVERYTHING, EVERY_PROPERTY };
};
