/**
 * The page as a person sees it: what is rendered, in the order of the flat tree (shadow roots and slots in
 * place). What is only hidden from assistive technology stays, because a person sees it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, visibility, renderedText } = lib;

  /**
   * What is seen of an element's own texts and elements, in order.
   * @param {Element} element @returns {(Text | Element)[]}
   */
  const children = (element) => {
    /** @type {(Text | Element)[]} */
    const found = [];
    for (const node of tree.children(element))
      if (tree.isText(node)) {
        if (visibility.showsText(tree.parent(node) || element) && !visibility.isLeftOut(node)) found.push(node);
      } else if (tree.isElement(node) && visibility.isRendered(node)) found.push(node);
    return found;
  };

  /**
   * All elements that fit a selector, the root itself and those in open shadow roots as well.
   * @param {Document | Element} root @param {string} selector @returns {Element[]}
   */
  const all = (root, selector) => {
    /** @type {Element[]} */
    const found = [];
    if (tree.roots().length === 1) {
      if (tree.isElement(root) && tree.fits(root, selector)) found.push(root);
      return found.concat(tree.all(root, selector));
    }
    /** @param {Document | Element | ShadowRoot} within */
    const collect = (within) => {
      for (const element of tree.all(within, "*")) take(element);
    };
    /** @param {Element} element */
    const take = (element) => {
      if (tree.fits(element, selector)) found.push(element);
      const shadow = tree.shadowRoot(element);
      if (shadow) collect(shadow);
    };
    if (tree.isElement(root)) take(root);
    collect(root);
    return found;
  };

  /**
   * The text in an element as it is rendered, without what is hidden there.
   * @param {Element} element @returns {string}
   */
  const text = (element) => {
    if (lib.shownValues.isInSecret(element)) return "";
    if (element instanceof HTMLElement && !lib.shownValues.isUntold(element)) return element.innerText;
    return lib.pageText(element).parts[0];
  };

  /** The words in an element, on one line. @param {Element} element @returns {string} */
  const words = (element) => renderedText.fold(visibility.isShown(element) ? text(element) : "").toWellFormed();

  /** An absolute address; what is inside a data: URL is left out. @param {string} written @returns {string} */
  const address = (written) => {
    const whole = tree.absolute(written);
    return (/^data:/i.test(whole) ? `${whole.split(",")[0]},…` : whole).toWellFormed();
  };

  return { children, all, text, words, address };
};
