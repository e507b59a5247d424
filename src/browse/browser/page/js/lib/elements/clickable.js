/**
 * Things that can be pressed or dragged although no role says so: by their cursor, by what they listen to, or because
 * the keyboard reaches them. Of nested ones each that has a sign of its own; what only repeats things in the tree is
 * left out.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, visibility, renderedText } = lib;
  const MAX_NAME_CHARS = 80;
  const MAX_LOOKED = 300;
  const MAX_HEIGHT = 20;
  const PRESS_ATTRIBUTES = ["onclick", "onmousedown", "onpointerdown", "onmouseup", "ontouchstart", "ondblclick"];
  const DRAGGED = "[draggable=true i], .ui-draggable";
  const DROPPED_ON = "[ondrop], [ondragover], .ui-droppable";
  /** The cross of a tab, which often has neither a role nor a listener of its own. */
  const CLOSING = "[role=tab] [class*=close i]";
  const CANDIDATES = [
    ...PRESS_ATTRIBUTES.map((name) => `[${name}]`),
    "[tabindex]",
    '[style*="cursor" i]',
    "[cursor]",
    DRAGGED,
    DROPPED_ON,
    CLOSING,
  ].join();
  const DRAG_CURSOR = /^(-webkit-)?grab$|^move$/;
  const IN_TREE = new Set("audio button embed frame iframe input option select summary textarea video".split(" "));
  /** Controls in which others stand: a tab has its cross, an item of a tree its arrow. */
  const HOLDING = new Set("combobox listbox menuitem menuitemcheckbox menuitemradio option tab treeitem".split(" "));
  const FLOATING = [
    "[data-floating-ui-portal], [data-radix-popper-content-wrapper]",
    "[data-radix-portal], [data-popper-placement]",
  ].join();
  const FLOATING_ROLE = /^(listbox|menu)$/;
  const FLOATING_Z_INDEX = 10;
  const SAYING = ["aria-label", "title", "alt"];
  const childNodesOf = tree.getter(Node.prototype, "childNodes");
  const controlOf = tree.getter(HTMLLabelElement.prototype, "control");

  /** What attributes say of an element, or of the first thing in it. @param {Element} element @returns {string} */
  const saidOf = (element) => {
    for (const each of [element, ...tree.list(element, "[aria-label], [title], [alt]")])
      for (const attribute of SAYING) {
        const said = renderedText.fold(tree.attr(each, attribute) || "");
        if (said) return said;
      }
    return "";
  };

  /** @param {Element} element @returns {string} */
  const name = (element) => {
    let words = element instanceof HTMLElement ? element.innerText : element.textContent || "";
    for (const drawn of lib.iconHints.ligatures(element)) words = words.replace(drawn, " ");
    const seen = renderedText.withoutGlyphs(words.replace(lib.patterns.blanks, " ").trim());
    const told = /[\p{L}\p{N}]/u.test(seen) ? seen : saidOf(element) || seen;
    return told.slice(0, MAX_NAME_CHARS).toWellFormed() || tree.tag(element);
  };

  /** The selectors of a list, where that is plain. @param {string} selector @returns {string[]} */
  const parted = (selector) => (/[([\\]/.test(selector) ? [selector] : selector.split(","));

  /** The selectors of rules that set a cursor; null if they cannot be told. */
  const cursorSelectors = tree.remembered((/** @type {Document | ShadowRoot} */ root) => {
    const { rules } = lib.styleRules.of(root);
    if (!rules) return null;
    const selectors = rules.filter(({ style }) => style.cursor).flatMap(({ selector }) => parted(selector));
    return selectors.filter((selector) => !/::|:host/.test(selector));
  });

  /**
   * What may have a pointer of its own, found without asking each element for its style.
   * @param {Document | ShadowRoot} root @returns {Element[]}
   */
  const withCursor = (root) => {
    const selectors = cursorSelectors(root);
    if (!selectors) return tree.all(root, "*");
    return selectors.length ? tree.all(root, selectors.join()) : [];
  };

  /** @param {Element} element */
  const cursor = (element) => tree.style(element).cursor;
  /** @param {Element} element */
  const isInTabOrder = (element) => /^\s*\+?\d+\s*$/.test(tree.attr(element, "tabindex") || "");

  /** Whether an element only keeps things apart that can be reached. @param {Element} element */
  const isSeparator = (element) =>
    /^(none|presentation|separator)$/.test(tree.token(element, "role")) && !(element.textContent || "").trim();
  /** What an element has in common with the others of its group. @param {Element} element */
  const kind = (element) => `${tree.tag(element)} ${tree.attr(element, "class") || ""}`;
  /** The kinds of groups of which the keyboard reaches one element, and its arrows the others. */
  const groups = tree.once(() => {
    const stops = tree.roots().flatMap((root) => tree.all(root, "[tabindex][class]").filter(isInTabOrder));
    return new Set(stops.map(kind));
  });
  /** @param {Element} element */
  const isInGroup = (element) =>
    (tree.attr(element, "tabindex") || "").trim() === "-1" &&
    tree.has(element, "class") &&
    groups().has(kind(element));

  /** What is around an element and has the same cursor. @param {Element} element @param {string} own */
  const around = (element, own) => {
    const found = [];
    for (let node = tree.parent(element); node && found.length < MAX_HEIGHT; node = tree.parent(node)) {
      if (cursor(node) !== own) break;
      found.push(node);
    }
    return found;
  };

  /**
   * Whether a cursor is an element's own and not that of what it is in: a rule sets it that is made for this element,
   * not for all that is nested there.
   * @param {Element} element @param {string} own @returns {boolean}
   */
  const isOwnCursor = (element, own) => {
    const parent = tree.parent(element);
    if (!parent || cursor(parent) !== own) return true;
    if (/cursor/i.test(tree.attr(element, "style") || "")) return true;
    const root = tree.root(element);
    const selectors = root instanceof Document || root instanceof ShadowRoot ? cursorSelectors(root) : null;
    const made = (selectors || []).filter((it) => !/\*\s*$/.test(it) && tree.fits(element, it));
    if (!made.length) return false;
    const outer = around(element, own);
    return made.some((it) => !outer.some((node) => tree.fits(node, it)));
  };

  /** Whether an element is in a floating layer. */
  const floats = tree.inherited(
    () => false,
    (element, above) => {
      if (above || tree.fits(element, FLOATING) || FLOATING_ROLE.test(tree.token(element, "role"))) return true;
      const { position, zIndex } = tree.style(element);
      return (position === "fixed" || position === "absolute") && Number(zIndex) >= FLOATING_Z_INDEX;
    },
  );

  /** What drags it, or may be dropped on it. @param {Element} element @param {boolean} takes @returns {string[]} */
  const dragging = (element, takes) => {
    const own = cursor(element);
    const isDragged = tree.fits(element, DRAGGED) || (DRAG_CURSOR.test(own) && isOwnCursor(element, own));
    return [...(isDragged ? ["draggable"] : []), ...(takes || tree.fits(element, DROPPED_ON) ? ["drop zone"] : [])];
  };

  /** Whether a press on an element reaches a field that is not in the tree. @param {Element} element */
  const isOnlyLabel = (element) => {
    const control = element instanceof HTMLLabelElement ? controlOf(element) : null;
    return control !== null && tree.hidden(control) && !tree.fits(control, ":disabled");
  };

  /**
   * Why an element can be pressed; nothing when it cannot.
   * @param {Element} element @param {boolean} listens @param {boolean} takes @returns {string[]}
   */
  const reasons = (element, listens, takes) => {
    const said = [];
    if (cursor(element) === "pointer" && isOwnCursor(element, "pointer")) said.push("cursor:pointer");
    if (tree.has(element, "onclick")) said.push("onclick");
    else if (listens || PRESS_ATTRIBUTES.some((it) => tree.has(element, it))) said.push("listener");
    if (isOnlyLabel(element)) said.push("label");
    if (tree.fits(element, CLOSING) && !tree.elements(element).some((it) => tree.fits(it, CLOSING)))
      said.push("close");
    if ((isInTabOrder(element) || isInGroup(element)) && !isSeparator(element))
      said.push(`tabindex=${(tree.attr(element, "tabindex") || "").trim()}`);
    said.push(...dragging(element, takes));
    if (!said.length) return said;
    if (tree.has(element, "role")) said.push(`role=${tree.token(element, "role").slice(0, 40)}`);
    return floats(element) ? ["popover-child", ...said] : said;
  };

  /** @param {Element} element */
  const isControl = (element) => IN_TREE.has(tree.tag(element)) || roles.INTERACTIVE.has(roles.of(element));
  /** The control that an element is in; one in which others stand is passed over in favour of one around it. */
  const controlAround = tree.inherited(
    () => /** @type {Element | null} */ (null),
    (element, above) => (above && !HOLDING.has(roles.of(above)) ? above : isControl(element) ? element : above),
  );
  /** Whether the tree shows it, or what a press on it reaches, as a control. @param {Element} element */
  const isInTree = (element) => {
    if (isControl(element)) return true;
    const control = element instanceof HTMLLabelElement ? controlOf(element) : null;
    if (control && !tree.hidden(control)) return true;
    const outer = controlAround(element);
    // What fills an item is that item.
    return outer !== null && (!HOLDING.has(roles.of(outer)) || name(element) === name(outer));
  };

  /**
   * What is in an element: whether there are controls, others that were found, and words of its own.
   * @param {Element} element @param {Set<Element>} found
   */
  const contentOf = (element, found) => {
    const inside = { controls: 0, others: false, words: false };
    const nodes = [...tree.children(element)];
    for (let looked = 0; nodes.length && looked < MAX_LOOKED; looked += 1) {
      const node = /** @type {Node} */ (nodes.pop());
      if (tree.isText(node)) inside.words ||= tree.data(node).trim() !== "";
      if (!tree.isElement(node) || tree.hidden(node)) continue;
      if (isControl(node) || (node instanceof HTMLLabelElement && controlOf(node))) inside.controls += 1;
      else if (found.has(node)) inside.others = true;
      else nodes.push(...tree.children(node));
    }
    return inside;
  };

  /** @typedef {{element: Element, reasons: string[]}} Found */
  /**
   * Whether what was found is only around things that are shown themselves.
   * @param {Found} it @param {Set<Element>} found
   */
  const isRepeating = ({ element, reasons: why }, found) => {
    if (why.includes("draggable")) return false;
    const inside = contentOf(element, found);
    // A place for what is dropped holds other things, but not just one.
    if (why.includes("drop zone")) return inside.controls === 1 && !inside.words;
    // A listener around controls acts for them.
    if (inside.controls && why.length === 1 && why[0] === "listener") return true;
    return (inside.controls > 0 || inside.others) && !inside.words;
  };

  /** From the inside out: what was left out is nothing that is shown itself. @param {Found[]} found */
  const withoutRepeating = (found) => {
    const shown = new Set(found.map((it) => it.element));
    for (const it of [...found].reverse()) if (isRepeating(it, shown)) shown.delete(it.element);
    return found.filter((it) => shown.has(it.element));
  };

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
  /** @param {number[][]} paths @returns {Set<Element>} */
  const atEnds = (paths) => new Set(paths.map(at).filter((node) => node instanceof Element));

  /**
   * @param {Document | Element} root
   * @param {{pressed: number[][], dropped: number[][]}} listening Paths of elements that are known to listen.
   * @returns {Found[]}
   */
  const find = (root, { pressed, dropped }) => {
    const heard = atEnds(pressed);
    const takers = atEnds(dropped);
    const candidates = new Set([...heard, ...takers, ...tree.census().labels.filter(isOnlyLabel)]);
    for (const each of tree.roots())
      for (const element of [...tree.all(each, CANDIDATES), ...withCursor(each)]) candidates.add(element);
    const scope = root instanceof Element ? root : null;
    const found = [];
    for (const element of candidates) {
      if (element === document.body || element === document.documentElement) continue;
      if (scope && !tree.isWithin(element, scope)) continue;
      if (tree.hidden(element) || isInTree(element) || !visibility.hasBox(element)) continue;
      const why = reasons(element, heard.has(element), takers.has(element));
      if (why.length) found.push({ element, reasons: why });
    }
    found.sort(({ element: one }, { element: two }) =>
      one.compareDocumentPosition(two) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
    return withoutRepeating(found);
  };

  return { name, find };
};
