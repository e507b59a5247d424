/**
 * Changes of elements' own style that can be taken back, so that nothing of them remains. Brief ones are
 * made for one picture; the others stay until they are taken back.
 * @param {Lib} lib
 */
export default (lib) => {
  const ofHtml = lib.tree.getter(HTMLElement.prototype, "style");
  const ofSvg = lib.tree.getter(SVGElement.prototype, "style");
  /** @typedef {{element: Element, property: string, value: string, priority: string, text: string | null, brief: boolean}} Edit */
  /** @type {Edit[]} */
  const made = [];

  /** @param {Element} element @returns {CSSStyleDeclaration | null} */
  const styleOf = (element) =>
    element instanceof HTMLElement ? ofHtml(element) : element instanceof SVGElement ? ofSvg(element) : null;

  /** What is there before a change. @param {Element} element @param {string} property @param {boolean} brief @returns {Edit | null} */
  const before = (element, property, brief) => {
    const style = styleOf(element);
    if (!style) return null;
    const [value, priority] = [style.getPropertyValue(property), style.getPropertyPriority(property)];
    return { element, property, value, priority, text: lib.tree.attr(element, "style"), brief };
  };

  /** @param {Element} element @param {string} property @param {string} value @param {boolean} brief */
  const set = (element, property, value, brief) => {
    const edit = before(element, property, brief);
    if (!edit) return false;
    made.push(edit);
    /** @type {CSSStyleDeclaration} */ (styleOf(element)).setProperty(property, value, "important");
    return true;
  };

  /** Whether it could be seen, and no longer can. @param {Element} element @param {boolean} brief */
  const hide = (element, brief) => lib.tree.style(element).display !== "none" && set(element, "display", "none", brief);

  /**
   * Gives the property its old value, and the attribute its old spelling where it means the same.
   * @param {Edit} edit
   */
  const takeBack = ({ element, property, value, priority, text }) => {
    const style = /** @type {CSSStyleDeclaration} */ (styleOf(element));
    style.setProperty(property, value, priority); // an empty value removes it
    const meant = style.cssText;
    // Reading the attribute brings it up to date; without that, an empty one comes back.
    if (lib.tree.attr(element, "style") === text) return;
    if (text === null) {
      if (!meant) Element.prototype.removeAttribute.call(element, "style");
      return;
    }
    Element.prototype.setAttribute.call(element, "style", text);
    if (style.cssText !== meant) style.cssText = meant; // changed by the page since, or kept out by its policy
  };

  /** @param {boolean} briefOnly @returns {number} how many elements are as they were */
  const undo = (briefOnly) => {
    const restored = new Set();
    while (made.length && (made[made.length - 1].brief || !briefOnly)) {
      const edit = /** @type {Edit} */ (made.pop());
      takeBack(edit);
      restored.add(edit.element);
    }
    return restored.size;
  };

  return { styleOf, before, takeBack, set, hide, undo };
};
