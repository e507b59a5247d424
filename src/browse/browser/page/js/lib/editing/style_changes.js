/**
 * Styles that were changed by hand, each to be undone by its number. A value goes into the element's own style, where
 * it wins over rules; if one of them is important, it is made important too.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleEdits } = lib;
  /** @type {Map<number, {element: WeakRef<Element>, edit: Omit<StyleEdit, "element">}>} */
  const changes = new Map();

  /** @param {Element} element @param {string} name */
  const computed = (element, name) => tree.style(element).getPropertyValue(name).trim();

  /** @param {number} number @param {Element} element @param {string} name @param {string} value */
  const change = (number, element, name, value) => {
    const before = computed(element, name);
    const own = styleEdits.styleOf(element);
    const edit = styleEdits.before(element, name, false);
    if (!own || !edit || !CSS.supports(name, value)) return { before, after: before, taken: false };
    const { element: _, ...rest } = edit;
    changes.set(number, { element: new WeakRef(element), edit: rest });
    own.setProperty(name, value);
    const normal = computed(element, name);
    own.setProperty(name, value, "important");
    if (computed(element, name) === normal) own.setProperty(name, value);
    return { before, after: computed(element, name), taken: true };
  };

  /** @param {number} number @returns {boolean} Whether there was something to undo. */
  const undo = (number) => {
    const found = changes.get(number);
    changes.delete(number);
    const element = found?.element.deref();
    if (!found || !element) return false;
    styleEdits.takeBack({ ...found.edit, element });
    return true;
  };

  return { change, undo };
};
