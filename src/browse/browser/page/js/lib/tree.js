/**
 * The tree that accessibility works on: shadow roots, slots and `aria-owns` in place, and what of it
 * is hidden from everybody.
 * @param {Lib} lib
 */
export default (lib) => {
  const { dom } = lib;
  const { all, attr, fits, has, isDocument, isElement, isFragment, list, parentNode, tag, token } = dom;
  const { remembered, once } = lib.cache;
  const { closest, checkVisibility } = Element.prototype;
  const { getRootNode } = Node.prototype;
  const { assignedNodes } = HTMLSlotElement.prototype;

  const WITH_VISIBILITY = { visibilityProperty: true };
  const NEVER = new Set(
    "base,head,link,meta,noembed,noframes,noscript,param,rp,script,source,style,template,title,track".split(","),
  );
  // They have no children of their own to put others among, so Chromium lets them own nothing.
  const CHILDLESS = new Set("area,br,embed,hr,iframe,img,input,object,select,textarea,wbr".split(","));
  const MAX_STEPS = 10_000;
  // Besides custom elements, only these can have a shadow root. Asking each element of a page takes its time.
  const HOSTS = new Set(
    "article,aside,blockquote,body,div,footer,h1,h2,h3,h4,h5,h6,header,main,nav,p,section,span".split(","),
  );
  // What large pages are made of otherwise, and is none of these: the browser leaves it out faster than we do.
  const HOSTLESS =
    ":not(a,b,br,button,code,dd,dl,dt,em,g,i,img,input,label,li,ol,option,path,select,strong,svg,table,tbody,td," +
    "textarea,th,thead,tr,ul,use)";
  const UNBOXED = new Set(["option", "optgroup", "hr", "legend"]);

  /** @param {Element} element @returns {CSSStyleDeclaration} */
  const style = (element) => getComputedStyle(element);

  /** Its box in the viewport, measured once a run. @type {(element: Element) => DOMRect} */
  const box = remembered(dom.rect, true);

  /** @param {Element} element @returns {ShadowRoot | null} */
  const anyShadowRoot = (element) => dom.shadowRoot(element) || lib.closedShadow.root(element);

  const scope = once(() => {
    /** @type {(Document | ShadowRoot)[]} */
    const roots = [document];
    /** @type {Element[]} */
    const customElements = [];
    for (let index = 0; index < roots.length; index += 1) {
      const elements = list(roots[index], HOSTLESS);
      for (let at = 0; at < elements.length; at += 1) {
        const name = dom.localName(elements[at]);
        const isCustom = name.includes("-");
        if (isCustom) customElements.push(elements[at]);
        const shadow = isCustom || HOSTS.has(name) ? anyShadowRoot(elements[at]) : null;
        if (shadow) roots.push(shadow);
      }
    }
    return { roots, customElements };
  });
  /** The document and every shadow root in it that is open, or that we were told of. */
  const roots = once(() => scope().roots);
  /** The custom elements in them. */
  const customElements = () => scope().customElements;

  /** Where things are slotted in closed roots, which they themselves do not tell. @type {() => Map<Node, Element>} */
  const closedSlots = once(() => {
    const found = new Map();
    for (const root of roots())
      if (root instanceof ShadowRoot && root.mode === "closed")
        for (const slot of all(root, "slot")) for (const node of assignedNodes.call(slot)) found.set(node, slot);
    return found;
  });

  /** What all elements depend on, found in one pass over each root: it takes as long as asking for one of them. */
  const census = once(() => {
    /** @type {{owners: Element[], labels: Element[], modals: Element[], hides: boolean, disables: boolean}} */
    const found = { owners: [], labels: [], modals: [], hides: false, disables: false };
    for (const root of roots())
      for (const element of all(root, "label, [aria-owns], [aria-hidden], [inert], [aria-disabled], dialog:modal")) {
        if (has(element, "aria-owns")) found.owners.push(element);
        if (has(element, "aria-hidden") || has(element, "inert")) found.hides = true;
        if (has(element, "aria-disabled")) found.disables = true;
        if (element instanceof HTMLLabelElement) found.labels.push(element);
        else if (fits(element, "dialog:modal")) found.modals.push(element);
      }
    return found;
  });

  /** @param {Element} element @param {string} id @returns {Element | null} */
  const byId = (element, id) => {
    const root = getRootNode.call(element);
    if (isDocument(root)) return Document.prototype.getElementById.call(root, id);
    return isFragment(root) ? DocumentFragment.prototype.getElementById.call(root, id) : null;
  };

  /**
   * The elements that an attribute names by id, or that a script named through its reflecting property.
   * @param {Element} element @param {string} attribute @param {string} property @returns {Element[]}
   */
  const referred = (element, attribute, property) => {
    const ids = attr(element, attribute);
    if (ids === null) return [];
    if (ids === "") {
      const named = /** @type {Record<string, unknown[] | null>} */ (/** @type {unknown} */ (element))[property];
      return [...(named || [])].filter((it) => it instanceof Element);
    }
    const found = ids.split(/[ \t\n\f\r]+/).map((id) => (id ? byId(element, id) : null));
    return found.filter((it) => it !== null);
  };

  /** Where a node is rendered, before `aria-owns`. @param {Node} node @returns {Element | null} */
  const composedParent = (node) => {
    if (roots().length === 1) return dom.parentElement(node);
    const parent = dom.assignedSlot(node) || closedSlots().get(node) || parentNode(node);
    if (!parent) return null;
    if (isElement(parent)) return parent;
    return parent instanceof ShadowRoot ? parent.host : null;
  };

  /** @param {Element} inner @param {Element} outer */
  const isWithin = (inner, outer) => {
    for (let node = /** @type {Element | null} */ (inner); node; node = composedParent(node))
      if (node === outer) return true;
    return false;
  };

  /** Who owns whom by `aria-owns`: the first to claim an element gets it, and nobody owns an ancestor. */
  const owned = once(() => {
    /** @type {Map<Node, Element>} */
    const owners = new Map();
    /** @type {Map<Element, Element[]>} */
    const lists = new Map();
    /** @param {Element} child @param {Element} owner */
    const cycles = (child, owner) => {
      let node = /** @type {Element | null} */ (owner);
      for (let steps = 0; node && steps < MAX_STEPS; steps += 1) {
        if (node === child) return true;
        node = owners.get(node) || composedParent(node);
      }
      return false;
    };
    for (const owner of census().owners) {
      if (CHILDLESS.has(tag(owner)) || !isRendered(owner) || closest.call(owner, "[aria-hidden=true i]")) continue;
      const children = referred(owner, "aria-owns", "ariaOwnsElements").filter(
        (child) => !owners.has(child) && !isWithin(owner, child) && !cycles(child, owner) && owners.set(child, owner),
      );
      if (children.length) lists.set(owner, children);
    }
    return { owners, lists };
  });

  /** @param {Node} node @returns {boolean} */
  const isOwned = (node) => owned().owners.has(node);
  /** Whether this tree is that of the DOM, as on most pages. */
  const isSimple = once(() => roots().length === 1 && !owned().owners.size);
  /** @param {Node} node @returns {Element | null} */
  const parent = (node) => (isSimple() ? dom.parentElement(node) : owned().owners.get(node) || composedParent(node));

  /** What is put into a slot; null when nothing is. @param {Element} element @returns {Node[] | null} */
  const slotted = (element) => {
    if (tag(element) !== "slot") return null;
    const assigned = assignedNodes.call(element);
    return assigned.length ? assigned : null;
  };

  /** @param {Element} element @param {Node[]} nodes */
  const withOwned = (element, nodes) => {
    const { owners, lists } = owned();
    if (!owners.size) return nodes;
    return nodes.filter((node) => !owners.has(node)).concat(lists.get(element) || []);
  };

  /** @param {Element} element @returns {Node[]} */
  const children = (element) => {
    if (isSimple()) return dom.nodesIn(element);
    return withOwned(element, slotted(element) || dom.nodesIn(anyShadowRoot(element) || element));
  };

  /** The same without text. @param {Element} element @returns {Element[]} */
  const elements = (element) => (isSimple() ? dom.elementsIn(element) : children(element).filter(isElement));

  /**
   * Whether an element without a box of its own is rendered: inside `display: contents`, a canvas, a closed select, an
   * image map.
   * @param {Element} element @returns {boolean}
   */
  const isRenderedUnboxed = (element) => {
    const name = tag(element);
    if (name === "area") return isAreaShown(element);
    if (NEVER.has(name) || (name === "input" && token(element, "type") === "hidden")) return false;
    const { display } = style(element);
    if (display === "none") return false;
    const above = parentNode(element);
    const inside = display === "contents" || UNBOXED.has(name) ? composedParent(element) : null;
    const holder = inside || (above instanceof Element ? closest.call(above, "canvas") : null);
    if (!holder || !isRendered(holder)) return false;
    if (style(holder).contentVisibility === "hidden") return false;
    return display === "contents" || tag(holder) === "canvas" || closest.call(element, "select") !== null;
  };

  /** @param {Element} area @returns {boolean} */
  const isAreaShown = (area) => {
    const map = closest.call(area, "map");
    const name = map && (attr(map, "name") || attr(map, "id"));
    return !!name && all(document, `img[usemap="#${CSS.escape(name)}" i]`).some((image) => isRendered(image));
  };

  /** @type {(element: Element) => boolean} */
  const isRendered = remembered((element) => {
    if (NEVER.has(tag(element))) return false;
    return checkVisibility.call(element) || isRenderedUnboxed(element);
  });

  /** The modal dialog on top: the one with the focus, else the last of them. */
  const modal = once(() => {
    const open = census().modals;
    const focused = open.filter((dialog) => fits(dialog, ":focus-within"));
    return { dialog: focused.at(-1) || open.at(-1) || null };
  });

  /** @typedef {{aria: boolean, inert: boolean}} Exclusion Whether `aria-hidden` or `inert` takes an element out. */
  /** @param {Element} element @param {Exclusion} above @returns {Exclusion} */
  const excluded = (element, above) => {
    // Chromium pays no heed to `aria-hidden` on the root, where it would hide the whole page.
    const aria = above.aria || (token(element, "aria-hidden") === "true" && !/^(html|body)$/.test(tag(element)));
    if (element === modal().dialog) return { aria, inert: has(element, "inert") };
    return { aria, inert: above.inert || has(element, "inert") };
  };

  /**
   * Something that an element has from above in this tree.
   * @template T @param {() => T} top @param {(element: Element, above: T) => T} step @returns {(element: Element) =>
   *   T}
   */
  const inherited = (top, step) => lib.cache.inherited(parent, top, step);

  const INCLUDED = { aria: false, inert: false };
  /** Whether nothing on the page hides what is in it, as on most pages: then nothing need be climbed. */
  const isPlain = once(() => ({ yes: !modal().dialog && !census().hides }));
  const inheritedExclusion = inherited(() => ({ aria: false, inert: modal().dialog !== null }), excluded);
  /** @param {Element} element @returns {Exclusion} */
  const exclusion = (element) => (isPlain().yes ? INCLUDED : inheritedExclusion(element));

  /** What the modal dialog is in: inert, but not all that is inside. @type {() => Set<Element>} */
  const aroundModal = once(() => {
    const found = new Set();
    for (let node = modal().dialog && parent(/** @type {Element} */ (modal().dialog)); node; node = parent(node))
      found.add(node);
    return found;
  });

  /** Whether an element and all inside are out of the tree. @param {Element} element @returns {boolean} */
  const isExcluded = (element) => {
    const { aria, inert } = exclusion(element);
    return aria || (inert && !aroundModal().has(element)) || !isRendered(element);
  };

  /** Whether an element itself is out of the tree. @type {(element: Element) => boolean} */
  const hidden = remembered((element) => {
    const { aria, inert } = exclusion(element);
    if (aria || inert || NEVER.has(tag(element))) return true;
    if (checkVisibility.call(element, WITH_VISIBILITY)) return false;
    return !isRendered(element) || style(element).visibility !== "visible";
  }, true);

  return {
    ...dom,
    box,
    byId,
    census,
    children,
    closest: /** @type {(element: Element, selector: string) => Element | null} */ (
      (element, selector) => closest.call(element, selector)
    ),
    composedParent,
    customElements,
    elements,
    hidden,
    inherited,
    isExcluded,
    isOwned,
    isRendered,
    isSimple,
    isWithin,
    once,
    parent,
    referred,
    remembered,
    root: /** @type {(node: Node) => Node} */ ((node) => getRootNode.call(node)),
    roots,
    style,
  };
};
