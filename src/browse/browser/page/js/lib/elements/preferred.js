/**
 * Which of several elements that hold some words is meant: one that is seen, says just that and can be operated, in
 * this order. None is preferred where several are equally good.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, visibility, renderedText } = lib;
  const MAX_LOOKED = 200;
  const MARKS = /[\s:*]+$/;
  const controlOf = tree.getter(HTMLLabelElement.prototype, "control");

  /** Words without what only marks a label: "Name:" and "Name *" are "name". @param {string} words */
  const unmarked = (words) => words.replace(MARKS, "").toLowerCase();

  /** What a press on an element reaches: the control that it is in. @param {Element} element */
  const controlAt = (element) => {
    for (let node = /** @type {Element | null} */ (element); node; node = tree.parent(node)) {
      if (roles.INTERACTIVE.has(roles.of(node))) return node;
      if (node instanceof HTMLLabelElement && controlOf(node)) return /** @type {Element} */ (controlOf(node));
      if (tree.has(node, "onclick")) return node;
    }
    return null;
  };

  /** @param {Element} element */
  const isOperable = (element) => {
    const control = controlAt(element);
    if (control) return lib.states.of(control, roles.of(control)).disabled !== true;
    return tree.style(element).cursor === "pointer";
  };

  /** What an element says, and what it is called. @param {Element} element */
  const wordsOf = (element) =>
    [element instanceof HTMLElement ? element.innerText : element.textContent || "", lib.names.of(element)].map(
      renderedText.fold,
    );

  /** Those that pass, or all where none does. @param {Element[]} found @param {(it: Element) => boolean} passes */
  const among = (found, passes) => {
    const left = found.filter(passes);
    return left.length ? left : found;
  };

  /**
   * The best of what was found, in the order of the page: one, or several that are equally good.
   * @param {Element[]} found @param {string} words "" where they are not known @returns {Element[]}
   */
  const of = (found, words) => {
    if (found.length < 2 || found.length > MAX_LOOKED) return found;
    const wanted = renderedText.fold(words);
    let best = among(found, (it) => !tree.hidden(it) && visibility.isVisible(it));
    if (wanted) {
      const said = new Map(best.map((it) => [it, wordsOf(it)]));
      /** @param {(words: string) => boolean} fits */
      const saying = (fits) => among(best, (it) => (said.get(it) || []).some(fits));
      best = saying((its) => unmarked(its) === unmarked(wanted));
      best = saying((its) => its === wanted);
    }
    best = among(best, isOperable);
    const control = controlAt(best[0]);
    return control && best.every((it) => controlAt(it) === control) ? best.slice(0, 1) : best;
  };

  return { of };
};
