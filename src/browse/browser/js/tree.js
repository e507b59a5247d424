// @ts-check
/**
 * The tree that accessibility works on: open shadow roots, slots and `aria-owns` in place, and what of it
 * is hidden from everybody. A form's fields shadow its properties (`<form><input name="parentNode">`), so
 * forms and documents are read through the prototypes' own members.
 * @param {any} lib Gets `fresh`, which forgets what was found out: call it before each run, and after it too,
 *   because what is remembered keeps removed elements alive.
 */
(lib) => {
  const Form = HTMLFormElement;
  /** @param {object} prototype @param {string} name @returns {(it: any) => any} */
  const getter = (prototype, name) => {
    const get = /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
    return (it) => get.call(it);
  };
  const safe = {
    nodeType: getter(Node.prototype, "nodeType"),
    parentNode: getter(Node.prototype, "parentNode"),
    firstChild: getter(Node.prototype, "firstChild"),
    nextSibling: getter(Node.prototype, "nextSibling"),
    localName: getter(Element.prototype, "localName"),
    assignedSlot: getter(Element.prototype, "assignedSlot"),
  };
  // One line each, because a shared function that takes the name is several times slower.
  const nodeType = (/** @type {any} */ it) => (it instanceof Form || it === document ? safe.nodeType(it) : it.nodeType);
  const parentNode = (/** @type {any} */ it) => (it instanceof Form ? safe.parentNode(it) : it.parentNode);
  const firstChild = (/** @type {any} */ it) => (it instanceof Form ? safe.firstChild(it) : it.firstChild);
  const nextSibling = (/** @type {any} */ it) => (it instanceof Form ? safe.nextSibling(it) : it.nextSibling);
  const shadowRoot = (/** @type {any} */ it) => {
    const shadow = it.shadowRoot;
    return shadow && shadow instanceof ShadowRoot ? shadow : null;
  };
  const assignedSlot = (/** @type {any} */ it) => (it instanceof Form ? safe.assignedSlot(it) : it.assignedSlot);
  const { getAttribute, hasAttribute, matches, closest, checkVisibility } = Element.prototype;
  const { getRootNode } = Node.prototype;
  const { assignedNodes } = HTMLSlotElement.prototype;

  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";
  const SHOWN = { visibilityProperty: true };
  const NEVER = new Set(
    "base,head,link,meta,noembed,noframes,noscript,param,rp,script,source,style,template,title,track".split(","),
  );
  // They have no children of their own to put others among, so Chromium lets them own nothing.
  const CHILDLESS = new Set("area,br,embed,hr,iframe,img,input,object,select,textarea,wbr".split(","));
  const UNBOXED = new Set(["option", "optgroup", "hr", "legend"]);

  /** @type {(() => void)[]} */
  const resets = [];

  /**
   * Remember a function's answers until the next `fresh`.
   * @template T @param {(it: any) => T} compute @returns {(it: any) => T}
   */
  const remembered = (compute) => {
    // A Map, and not a WeakMap: collecting garbage around 20,000 weak entries took longer than the work.
    let known = new Map();
    resets.push(() => (known = new Map()));
    return (it) => {
      const found = known.get(it);
      if (found !== undefined) return found;
      const made = compute(it);
      known.set(it, made);
      return made;
    };
  };

  /** @template T @param {() => T} compute @returns {() => T} */
  const once = (compute) => {
    /** @type {T | undefined} */
    let known;
    resets.push(() => (known = undefined));
    return () => (known === undefined ? (known = compute()) : known);
  };

  lib.fresh = () => resets.forEach((reset) => reset());

  /** @param {Node} node */
  const isElement = (node) => nodeType(node) === 1;
  /** @param {Node} node */
  const isText = (node) => node instanceof Text;
  /** @param {any} element @returns {string} Its name in HTML, "svg:<name>" in SVG, and with its namespace elsewhere. */
  const tag = (element) => {
    const name = element.localName;
    if (typeof name !== "string") return safe.localName(element);
    if (element instanceof HTMLElement) return name;
    const space = element.namespaceURI;
    if (space === HTML) return name;
    return space === SVG ? `svg:${name}` : `${space}:${name}`;
  };
  /** @param {Element} element @param {string} name @returns {string | null} */
  const attr = (element, name) => getAttribute.call(element, name);
  /** @param {Element} element @param {string} name @returns {boolean} */
  const has = (element, name) => hasAttribute.call(element, name);
  /** @param {Element} element @param {string} name @returns {string} An ARIA value: trimmed and in lower case. */
  const token = (element, name) => {
    const value = getAttribute.call(element, name);
    return value ? value.trim().toLowerCase() : "";
  };
  /** @param {Element} element @param {string} selector @returns {boolean} */
  const fits = (element, selector) => matches.call(element, selector);
  const style = (/** @type {Element} */ element) => getComputedStyle(element);

  /** @param {Document | ShadowRoot | Element} root */
  const kindOf = (root) =>
    (nodeType(root) === 9 ? Document : nodeType(root) === 11 ? DocumentFragment : Element).prototype;
  /** @param {Document | ShadowRoot | Element} root @param {string} selector @returns {Element[]} */
  const all = (root, selector) => [...kindOf(root).querySelectorAll.call(root, selector)];


  /** The document and every open shadow root in it. */
  const roots = once(() => {
    /** @type {(Document | ShadowRoot)[]} */
    const found = [document];
    for (let index = 0; index < found.length; index += 1) {
      const elements = kindOf(found[index]).querySelectorAll.call(found[index], "*");
      for (let at = 0; at < elements.length; at += 1) {
        const shadow = elements[at].shadowRoot;
        // A form has none, whatever its field of that name says.
        if (shadow && shadow instanceof ShadowRoot) found.push(shadow);
      }
    }
    return found;
  });

  /** What all elements depend on, found in one pass over each root: it takes as long as asking for one of them. */
  const census = once(() => {
    /** @type {{owners: Element[], labels: Element[], modals: Element[], hides: boolean}} */
    const found = { owners: [], labels: [], modals: [], hides: false };
    for (const root of roots())
      for (const element of all(root, "label, [aria-owns], [aria-hidden], [inert], dialog:modal")) {
        if (has(element, "aria-owns")) found.owners.push(element);
        if (has(element, "aria-hidden") || has(element, "inert")) found.hides = true;
        if (element instanceof HTMLLabelElement) found.labels.push(element);
        else if (fits(element, "dialog:modal")) found.modals.push(element);
      }
    return found;
  });

  /** @param {Element} element @param {string} id @returns {Element | null} */
  const byId = (element, id) => {
    const root = getRootNode.call(element);
    if (nodeType(root) === 9) return Document.prototype.getElementById.call(root, id);
    return nodeType(root) === 11 ? DocumentFragment.prototype.getElementById.call(root, id) : null;
  };

  /**
   * The elements that an attribute names by id, or that a script named through its reflecting property.
   * @param {Element} element @param {string} attribute @param {string} property @returns {Element[]}
   */
  const referred = (element, attribute, property) => {
    const ids = attr(element, attribute);
    if (ids === null) return [];
    if (ids === "") return [...(/** @type {any} */ (element)[property] || [])].filter((it) => it instanceof Element);
    const found = ids.split(/[ \t\n\f\r]+/).map((id) => (id ? byId(element, id) : null));
    return /** @type {Element[]} */ (found.filter(Boolean));
  };

  /** @param {Node} node @returns {Element | null} Where the node is rendered, before `aria-owns`. */
  const composedParent = (node) => {
    const slot = isElement(node) || isText(node) ? assignedSlot(node) : null;
    const parent = slot || parentNode(node);
    if (!parent || nodeType(parent) === 9) return null;
    return nodeType(parent) === 11 ? (parent instanceof ShadowRoot ? parent.host : null) : parent;
  };

  /** @param {Element} inner @param {Element} outer */
  const isWithin = (inner, outer) => {
    for (let node = /** @type {Element | null} */ (inner); node; node = composedParent(node))
      if (node === outer) return true;
    return false;
  };

  /** Who owns whom by `aria-owns`: the first to claim an element gets it, and nobody owns an ancestor. */
  const owned = once(() => {
    const owners = new Map();
    const lists = new Map();
    /** @param {Element} child @param {Element} owner */
    const cycles = (child, owner) => {
      for (let node = /** @type {Element | null} */ (owner), steps = 0; node && steps < 10000; steps += 1) {
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
  /** @param {Node} node @returns {Element | null} */
  const parent = (node) => owned().owners.get(node) || composedParent(node);

  /** @param {Element} element @returns {Node[]} */
  const ownNodes = (element) => {
    if (tag(element) === "slot") {
      const assigned = assignedNodes.call(element);
      if (assigned.length) return assigned;
    }
    const nodes = [];
    for (let node = firstChild(shadowRoot(element) || element); node; node = nextSibling(node)) nodes.push(node);
    return nodes;
  };

  /** @param {Element} element @returns {Node[]} */
  const children = (element) => {
    const nodes = ownNodes(element);
    const { owners, lists } = owned();
    if (!owners.size) return nodes;
    return nodes.filter((node) => !owners.has(node)).concat(lists.get(element) || []);
  };

  /** Elements without a box of their own: inside `display: contents`, a canvas, a closed select, an image map. */
  const isRenderedUnboxed = (/** @type {Element} */ element) => {
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

  /** @param {Element} area */
  const isAreaShown = (area) => {
    const map = closest.call(area, "map");
    const name = map && (attr(map, "name") || attr(map, "id"));
    return !!name && all(document, `img[usemap="#${CSS.escape(name)}" i]`).some((image) => isRendered(image));
  };

  const isRendered = remembered((/** @type {Element} */ element) => {
    if (NEVER.has(tag(element))) return false;
    return checkVisibility.call(element) || isRenderedUnboxed(element);
  });

  /** The modal dialog on top: the one with the focus, else the last of them. */
  const modal = once(() => {
    const open = census().modals;
    const focused = open.filter((dialog) => fits(dialog, ":focus-within"));
    return { dialog: focused.at(-1) || open.at(-1) || null };
  });

  /** @param {Element} element @param {{aria: boolean, inert: boolean}} above */
  const fate = (element, above) => {
    // Chromium pays no heed to `aria-hidden` on the root, where it would hide the whole page.
    const aria = above.aria || (token(element, "aria-hidden") === "true" && !/^(html|body)$/.test(tag(element)));
    if (element === modal().dialog) return { aria, inert: has(element, "inert") };
    return { aria, inert: above.inert || has(element, "inert") };
  };

  /**
   * Something that an element has from above: climbed once, without recursion, and remembered on the way down.
   * @template T @param {() => T} top @param {(element: Element, above: T) => T} step @returns {(element: Element) => T}
   */
  const inherited = (top, step) => {
    let known = new Map();
    resets.push(() => (known = new Map()));
    return (element) => {
      const path = [];
      let node = /** @type {Element | null} */ (element);
      for (; node && !known.has(node); node = parent(node)) path.push(node);
      let value = node ? known.get(node) : top();
      while (path.length) {
        const next = /** @type {Element} */ (path.pop());
        value = step(next, value);
        known.set(next, value);
      }
      return value;
    };
  };

  const OPEN = { aria: false, inert: false };
  /** Whether nothing on the page hides what is in it, as on most pages: then nothing need be climbed. */
  const isPlain = once(() => ({ yes: !modal().dialog && !census().hides }));
  const fates = inherited(() => ({ aria: false, inert: modal().dialog !== null }), fate);
  /** @param {Element} element */
  const shared = (element) => (isPlain().yes ? OPEN : fates(element));

  /** @param {Element} element @returns {boolean} Whether it and all inside are out of the tree. */
  const isCut = (element) => {
    const { aria, inert } = shared(element);
    return aria || inert || !isRendered(element);
  };

  const hidden = remembered((/** @type {Element} */ element) => {
    const { aria, inert } = shared(element);
    if (aria || inert || NEVER.has(tag(element))) return true;
    if (checkVisibility.call(element, SHOWN)) return false;
    return !isRendered(element) || style(element).visibility !== "visible";
  });

  return {
    // What others use.
    children, parent, hidden,
    // What the rest of the library is made of.
    all, attr, byId, census, fits, getter, has, inherited, isCut, isElement, isOwned, isRendered, isText, isWithin, once,
    firstChild, nextSibling, parentNode, referred, remembered, roots, style, tag, token,
    closest: (/** @type {Element} */ element, /** @type {string} */ selector) => closest.call(element, selector),
    root: (/** @type {Node} */ node) => getRootNode.call(node),
  };
};
