/**
 * The text that a person sees: rendered text only, blocks on their own lines, no blank lines.
 * `innerText` knows layout but stops at shadow roots, at frames and at SVG, and knows nothing of words that are hidden
 * there, so what holds any of those is walked by hand, down to the parts that hold none. Gives the parts between the frames that `onFrame` was told
 * of; a single part where there are none or nobody asks.
 * @param {Lib} lib
 * @returns {(root: Document | Element, onFrame?: (frame: Element) => void) => string[]}
 */
export default (lib) => (root, onFrame) => {
  const { hiddenText } = lib;
  const LEAST_PX = 3;
  const UNSEEN = new Set("script style noscript template head iframe textarea desc metadata defs title".split(" "));
  const top = root instanceof Document ? root.body || root.documentElement : root;
  if (!(top instanceof Element)) return [""];

  /** Elements with a shadow root, a frame or hidden words somewhere below them. @type {Set<Node>} */
  const mixed = new Set();
  /** The texts before, between and after the frames. @type {string[][]} */
  const parts = [[]];

  /** @param {Node} node Whether it is a frame that is large enough to be read. */
  const isFrame = (node) => {
    if (!onFrame || !(node instanceof HTMLIFrameElement || node instanceof HTMLFrameElement)) return false;
    const { width, height } = node.getBoundingClientRect();
    return width >= LEAST_PX && height >= LEAST_PX && lib.visibleContent.shows(node);
  };

  /** Whether the page has any of those: to look for them takes as long as to read it. */
  const isMixed = () =>
    lib.tree.roots().length > 1 || hiddenText.found().texts.size > 0 || (onFrame && lib.tree.list(document, "iframe, frame").length > 0);

  /** @param {Element | ShadowRoot} within */
  const findMixed = (within) => {
    const below = within.querySelectorAll("*");
    for (const element of within instanceof Element ? [within, ...below] : below) {
      if (!element.shadowRoot && !hiddenText.holds(element) && !isFrame(element)) continue;
      /** @type {Node | null} */
      let node = element;
      for (; node && !mixed.has(node); node = node.parentNode || (node instanceof ShadowRoot ? node.host : null))
        mixed.add(node);
      if (element.shadowRoot) findMixed(element.shadowRoot);
    }
  };

  /** @typedef {{node: Node | null, outer: CSSStyleDeclaration, after: string}} Step A node in its parent's style, or what stands after one. */

  /** @param {Element} start Without recursion: pages nest deeper than the engine's own stack reaches. */
  const walk = (start) => {
    /** @type {Step[]} */
    const steps = [{ node: start, outer: getComputedStyle(start), after: "" }];
    while (steps.length) {
      const step = /** @type {Step} */ (steps.pop());
      if (step.node) visit(step.node, step.outer, steps);
      else parts[parts.length - 1].push(step.after);
    }
  };

  /** @param {Node} node @param {CSSStyleDeclaration} outer @param {Step[]} steps */
  const visit = (node, outer, steps) => {
    const out = parts[parts.length - 1];
    if (node instanceof Text) {
      if (outer.visibility !== "visible" || hiddenText.isLeft(node)) return;
      const kept = outer.whiteSpaceCollapse.startsWith("preserve");
      out.push(kept ? node.data : node.data.replace(/\s+/g, " "));
      return;
    }
    if (onFrame && mixed.has(node) && isFrame(node)) {
      onFrame(/** @type {Element} */ (node));
      parts.push([]);
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
    steps.push({ node: null, outer: style, after: block ? "\n" : style.display === "table-cell" ? "\t" : "" });
    if (node instanceof HTMLElement && !mixed.has(node) && node.localName !== "slot") {
      if (style.visibility === "visible" || node.children.length) out.push(node.innerText);
      return;
    }
    for (const child of [...childrenOf(node)].reverse()) steps.push({ node: child, outer: style, after: "" });
  };

  /** @param {Element} element @returns {Iterable<Node>} */
  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element instanceof HTMLSlotElement && element.assignedNodes().length) return element.assignedNodes();
    if (element instanceof HTMLDetailsElement && !element.open)
      return [...element.children].filter((child) => child.localName === "summary").slice(0, 1);
    return element.childNodes;
  };

  const read = () => {
    if (!top.checkVisibility()) return;
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
