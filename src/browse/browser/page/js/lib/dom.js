/**
 * The DOM, read through the prototypes' own members: a form's fields shadow its properties
 * (`<form><input name="parentNode">`), and `instanceof` is slow here and wrong for adopted nodes.
 */
export default () => {
  /** @param {object} prototype @param {string} name @returns {() => any} */
  const accessor = (prototype, name) =>
    /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
  /** @param {object} prototype @param {string} name @returns {(it: any) => any} */
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
  };
  const { getAttribute, hasAttribute, matches } = Element.prototype;
  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";

  // One line each, because a shared function that takes the name is several times slower.
  const nodeType = (/** @type {any} */ it) => get.nodeType.call(it);
  const parentNode = (/** @type {any} */ it) => get.parentNode.call(it);
  const firstChild = (/** @type {any} */ it) => get.firstChild.call(it);
  const nextSibling = (/** @type {any} */ it) => get.nextSibling.call(it);
  const parentElement = (/** @type {any} */ it) => get.parentElement.call(it);
  const shadowRoot = (/** @type {any} */ it) => get.shadowRoot.call(it);
  const localName = (/** @type {any} */ it) => get.localName.call(it);
  const assignedSlot = (/** @type {any} */ it) =>
    isElement(it) ? get.slotOfElement.call(it) : isText(it) ? get.slotOfText.call(it) : null;

  const NOTHING = /** @type {never[]} */ ([]);
  /** @param {Element | ShadowRoot} it @returns {Node[]} */
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

  /** @param {Node} node */
  const isElement = (node) => nodeType(node) === Node.ELEMENT_NODE;
  /** @param {Node} node */
  const isText = (node) => {
    const type = nodeType(node);
    return type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE;
  };
  /** @param {any} element @returns {string} Its name in HTML, "svg:<name>" in SVG, and with its namespace elsewhere. */
  const tag = (element) => {
    const name = get.localName.call(element);
    const space = get.namespaceURI.call(element);
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

  /** @param {Document | ShadowRoot | Element} root */
  const kindOf = (root) =>
    (nodeType(root) === 9 ? Document : nodeType(root) === 11 ? DocumentFragment : Element).prototype;
  /** @param {Document | ShadowRoot | Element} root @param {string} selector @returns {NodeListOf<any>} */
  const list = (root, selector) => kindOf(root).querySelectorAll.call(root, selector);
  /** @param {Document | ShadowRoot | Element} root @param {string} selector @returns {Element[]} */
  const all = (root, selector) => [...list(root, selector)];

  return {
    all, assignedSlot, attr, elementsIn, firstChild, fits, getter, has, isElement, isText, list, localName, nextSibling,
    nodesIn, nodeType, parentElement, parentNode, shadowRoot, tag, token,
  };
};
