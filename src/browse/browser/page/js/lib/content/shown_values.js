/**
 * What a person sees in a page and `innerText` does not tell: what fields hold, which option is chosen, what the
 * buttons of forms are called, that there is a canvas; and what holds any of that, a frame or a shadow root. Secret
 * fields are never read, also those that a page makes of another element.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, states, options, visibility, styleHiding, textColour, iconHints } = lib;
  const TOLD = new Set(["input", "select", "textarea", "canvas"]);
  const UNTOLD = [...TOLD, "iframe", "frame"].join();
  const EDITABLE = ["textbox", "searchbox", "combobox"]
    .map((role) => `[role~="${role}" i]`)
    .concat('[contenteditable]:not([contenteditable="false" i])')
    .join();
  const LABELS = new Map([
    ["submit", "Submit"],
    ["reset", "Reset"],
    ["button", ""],
  ]);
  const UNWORDED = new Set(["range", "color", "image", "hidden"]);
  const MIN_CANVAS_PX = 24;
  const { checkVisibility } = Element.prototype;

  /** The secret fields of a page that are no `input`: what is written in them is theirs. */
  const secretEditors = tree.once(() => {
    /** @type {Set<Element>} */
    const found = new Set();
    for (const root of tree.roots())
      for (const it of tree.list(root, EDITABLE)) if (!TOLD.has(tree.tag(it)) && states.isSecret(it)) found.add(it);
    return found;
  });

  /** The elements whose content is a secret. @returns {Element[]} */
  const secretHolders = () => [...secretEditors(), ...tree.all(document, "textarea").filter(states.isSecret)];

  /** Everything in which something is that has to be told by hand. */
  const holders = tree.once(() => {
    /** @type {Set<Node>} */
    const found = new Set();
    /** @param {Node} start */
    const add = (start) => {
      let node = /** @type {Node | null} */ (start);
      for (; node && !found.has(node); node = tree.parentNode(node) || (node instanceof ShadowRoot ? node.host : null))
        found.add(node);
    };
    for (const root of tree.roots()) {
      if (root !== document) add(root);
      for (const element of tree.list(root, root === document ? UNTOLD : `${UNTOLD}, slot`)) add(element);
    }
    for (const element of styleHiding.skippable()) add(element);
    for (const element of secretEditors()) add(element);
    for (const root of tree.roots()) for (const element of iconHints.pictured(root)) add(element);
    return found;
  });

  /** Whether an element is in what is not rendered before one scrolls there. @param {Element} element */
  const isSkipped = (element) =>
    styleHiding.skippable().length > 0 && !checkVisibility.call(element, { contentVisibilityAuto: true });

  /** Whether `innerText` does not tell all that is seen of a node. @param {Node} node @returns {boolean} */
  const isUntold = (node) =>
    holders().has(node) || visibility.holdsLeftOut(node) || (tree.isElement(node) && isSkipped(node));

  /** @param {Element} element */
  const isSeen = (element) => {
    if (!visibility.isShown(element) || visibility.reason(element)) return false;
    const ink = textColour.ink(element, styleHiding.of(element));
    return ink !== "transparent" && ink !== "same colour";
  };

  /** @param {Element} canvas */
  const canvasLine = (canvas) => {
    const { width, height } = tree.box(canvas);
    if (Math.min(width, height) < MIN_CANVAS_PX) return "";
    return `\n[canvas ${Math.round(width)}×${Math.round(height)}: use screenshot]\n`;
  };

  /** @param {Element} select */
  const chosen = (select) => {
    const isOpen = tree.has(select, "multiple") || Number(tree.attr(select, "size")) > 1;
    if (!isOpen) return states.value(select, "combobox");
    return tree
      .all(select, "option")
      .filter(tree.isRendered)
      .map((it) => options.label(it))
      .join("\n");
  };

  /**
   * Whether an element is one that shows something which is not text in it (an icon for its word), or that must not
   * be read.
   * @param {Element} element
   */
  const isTold = (element) =>
    TOLD.has(tree.tag(element)) || secretEditors().has(element) || iconHints.ligature(element) !== "";

  /** Whether an element is in a secret field, or is one. @param {Element} element @returns {boolean} */
  const isInSecret = (element) => {
    for (let node = /** @type {Element | null} */ (element); node; node = tree.composedParent(node))
      if ((TOLD.has(tree.tag(node)) && states.isSecret(node)) || secretEditors().has(node)) return true;
    return false;
  };

  /** What is seen in such an element; "" for nothing. @param {Element} element @returns {string} */
  const of = (element) => {
    const tag = tree.tag(element);
    if (!TOLD.has(tag) || !isSeen(element) || secretEditors().has(element)) return "";
    if (tag === "canvas") return canvasLine(element);
    if (tag === "select") return chosen(element);
    const type = tag === "input" ? roles.inputType(element) : "";
    if (UNWORDED.has(type)) return "";
    const label = LABELS.get(type);
    return label === undefined ? states.value(element, roles.of(element)) : (tree.attr(element, "value") ?? label);
  };

  return { isTold, isUntold, isInSecret, secretHolders, of };
};
