/**
 * Every link with its words and its absolute address, those in open shadow roots as well. A link without
 * words, such as a picture, has its accessible name; a picture without one is still a link to somewhere.
 * @param {Document | Element} root
 * @param {{}} _
 * @param {Lib} lib
 * @returns {{text: string, href: string}[]}
 */
export default (root, _, lib) => {
  const { tree, names, addressing, visibility, visibleContent } = lib;
  const PICTURES = "img, svg, picture, canvas, video, object";
  const MAX_CHARS = 120;

  /**
   * What a link is called where it has no words that are seen, unless that speaks to a program.
   * @param {Element} link
   */
  const called = (link) => {
    const name = names.of(link) || link.textContent?.trim() || "";
    return visibility.holdsLeftOut(link) || addressing.isAddressed(name) ? "(hidden)" : name;
  };
  /** @param {Element} link */
  const words = (link) =>
    visibleContent.text(link).trim() || called(link) || (tree.list(link, PICTURES).length ? "(image)" : "");
  /** @param {Element} link */
  const address = (link) => {
    if (link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) return link.href;
    return tree.absolute(tree.attr(link, "href") || "");
  };

  /** @type {{text: string, href: string}[]} */
  const found = [];
  /** @param {Document | Element | ShadowRoot} within */
  const collect = (within) => {
    for (const element of tree.list(within, "*")) {
      if (tree.fits(element, "a[href], area[href]")) {
        const text = words(element).replace(lib.patterns.blanks, " ").trim().slice(0, MAX_CHARS).toWellFormed();
        const href = address(element).toWellFormed();
        if (text && href) found.push({ text, href });
      }
      const shadow = tree.shadowRoot(element);
      if (shadow) collect(shadow);
    }
  };
  collect(root);
  return found;
};
