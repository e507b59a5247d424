/**
 * Things that can be pressed although no role says so: by their cursor, by what they listen to, or because the
 * keyboard reaches them. Only the outermost of what is nested: a press on the inner ones reaches it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, visibility } = lib;
  const MAX_NAME_CHARS = 80;
  const PRESS_ATTRIBUTES = ["onclick", "onmousedown", "onpointerdown", "onmouseup", "ontouchstart", "ondblclick"];
  const CANDIDATES = `${PRESS_ATTRIBUTES.map((name) => `[${name}]`).join()}, [tabindex], [style*="cursor" i]`;
  const IN_TREE = new Set(
    "a area audio button details embed iframe input option select summary textarea video".split(" "),
  );
  const FLOATING = [
    "[data-floating-ui-portal], [data-radix-popper-content-wrapper]",
    "[data-radix-portal], [data-popper-placement]",
  ].join();
  const FLOATING_ROLE = /^(listbox|menu)$/;
  const FLOATING_Z_INDEX = 10;
  const childNodesOf = tree.getter(Node.prototype, "childNodes");

  /** @param {Element} element @returns {string} */
  const name = (element) => {
    const words = element instanceof HTMLElement ? element.innerText : element.textContent || "";
    return words.replace(lib.patterns.blanks, " ").trim().slice(0, MAX_NAME_CHARS).toWellFormed() || tree.tag(element);
  };

  /**
   * What may have a pointer of its own, found without asking each element for its style.
   * @param {Document | ShadowRoot} root @returns {Element[]}
   */
  const withCursor = (root) => {
    const { rules } = lib.styleRules.of(root);
    if (!rules) return tree.all(root, "*");
    const selectors = rules.filter(({ style }) => style.cursor).map(({ selector }) => selector);
    const plain = selectors.filter((selector) => !/::|:host/.test(selector));
    return plain.length ? tree.all(root, plain.join()) : [];
  };

  /** @param {Element} element */
  const hasPointer = (element) => tree.style(element).cursor === "pointer";
  /** @param {Element} element */
  const isInTabOrder = (element) => /^\s*\+?\d+\s*$/.test(tree.attr(element, "tabindex") || "");

  /** Whether an element is in a floating layer. */
  const floats = tree.inherited(
    () => false,
    (element, above) => {
      if (above || tree.fits(element, FLOATING) || FLOATING_ROLE.test(tree.token(element, "role"))) return true;
      const { position, zIndex } = tree.style(element);
      return (position === "fixed" || position === "absolute") && Number(zIndex) >= FLOATING_Z_INDEX;
    },
  );

  /**
   * Why an element can be pressed; nothing when it cannot.
   * @param {Element} element @param {boolean} listens @returns {string[]}
   */
  const reasons = (element, listens) => {
    const parent = tree.parent(element);
    const said = [];
    if (hasPointer(element) && !(parent && hasPointer(parent))) said.push("cursor:pointer");
    if (tree.has(element, "onclick")) said.push("onclick");
    else if (listens || PRESS_ATTRIBUTES.some((name) => tree.has(element, name))) said.push("listener");
    if (isInTabOrder(element)) said.push(`tabindex=${(tree.attr(element, "tabindex") || "").trim()}`);
    if (!said.length) return said;
    if (tree.has(element, "role")) said.push(`role=${tree.token(element, "role").slice(0, 40)}`);
    return floats(element) ? ["popover-child", ...said] : said;
  };

  /** Whether an element or what it is in is a control. */
  const isInControl = tree.inherited(
    () => false,
    (element, above) => above || IN_TREE.has(tree.tag(element)) || roles.INTERACTIVE.has(roles.of(element)),
  );
  /** Whether the tree shows it, or what a press on it reaches, as a control. @param {Element} element */
  const isInTree = (element) =>
    isInControl(element) || (element instanceof HTMLLabelElement && element.control !== null);

  /**
   * The node at the end of a path: indices of children from the document down; -1 steps into a shadow root.
   * @param {number[]} path
   */
  const at = (path) => {
    let node = /** @type {Node | null} */ (document);
    for (const index of path) {
      if (!node) return null;
      node = index < 0 ? (tree.isElement(node) ? tree.shadowRoot(node) : null) : childNodesOf(node)[index] || null;
    }
    return node;
  };

  /**
   * @param {Document | Element} root @param {number[][]} listening Paths of elements that are known to listen.
   * @returns {{element: Element, reasons: string[]}[]}
   */
  const find = (root, listening) => {
    const heard = new Set(listening.map(at).filter((node) => node instanceof Element));
    const candidates = new Set(heard);
    for (const each of tree.roots())
      for (const element of [...tree.all(each, CANDIDATES), ...withCursor(each)]) candidates.add(element);
    const scope = root instanceof Element ? root : null;
    const found = [];
    for (const element of candidates) {
      if (element === document.body || element === document.documentElement) continue;
      if (scope && !tree.isWithin(element, scope)) continue;
      if (tree.hidden(element) || isInTree(element) || !visibility.hasBox(element)) continue;
      const why = reasons(element, heard.has(element));
      if (why.length) found.push({ element, reasons: why });
    }
    const outer = new Set(found.map((it) => it.element));
    /** @param {Element} element */
    const isInner = (element) => {
      for (let node = tree.parent(element); node; node = tree.parent(node)) if (outer.has(node)) return true;
      return false;
    };
    return found
      .filter((it) => !isInner(it.element))
      .sort(({ element: one }, { element: two }) =>
        one.compareDocumentPosition(two) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
      );
  };

  return { name, find };
};
