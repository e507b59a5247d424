// @ts-check
/**
 * The text that a person sees: rendered text only, blocks on their own lines, no blank lines.
 * `innerText` knows layout but stops at shadow roots, so a document with any is walked by hand.
 * @param {Document | Element} root
 * @returns {string}
 */
(root) => {
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "IFRAME"]);
  const top = root instanceof Document ? root.body || root.documentElement : root;
  if (!(top instanceof Element)) return "";

  /** @param {ParentNode} within */
  const hasShadow = (within) => [...within.querySelectorAll("*")].some((element) => element.shadowRoot);

  /** @param {Node} node @param {string[]} out */
  const walk = (node, out) => {
    if (node instanceof Text) {
      out.push(node.data.replace(/\s+/g, " "));
      return;
    }
    if (!(node instanceof Element) || SKIPPED.has(node.tagName)) return;
    if (node.tagName === "BR") {
      out.push("\n");
      return;
    }
    const style = getComputedStyle(node);
    if (style.display === "none" || style.visibility !== "visible") return;
    const block = !/^(inline|contents|table-cell)/.test(style.display);
    if (block) out.push("\n");
    for (const child of childrenOf(node)) walk(child, out);
    if (block) out.push("\n");
    else if (style.display === "table-cell") out.push("\t");
  };

  /** @param {Element} element @returns {Iterable<Node>} */
  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element instanceof HTMLSlotElement && element.assignedNodes().length) return element.assignedNodes();
    return element.childNodes;
  };

  /** @returns {string} */
  const read = () => {
    if (!(top instanceof HTMLElement)) return top.textContent || "";
    if (!top.checkVisibility({ visibilityProperty: true })) return "";
    if (!top.shadowRoot && !hasShadow(top)) return top.innerText;
    const out = [];
    walk(top, out);
    return out.join("");
  };

  return read()
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n")
    .toWellFormed();
};
