/**
 * The DOM, read through the prototypes' own members: a form's fields shadow its properties
 * (`<form><input name="parentNode">`), and `instanceof` is slow here and wrong for adopted nodes.
 */
export default () => {
  /**
   * @template {object} T @template {keyof T & string} K
   * @param {T} prototype @param {K} name @returns {(this: unknown) => T[K]}
   */
  const accessor = (prototype, name) =>
    /** @type {(this: unknown) => T[K]} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
  /**
   * A function that reads one property of things of one kind.
   * @template {object} T @template {keyof T & string} K
   * @param {T} prototype @param {K} name @returns {(it: Node) => T[K]}
   */
  const getter = (prototype, name) => {
    const get = accessor(prototype, name);
    return (it) => get.call(it);
  };

  const get = {
    nodeType: accessor(Node.prototype, "nodeType"),
    parentNode: accessor(Node.prototype, "parentNode"),
    firstChild: accessor(Node.prototype, "firstChild"),
    nextSibling: accessor(Node.prototype, "nextSibling"),
    parentElement: accessor(Node.prototype, "parentElement"),
    firstElementChild: accessor(Element.prototype, "firstElementChild"),
    nextElementSibling: accessor(Element.prototype, "nextElementSibling"),
    localName: accessor(Element.prototype, "localName"),
    namespaceURI: accessor(Element.prototype, "namespaceURI"),
    shadowRoot: accessor(Element.prototype, "shadowRoot"),
    slotOfElement: accessor(Element.prototype, "assignedSlot"),
    slotOfText: accessor(Text.prototype, "assignedSlot"),
    data: accessor(CharacterData.prototype, "data"),
  };
  const { getAttribute, hasAttribute, matches } = Element.prototype;
  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";

  // One line each, because a shared function that takes the name is several times slower.
  /** @param {Node} it */
  const nodeType = (it) => get.nodeType.call(it);
  /** @param {Node} it @returns {Node | null} */
  const parentNode = (it) => get.parentNode.call(it);
  /** @param {Node} it @returns {Node | null} */
  const firstChild = (it) => get.firstChild.call(it);
  /** @param {Node} it @returns {Node | null} */
  const nextSibling = (it) => get.nextSibling.call(it);
  /** @param {Node} it @returns {Element | null} */
  const parentElement = (it) => get.parentElement.call(it);
  /** @param {Element} it */
  const shadowRoot = (it) => get.shadowRoot.call(it);
  /** @param {Element} it */
  const localName = (it) => get.localName.call(it);
  /** @param {Text} it */
  const data = (it) => get.data.call(it);

  /** @param {Node} node @returns {node is Element} */
  const isElement = (node) => nodeType(node) === Node.ELEMENT_NODE;
  /** @param {Node} node @returns {node is Text} */
  const isText = (node) => {
    const type = nodeType(node);
    return type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE;
  };
  /** @param {Node} node @returns {node is Document} */
  const isDocument = (node) => nodeType(node) === Node.DOCUMENT_NODE;
  /** @param {Node} node @returns {node is DocumentFragment} */
  const isFragment = (node) => nodeType(node) === Node.DOCUMENT_FRAGMENT_NODE;

  /** @param {Node} it @returns {Element | null} */
  const assignedSlot = (it) => {
    if (isElement(it)) return get.slotOfElement.call(it);
    return isText(it) ? get.slotOfText.call(it) : null;
  };

  const NOTHING = /** @type {never[]} */ ([]);
  /** @param {Node} it @returns {Node[]} */
  const nodesIn = (it) => {
    let node = firstChild(it);
    if (!node) return NOTHING;
    const nodes = [];
    for (; node; node = nextSibling(node)) nodes.push(node);
    return nodes;
  };
  /** @param {Element} it @returns {Element[]} */
  const elementsIn = (it) => {
    let element = get.firstElementChild.call(it);
    if (!element) return NOTHING;
    const elements = [];
    for (; element; element = get.nextElementSibling.call(element)) elements.push(element);
    return elements;
  };

  // One element is asked several times in a row.
  /** @type {Element | null} */
  let latest = null;
  let latestTag = "";
  /** Its name in HTML, "svg:<name>" in SVG, and with its namespace elsewhere. @param {Element} element */
  const tag = (element) => {
    if (element === latest) return latestTag;
    const name = get.localName.call(element);
    const space = get.namespaceURI.call(element);
    latestTag = space === HTML ? name : space === SVG ? `svg:${name}` : `${space}:${name}`;
    latest = element;
    return latestTag;
  };
  /** Keep no element alive after a run. */
  const forget = () => {
    latest = null;
  };
  /** @param {Element} element @param {string} name */
  const attr = (element, name) => getAttribute.call(element, name);
  /** @param {Element} element @param {string} name */
  const has = (element, name) => hasAttribute.call(element, name);
  /** An ARIA value: trimmed and in lower case. @param {Element} element @param {string} name */
  const token = (element, name) => {
    const value = getAttribute.call(element, name);
    return value ? value.trim().toLowerCase() : "";
  };
  /** Its classes and id, as far as a name is looked for in them. @param {Element} element */
  const authorNames = (element) => `${attr(element, "class") || ""} ${attr(element, "id") || ""}`.slice(0, 300);
  /** @param {Element} element @param {string} selector @returns {boolean} */
  const fits = (element, selector) => matches.call(element, selector);

  /** @param {Node} root */
  const kindOf = (root) => (isDocument(root) ? Document : isFragment(root) ? DocumentFragment : Element).prototype;
  /** @param {Document | DocumentFragment | Element} root @param {string} selector @returns {NodeListOf<Element>} */
  const list = (root, selector) => kindOf(root).querySelectorAll.call(root, selector);
  /** @param {Document | DocumentFragment | Element} root @param {string} selector @returns {Element[]} */
  const all = (root, selector) => [...list(root, selector)];

  /** Its box in the viewport. @param {Element} element @returns {DOMRect} */
  const rect = (element) => Element.prototype.getBoundingClientRect.call(element);

  /** An address as an absolute one. @param {string} written @param {string} [base] */
  const absolute = (written, base = document.baseURI) =>
    URL.canParse(written, base) ? new URL(written, base).href : written;

  return {
    absolute,
    all,
    assignedSlot,
    attr,
    authorNames,
    data,
    elementsIn,
    firstChild,
    fits,
    forget,
    getter,
    has,
    isDocument,
    isElement,
    isFragment,
    isText,
    list,
    localName,
    nextSibling,
    nodesIn,
    parentElement,
    parentNode,
    rect,
    shadowRoot,
    tag,
    token,
  };
};
