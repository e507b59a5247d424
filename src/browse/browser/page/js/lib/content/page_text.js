/**
 * The text that a person sees: rendered text only, blocks on their own lines, no blank lines; what fields hold is part
 * of it, and lines of code keep their indentation.
 * `innerText` knows layout but stops at shadow roots, at frames, at fields and at SVG, and knows nothing of words that
 * are hidden there, so what holds any of those is walked by hand, down to the parts that hold none. Gives the parts
 * between the frames that `onFrame` was told of; a single part where there are none or nobody asks. With `room`, no
 * more is read than will be shown, a short text as a whole, and `isCut` says that there is more.
 * @param {Lib} lib
 */
export default (lib) =>
  /** @param {Document | Element} root @param {(frame: Element) => void} [onFrame] @param {number} [room] */
  (root, onFrame, room = 0) => {
    const { tree, visibility, hiddenText, shownValues } = lib;
    // Longer than this, an element is read piece by piece where not all of it will be shown.
    const MAX_PIECE_CHARS = 10_000;
    const SKIPPED = new Set("script style noscript template head iframe desc metadata defs title".split(" "));
    const NBSP = /\u00a0/g;
    const top = root instanceof Document ? root.body || root.documentElement : root;
    if (!(top instanceof Element)) return { parts: [""], isCut: false };
    let left = room ? Math.max(room, MAX_PIECE_CHARS) : Infinity;
    let isCut = false;
    if (room) hiddenText.readOnly(root, left + 2 * MAX_PIECE_CHARS);

    /** The texts before, between and after the frames. @type {string[][]} */
    const parts = [[]];

    /** Whether a node is a frame that is large enough to be read. @param {Node} node @returns {node is Element} */
    const isFrame = (node) => {
      if (!onFrame || !(node instanceof HTMLIFrameElement || node instanceof HTMLFrameElement)) return false;
      return visibility.isReadableFrame(node);
    };

    /** Add words, with the blanks around them as the lines have it. @param {string} text @param {boolean} [isLoose] */
    const put = (text, isLoose = false) => {
      const out = parts[parts.length - 1];
      const isAfterBlank = !out.length || /\s$/.test(out[out.length - 1]);
      const words = isLoose && isAfterBlank ? text.replace(/^[ \t\n]+/, "") : text;
      if (words) out.push(words);
      left -= words.trim().length;
    };

    /** Whether an element is to be read piece by piece. @param {Element} element */
    const isLong = (element) =>
      room > 0 && (hiddenText.isBeyond(element) || (element.textContent || "").length > MAX_PIECE_CHARS);

    /**
     * @typedef {{node: Node | null, outer: CSSStyleDeclaration, after: string}} Step A node in its parent's style, or
     *   what stands after one.
     */

    /** Without recursion: pages nest deeper than the engine's own stack reaches. @param {Element} start */
    const walk = (start) => {
      /** @type {Step[]} */
      const steps = [{ node: start, outer: tree.style(start), after: "" }];
      for (let step = steps.pop(); step; step = steps.pop()) {
        isCut = left <= 0 || (room > 0 && step.node instanceof Text && hiddenText.isBeyond(step.node));
        if (isCut) return;
        if (step.node) visit(step.node, step.outer, steps);
        else put(step.after);
      }
    };

    /** @param {Node} node @param {CSSStyleDeclaration} outer @param {Step[]} steps */
    const visit = (node, outer, steps) => {
      if (node instanceof Text) {
        if (outer.visibility === "visible" && !visibility.isLeftOut(node))
          putText(node.data, outer.whiteSpaceCollapse);
        return;
      }
      if (onFrame && isFrame(node)) {
        onFrame(node);
        parts.push([]);
        return;
      }
      if (!(node instanceof Element)) return;
      const name = tree.localName(node);
      if (name === "br") put("\n");
      else if (!SKIPPED.has(name)) visitElement(node, name, steps);
    };

    /** @param {string} text @param {string} collapse What becomes of the blanks in it. */
    const putText = (text, collapse) => {
      if (collapse === "preserve-breaks") put(text.replace(/[ \t]+/g, " ").replace(/ ?\n ?/g, "\n"), true);
      else if (collapse.startsWith("preserve") || collapse === "break-spaces") put(text);
      else put(text.replace(lib.patterns.blanks, " "), true);
    };

    /** @param {Element} element @param {string} name @param {Step[]} steps */
    const visitElement = (element, name, steps) => {
      const style = tree.style(element);
      if (style.display === "none") return;
      const isBlock = !/^(inline|contents|table-cell)|math$/.test(style.display);
      if (isBlock) put("\n");
      steps.push({ node: null, outer: style, after: isBlock ? "\n" : style.display === "table-cell" ? "\t" : "" });
      if (shownValues.isTold(element)) {
        const said = shownValues.of(element);
        return put(/\n$/.test(said) ? said : ` ${said} `, true);
      }
      if (element instanceof HTMLElement && !shownValues.isUntold(element) && name !== "slot" && !isLong(element)) {
        if (style.visibility === "visible" || element.children.length) put(element.innerText);
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
      if (!Element.prototype.checkVisibility.call(top) || shownValues.isInSecret(top)) return;
      if (top instanceof HTMLElement && !shownValues.isUntold(top) && !isLong(top)) parts[0].push(top.innerText);
      else walk(top);
    };

    /** @param {string} text */
    const tidied = (text) =>
      text
        .replace(NBSP, " ")
        .split("\n")
        .map((line) => line.trimEnd())
        .filter((line) => line.trim())
        .join("\n")
        .toWellFormed();

    read();
    return { parts: parts.map((texts) => tidied(texts.join(""))), isCut };
  };
