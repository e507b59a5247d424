/**
 * Which elements can have words in `::before` or `::after`.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleRules } = lib;
  const PSEUDO = /::?(before|after)\b/gi;

  /** @param {{selector: string, style: CSSStyleDeclaration}} rule */
  const isWorded = ({ selector, style }) =>
    /:(before|after)\b/i.test(selector) && !/^(none|normal)?$/.test(style.getPropertyValue("content"));

  /** A selector of the elements themselves. @param {string} selector @returns {string} */
  const bearer = (selector) => selector.replace(/(^|[\s,>+~(])::?(before|after)\b/gi, "$1*").replace(PSEUDO, "");

  /** @type {(root: Document | ShadowRoot) => ElementSet} */
  const within = tree.remembered((root) => {
    const { rules } = styleRules.of(root);
    if (!rules) return styleRules.EVERYTHING;
    const worded = rules.filter(isWorded).map(({ selector }) => bearer(selector));
    return styleRules.fitting(root, ["q", ...worded]);
  });

  /** @param {Element} element @returns {boolean} */
  const mayHaveWords = (element) => {
    if (tree.roots().length === 1) return within(document).has(element);
    const root = tree.root(element);
    return root instanceof Document || root instanceof ShadowRoot ? within(root).has(element) : false;
  };

  return { mayHaveWords };
};
