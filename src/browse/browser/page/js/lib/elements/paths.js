/**
 * Ways to elements that lead to the same ones in a document that was loaded again: one selector for each root on the
 * way, from the document into open shadow roots.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const { attr, list, parentNode, isElement } = tree;

  /** @param {Document | ShadowRoot} root @param {string} selector @param {Element} element */
  const finds = (root, selector, element) => {
    const found = list(root, selector);
    return found.length === 1 && found[0] === element;
  };

  /** An element among its siblings of one kind. @param {Element} element @returns {string} */
  const step = (element) => {
    const name = tree.localName(element);
    const above = parentNode(element);
    const siblings = above ? tree.nodesIn(above).filter(isElement) : [element];
    const alike = siblings.filter((it) => tree.localName(it) === name);
    return `${CSS.escape(name)}:nth-of-type(${alike.indexOf(element) + 1})`;
  };

  /** @param {Document | ShadowRoot} root @param {Element} element @returns {string} */
  const within = (root, element) => {
    /** @type {string[]} */
    const steps = [];
    for (let node = /** @type {Node | null} */ (element); node && isElement(node); node = parentNode(node)) {
      const id = attr(node, "id");
      if (id && finds(root, `#${CSS.escape(id)}`, node)) return [`#${CSS.escape(id)}`, ...steps].join(" > ");
      steps.unshift(step(node));
    }
    return steps.join(" > ");
  };

  /** The way to an element; null where there is none. @param {Element} element @returns {string[] | null} */
  const of = (element) => {
    /** @type {string[]} */
    const way = [];
    for (let node = element; ; ) {
      const root = tree.root(node);
      if (!(root instanceof Document) && !(root instanceof ShadowRoot && root.mode === "open")) return null;
      const selector = within(root, node);
      if (!finds(root, selector, node)) return null;
      way.unshift(selector);
      if (root instanceof Document) return way;
      node = root.host;
    }
  };

  /** The one element at the end of a way, if there is one. @param {string[]} way @returns {Element | null} */
  const find = (way) => {
    /** @type {Document | ShadowRoot | null} */
    let root = document;
    /** @type {Element | null} */
    let element = null;
    for (const selector of way) {
      const found = root ? list(root, selector) : [];
      if (found.length !== 1) return null;
      element = found[0];
      root = tree.shadowRoot(element);
    }
    return element;
  };

  return { of, find };
};
