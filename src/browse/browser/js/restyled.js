// @ts-check
/**
 * Styles that were changed by hand, with what was there before. A value goes into the element's own style, where it
 * wins over rules; if one of them is important, it is made important too.
 * @param {any} lib
 */
(lib) => {
  /** @typedef {{element: WeakRef<any>, name: string, value: string, priority: string, all: string,
   *   attribute: string | null}} Before */
  /** @type {Map<number, Before>} */
  const kept = new Map();

  /** @param {any} element @param {string} name */
  const computed = (element, name) => lib.tree.style(element).getPropertyValue(name).trim();

  /** @param {number} number @param {any} element @param {string} name @param {string} value */
  const change = (number, element, name, value) => {
    const own = element.style;
    const before = computed(element, name);
    const had = { value: own.getPropertyValue(name), priority: own.getPropertyPriority(name) };
    const whole = { all: own.cssText, attribute: lib.tree.attr(element, "style") };
    kept.set(number, { element: new WeakRef(element), name, ...had, ...whole });
    const probe = document.createElement("i").style;
    probe.setProperty(name, value);
    if (!probe.getPropertyValue(name)) return { before, after: before, taken: false };
    own.setProperty(name, value);
    const normal = computed(element, name);
    own.setProperty(name, value, "important");
    if (computed(element, name) === normal) own.setProperty(name, value);
    return { before, after: computed(element, name), taken: true };
  };

  /** @param {number} number */
  const undo = (number) => {
    const it = kept.get(number);
    kept.delete(number);
    const element = it?.element.deref();
    if (!it || !element) return false;
    if (it.value) element.style.setProperty(it.name, it.value, it.priority);
    else element.style.removeProperty(it.name);
    if (element.style.cssText !== it.all) return true; // the page has changed more meanwhile
    if (it.attribute === null) Element.prototype.removeAttribute.call(element, "style");
    else Element.prototype.setAttribute.call(element, "style", it.attribute);
    return true;
  };

  return { change, undo };
};
