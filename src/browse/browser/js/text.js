// @ts-check
/**
 * The text that a person sees: rendered text only, blocks on their own lines, no blank lines.
 * `innerText` knows layout but stops at shadow roots and at SVG, so what holds any of those is
 * walked by hand, down to the parts that hold none.
 * @param {Document | Element} root
 * @returns {string}
 */
(root) => {
  const UNSEEN = new Set("script style noscript template head iframe textarea desc metadata defs title".split(" "));
  const top = root instanceof Document ? root.body || root.documentElement : root;
  if (!(top instanceof Element)) return "";

  /** Elements with a shadow root somewhere below them. @type {Set<Node>} */
  const mixed = new Set();

  /** @param {Element | ShadowRoot} within */
  const findShadows = (within) => {
    const below = within.querySelectorAll("*");
    for (const element of within instanceof Element ? [within, ...below] : below) {
      if (!element.shadowRoot) continue;
      /** @type {Node | null} */
      let node = element;
      for (; node && !mixed.has(node); node = node.parentNode || (node instanceof ShadowRoot ? node.host : null))
        mixed.add(node);
      findShadows(element.shadowRoot);
    }
  };

  /** @param {Node} node @param {string[]} out @param {CSSStyleDeclaration} outer the parent's style */
  const walk = (node, out, outer) => {
    if (node instanceof Text) {
      if (outer.visibility !== "visible") return;
      const kept = outer.whiteSpaceCollapse.startsWith("preserve");
      out.push(kept ? node.data : node.data.replace(/\s+/g, " "));
      return;
    }
    if (!(node instanceof Element) || UNSEEN.has(node.localName)) return;
    if (node.localName === "br") {
      out.push("\n");
      return;
    }
    const style = getComputedStyle(node);
    if (style.display === "none") return;
    const block = !/^(inline|contents|table-cell)/.test(style.display);
    if (block) out.push("\n");
    if (node instanceof HTMLElement && !mixed.has(node) && node.localName !== "slot") {
      if (style.visibility === "visible" || node.children.length) out.push(node.innerText);
    } else for (const child of childrenOf(node)) walk(child, out, style);
    if (block) out.push("\n");
    else if (style.display === "table-cell") out.push("\t");
  };

  /** @param {Element} element @returns {Iterable<Node>} */
  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element instanceof HTMLSlotElement && element.assignedNodes().length) return element.assignedNodes();
    if (element instanceof HTMLDetailsElement && !element.open)
      return [...element.children].filter((child) => child.localName === "summary").slice(0, 1);
    return element.childNodes;
  };

  /** @returns {string} */
  const read = () => {
    if (!top.checkVisibility()) return "";
    findShadows(top);
    if (top instanceof HTMLElement && !mixed.has(top)) return top.innerText;
    /** @type {string[]} */
    const out = [];
    walk(top, out, getComputedStyle(top));
    return out.join("");
  };

  return read()
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n")
    .toWellFormed();
};
