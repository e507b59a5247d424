/**
 * Things that can be pressed although no role says so: by their cursor, by what they listen to, or because the
 * keyboard reaches them. Only the outermost of what is nested: a press on the inner ones reaches it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles } = lib;
  const NAME_CHARS = 80;
  const HEARS = ["onclick", "onmousedown", "onpointerdown", "onmouseup", "ontouchstart", "ondblclick"];
  const TOLD = `${HEARS.map((name) => `[${name}]`).join()}, [tabindex], [style*="cursor" i]`;
  const IN_TREE = new Set("a area audio button details embed iframe input option select summary textarea video".split(" "));
  const FLOATING = "[data-floating-ui-portal], [data-radix-popper-content-wrapper], [data-radix-portal], [data-popper-placement]";
  const FLOATING_ROLE = /^(listbox|menu)$/;
  const ABOVE = 10;

  /** @param {Element} element @returns {string} */
  const name = (element) => {
    const words = element instanceof HTMLElement ? element.innerText : element.textContent || "";
    return words.replace(/\s+/g, " ").trim().slice(0, NAME_CHARS).toWellFormed() || tree.tag(element);
  };

  /** What may have a pointer of its own, without asking each element for its style. @param {Document | ShadowRoot} root @returns {Element[]} */
  const styled = (root) => {
    const { rules } = lib.styleRules.of(root);
    if (!rules) return tree.all(root, "*");
    const found = rules.filter((/** @type {any} */ rule) => rule.style.cursor).map((/** @type {any} */ rule) => rule.selector);
    const plain = found.filter((/** @type {string} */ selector) => !/::|:host/.test(selector));
    return plain.length ? tree.all(root, plain.join()) : [];
  };

  /** @param {Element} element */
  const points = (element) => tree.style(element).cursor === "pointer";
  /** @param {Element} element */
  const reachable = (element) => /^\s*\+?\d+\s*$/.test(tree.attr(element, "tabindex") || "");

  const floats = tree.inherited(
    () => false,
    (/** @type {Element} */ element, /** @type {boolean} */ above) => {
      if (above || tree.fits(element, FLOATING) || FLOATING_ROLE.test(tree.token(element, "role"))) return true;
      const { position, zIndex } = tree.style(element);
      return (position === "fixed" || position === "absolute") && Number(zIndex) >= ABOVE;
    },
  );

  /** @param {Element} element @param {boolean} listens @returns {string[]} Why it can be pressed; nothing when it cannot. */
  const reasons = (element, listens) => {
    const parent = tree.parent(element);
    const said = [];
    if (points(element) && !(parent && points(parent))) said.push("cursor:pointer");
    if (tree.has(element, "onclick")) said.push("onclick");
    else if (listens || HEARS.some((name) => tree.has(element, name))) said.push("listener");
    if (reachable(element)) said.push(`tabindex=${tree.attr(element, "tabindex").trim()}`);
    if (!said.length) return said;
    if (tree.has(element, "role")) said.push(`role=${tree.token(element, "role").slice(0, 40)}`);
    return floats(element) ? ["popover-child", ...said] : said;
  };

  /** Whether an element or what it is in is a control. */
  const operated = tree.inherited(
    () => false,
    (/** @type {Element} */ element, /** @type {boolean} */ above) =>
      above || IN_TREE.has(tree.tag(element)) || roles.INTERACTIVE.has(roles.of(element)),
  );
  /** Whether the tree shows it, or what a press on it reaches, as a control. @param {Element} element */
  const covered = (element) => operated(element) || (element instanceof HTMLLabelElement && element.control !== null);

  /** @param {Element} element */
  const hasBox = (element) => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(element);
    return width > 0 && height > 0;
  };

  /** @param {number[]} path Indices of children from the document down; -1 steps into a shadow root. @returns {Node | null} */
  const at = (path) =>
    path.reduce(
      (/** @type {any} */ node, index) => node && (index < 0 ? node.shadowRoot : node.childNodes[index]) || null,
      document,
    );

  /**
   * @param {Document | Element} root @param {number[][]} listening Paths of elements that are known to listen.
   * @returns {{element: Element, reasons: string[]}[]}
   */
  const find = (root, listening) => {
    const heard = new Set(listening.map(at).filter((node) => node instanceof Element));
    const candidates = new Set(heard);
    for (const each of tree.roots()) for (const element of [...tree.all(each, TOLD), ...styled(each)]) candidates.add(element);
    const scope = root instanceof Element ? root : null;
    const found = [];
    for (const element of candidates) {
      if (element === document.body || element === document.documentElement) continue;
      if (scope && !tree.isWithin(element, scope)) continue;
      if (tree.hidden(element) || covered(element) || !hasBox(element)) continue;
      const why = reasons(element, heard.has(element));
      if (why.length) found.push({ element, reasons: why });
    }
    const kept = new Set(found.map((it) => it.element));
    /** @param {Element} element */
    const isInner = (element) => {
      for (let node = tree.parent(element); node; node = tree.parent(node)) if (kept.has(node)) return true;
      return false;
    };
    return found
      .filter((it) => !isInner(it.element))
      .sort((one, two) => (one.element.compareDocumentPosition(two.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  };

  return { name, find };
};
