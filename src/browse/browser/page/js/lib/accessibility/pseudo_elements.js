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

  /** @param {string} selector @returns {string} A selector of the elements themselves. */
  const bearer = (selector) => selector.replace(/(^|[\s,>+~(])::?(before|after)\b/gi, "$1*").replace(PSEUDO, "");

  /** @type {(root: Document | ShadowRoot) => {has: (element: Element) => boolean}} */
  const within = tree.remembered((root) => {
    const { rules } = styleRules.of(root);
    if (!rules) return styleRules.EVERYTHING;
    const worded = rules.filter(isWorded).map((/** @type {{selector: string}} */ { selector }) => bearer(selector));
    return styleRules.fitting(root, ["q", ...worded]);
  });

  /** @param {Element} element @returns {boolean} */
  const may = (element) => {
    if (tree.roots().length === 1) return within(document).has(element);
    const root = tree.root(element);
    return root === document || root instanceof ShadowRoot ? within(root).has(element) : false;
  };

  return { may };
};
