/**
 * The page as a person sees it: what is rendered, in the order of the flat tree (shadow roots and slots in
 * place). What is only hidden from assistive technology stays, because a person sees it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const NEVER = new Set("script,style,noscript,template,head,title,meta,link,base".split(","));
  const SEEN = { visibilityProperty: true };
  const { checkVisibility } = Element.prototype;

  /** @param {Element} element Whether it, or something in it, may be seen. */
  const has = (element) => !NEVER.has(tree.tag(element)) && tree.isRendered(element);

  /** @param {Element} element Whether text that is directly in it is seen. */
  const shows = tree.remembered((/** @type {Element} */ element) => checkVisibility.call(element, SEEN));

  /** What is seen of an element's own text and elements, in order. @param {Element} element @returns {Node[]} */
  const children = (element) =>
    tree.children(element).filter((/** @type {Node} */ node) => {
      if (tree.isText(node)) return shows(tree.parent(node) || element) && !lib.hiddenText.isLeft(node);
      return tree.isElement(node) && has(/** @type {Element} */ (node));
    });

  /** All elements that fit a selector, the root itself and those in open shadow roots as well. */
  const all = (/** @type {Document | Element} */ root, /** @type {string} */ selector) => {
    /** @type {Element[]} */
    const found = [];
    /** @param {Document | Element | ShadowRoot} within */
    const collect = (within) => {
      for (const element of tree.all(within, "*")) take(element);
    };
    /** @param {Element} element */
    const take = (element) => {
      if (tree.fits(element, selector)) found.push(element);
      if (element.shadowRoot instanceof ShadowRoot) collect(element.shadowRoot);
    };
    if (tree.isElement(root)) take(/** @type {Element} */ (root));
    collect(root);
    return found;
  };

  /** @param {Element} element @returns {string} The text in it as it is rendered, without what is hidden there. */
  const text = (element) => {
    if (!(element instanceof HTMLElement)) return "";
    return lib.hiddenText.holds(element) ? lib.pageText(element)[0] : element.innerText;
  };

  /** @param {Element} element @returns {string} The words in it, on one line. */
  const words = (element) => lib.renderedText.fold(shows(element) ? text(element) : "").toWellFormed();

  /** @param {string} address @returns {string} As an absolute address; what is inside a data: URL is left out. */
  const address = (address) => {
    const whole = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
    return (/^data:/i.test(whole) ? `${whole.split(",")[0]},…` : whole).toWellFormed();
  };

  return { has, shows, children, all, text, words, address };
};
