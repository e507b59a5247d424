/**
 * The text that a person sees: rendered text only, blocks on their own lines, no blank lines.
 * `innerText` knows layout but stops at shadow roots, at frames and at SVG, and knows nothing of words that are hidden
 * there, so what holds any of those is walked by hand, down to the parts that hold none. Gives the parts between the
 * frames that `onFrame` was told of; a single part where there are none or nobody asks.
 * @param {Lib} lib
 * @returns {(root: Document | Element, onFrame?: (frame: Element) => void) => string[]}
 */
export default (lib) => (root, onFrame) => {
  const { tree, visibility } = lib;
  const SKIPPED = new Set("script style noscript template head iframe textarea desc metadata defs title".split(" "));
  const top = root instanceof Document ? root.body || root.documentElement : root;
  if (!(top instanceof Element)) return [""];

  /** Elements with a shadow root, a frame or hidden words somewhere below them. @type {Set<Node>} */
  const mixed = new Set();
  /** The texts before, between and after the frames. @type {string[][]} */
  const parts = [[]];

  /** Whether a node is a frame that is large enough to be read. @param {Node} node @returns {node is Element} */
  const isFrame = (node) => {
    if (!onFrame || !(node instanceof HTMLIFrameElement || node instanceof HTMLFrameElement)) return false;
    return visibility.isReadableFrame(node);
  };

  /** Whether the page has any of those: to look for them takes as long as to read it. */
  const isMixed = () => {
    if (tree.roots().length > 1 || visibility.isAnyLeftOut()) return true;
    return onFrame !== undefined && tree.list(document, "iframe, frame").length > 0;
  };

  /** @param {Element | ShadowRoot} within */
  const findMixed = (within) => {
    const below = tree.list(within, "*");
    for (const element of within instanceof Element ? [within, ...below] : below) {
      const shadow = tree.shadowRoot(element);
      if (!shadow && !visibility.holdsLeftOut(element) && !isFrame(element)) continue;
      /** @type {Node | null} */
      let node = element;
      for (; node && !mixed.has(node); node = tree.parentNode(node) || (node instanceof ShadowRoot ? node.host : null))
        mixed.add(node);
      if (shadow) findMixed(shadow);
    }
  };

  /**
   * @typedef {{node: Node | null, outer: CSSStyleDeclaration, after: string}} Step A node in its parent's style, or
   *   what stands after one.
   */

  /** Without recursion: pages nest deeper than the engine's own stack reaches. @param {Element} start */
  const walk = (start) => {
    /** @type {Step[]} */
    const steps = [{ node: start, outer: tree.style(start), after: "" }];
    for (let step = steps.pop(); step; step = steps.pop()) {
      if (step.node) visit(step.node, step.outer, steps);
      else parts[parts.length - 1].push(step.after);
    }
  };

  /** @param {Node} node @param {CSSStyleDeclaration} outer @param {Step[]} steps */
  const visit = (node, outer, steps) => {
    const out = parts[parts.length - 1];
    if (node instanceof Text) {
      if (outer.visibility !== "visible" || visibility.isLeftOut(node)) return;
      const isPreserved = outer.whiteSpaceCollapse.startsWith("preserve");
      out.push(isPreserved ? node.data : node.data.replace(lib.patterns.blanks, " "));
      return;
    }
    if (onFrame && mixed.has(node) && isFrame(node)) {
      onFrame(node);
      parts.push([]);
      return;
    }
    if (!(node instanceof Element)) return;
    const name = tree.localName(node);
    if (name === "br") out.push("\n");
    else if (!SKIPPED.has(name)) visitElement(node, name, out, steps);
  };

  /** @param {Element} element @param {string} name @param {string[]} out @param {Step[]} steps */
  const visitElement = (element, name, out, steps) => {
    const style = tree.style(element);
    if (style.display === "none") return;
    const isBlock = !/^(inline|contents|table-cell)/.test(style.display);
    if (isBlock) out.push("\n");
    steps.push({ node: null, outer: style, after: isBlock ? "\n" : style.display === "table-cell" ? "\t" : "" });
    if (element instanceof HTMLElement && !mixed.has(element) && name !== "slot") {
      if (style.visibility === "visible" || element.children.length) out.push(element.innerText);
      return;
    }
    for (const child of childrenOf(element).reverse()) steps.push({ node: child, outer: style, after: "" });
  };

  /** @param {Element} element @returns {Node[]} */
  const childrenOf = (element) => {
    const shadow = tree.shadowRoot(element);
    if (shadow) return [...tree.nodesIn(shadow)];
    if (element instanceof HTMLSlotElement && element.assignedNodes().length) return element.assignedNodes();
    if (element instanceof HTMLDetailsElement && !element.open)
      return tree
        .elementsIn(element)
        .filter((child) => tree.localName(child) === "summary")
        .slice(0, 1);
    return [...tree.nodesIn(element)];
  };

  const read = () => {
    if (!Element.prototype.checkVisibility.call(top)) return;
    if (isMixed()) findMixed(top);
    if (top instanceof HTMLElement && !mixed.has(top)) parts[0].push(top.innerText);
    else walk(top);
  };

  /** @param {string} text */
  const tidied = (text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .join("\n")
      .toWellFormed();

  read();
  return parts.map((texts) => tidied(texts.join("")));
};
