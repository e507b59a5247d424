/**
 * Styles that were changed by hand, each to be taken back by its number. A value goes into the element's own style, where
 * it wins over rules; if one of them is important, it is made important too.
 * @param {Lib} lib
 */
export default (lib) => {
  /** @type {Map<number, {element: WeakRef<Element>, edit: any}>} */
  const kept = new Map();

  /** @param {Element} element @param {string} name */
  const computed = (element, name) => lib.tree.style(element).getPropertyValue(name).trim();

  /** @param {number} number @param {Element} element @param {string} name @param {string} value */
  const change = (number, element, name, value) => {
    const before = computed(element, name);
    const edit = lib.styleEdits.before(element, name, false);
    if (!edit || !CSS.supports(name, value)) return { before, after: before, taken: false };
    kept.set(number, { element: new WeakRef(element), edit: { ...edit, element: null } });
    const own = lib.styleEdits.styleOf(element);
    own.setProperty(name, value);
    const normal = computed(element, name);
    own.setProperty(name, value, "important");
    if (computed(element, name) === normal) own.setProperty(name, value);
    return { before, after: computed(element, name), taken: true };
  };

  /** @param {number} number */
  const undo = (number) => {
    const found = kept.get(number);
    kept.delete(number);
    const element = found?.element.deref();
    if (!found || !element) return false;
    lib.styleEdits.takeBack({ ...found.edit, element });
    return true;
  };

  return { change, undo };
};
