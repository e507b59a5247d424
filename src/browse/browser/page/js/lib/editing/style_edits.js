/**
 * Changes of elements' own style that can be undone, so that nothing of them remains. Brief ones are
 * made for one picture; the others stay until they are undone.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const ofHtml = tree.getter(HTMLElement.prototype, "style");
  const ofSvg = tree.getter(SVGElement.prototype, "style");
  /** @type {StyleEdit[]} */
  const edits = [];

  /** @param {Element} element @returns {CSSStyleDeclaration | null} */
  const styleOf = (element) => {
    if (element instanceof HTMLElement) return ofHtml(element);
    return element instanceof SVGElement ? ofSvg(element) : null;
  };

  /**
   * What is there before a change.
   * @param {Element} element @param {string} property @param {boolean} brief @returns {StyleEdit | null}
   */
  const before = (element, property, brief) => {
    const style = styleOf(element);
    if (!style) return null;
    const [value, priority] = [style.getPropertyValue(property), style.getPropertyPriority(property)];
    return { element, property, value, priority, text: tree.attr(element, "style"), brief };
  };

  /**
   * @param {Element} element @param {string} property @param {string} value @param {boolean} brief @returns {boolean}
   */
  const set = (element, property, value, brief) => {
    const edit = before(element, property, brief);
    if (!edit) return false;
    edits.push(edit);
    styleOf(element)?.setProperty(property, value, "important");
    return true;
  };

  /**
   * Hide an element.
   * @param {Element} element @param {boolean} brief @returns {boolean} Whether it was to be seen before.
   */
  const hide = (element, brief) => tree.style(element).display !== "none" && set(element, "display", "none", brief);

  /**
   * Give the property its old value, and the attribute its old spelling where it means the same.
   * @param {StyleEdit} edit
   */
  const takeBack = ({ element, property, value, priority, text }) => {
    const style = styleOf(element);
    if (!style) return;
    style.setProperty(property, value, priority); // an empty value removes it
    const meant = style.cssText;
    // Reading the attribute brings it up to date; without that, an empty one comes back.
    if (tree.attr(element, "style") === text) return;
    if (text === null) {
      if (!meant) Element.prototype.removeAttribute.call(element, "style");
      return;
    }
    Element.prototype.setAttribute.call(element, "style", text);
    if (style.cssText !== meant) style.cssText = meant; // changed by the page since, or kept out by its policy
  };

  /** @param {boolean} briefOnly @returns {number} How many elements are as they were. */
  const undo = (briefOnly) => {
    const restored = new Set();
    for (let edit = edits.at(-1); edit && (edit.brief || !briefOnly); edit = edits.at(-1)) {
      edits.pop();
      takeBack(edit);
      restored.add(edit.element);
    }
    return restored.size;
  };

  return { styleOf, before, takeBack, set, hide, undo };
};
