/**
 * What was found: how many elements, and of the first ones their tags, and their roles and names as a
 * snapshot would show them; the words of those without a name, where there are several to choose from or `worded` is
 * set; where one alone was found and it is asked for, how to find it again and how it stands for its `use`. Of several
 * that hold the words `prefer`, the best is found alone if there is one; then it has a ref, and `others` are counted.
 * With `numbers`, several have refs, and what tells them apart.
 * @param {Document | Element} _
 * @param {{run: number, most: number, again: boolean, use: ElementUse, worded: boolean, prefer?: string | null,
 *   numbers?: RefNumbers}} options
 * @param {Lib} lib
 */
export default (_, { run, most, again, use, worded, prefer, numbers }, lib) => {
  const MAX_NAME_CHARS = 80;
  const INTERACTIVE = 2;
  const all = lib.noted.take(run);
  const best = typeof prefer === "string" ? lib.preferred.of(all, prefer) : all;
  const found = best.length === 1 ? best : all;
  const others = all.length - found.length;
  const hasRefs = numbers !== undefined && all.length > 1;
  if (hasRefs) lib.refs.begin(numbers);
  /** @param {string} text */
  const cut = (text) => text.slice(0, MAX_NAME_CHARS).toWellFormed();
  /** @param {Element} element */
  const words = (element) => (lib.states.isSecret(element) ? "" : lib.visibleContent.words(element));
  /** The best come first. @type {(element: Element) => SnapshotRow} */
  const row = (element) => {
    const full = lib.names.of(element);
    const role = lib.roles.of(element);
    const told = cut(full) || (found.length === 1 && !worded && !others) ? "" : cut(words(element));
    const number = hasRefs ? lib.refs.show("e", element, role, full) : 0;
    return [number, 0, role, cut(full), lib.visibility.isVisible(element) ? "" : "[not visible]", told, INTERACTIVE];
  };
  /**
   * What tells those apart that are seen, in the order of the page.
   * @param {{element: Element, row: SnapshotRow}[]} rows
   */
  const apart = (rows) => {
    const told = rows
      .filter(({ row: [, , , , marks] }) => !marks)
      .map(({ element, row: [number, depth, role, name, marks, words, flags] }) => {
        /** @type {SnapshotRow} */
        const called = [number, depth, role, name || words, marks, "", flags];
        return { element, row: called };
      })
      .sort((one, two) => all.indexOf(one.element) - all.indexOf(two.element));
    lib.contexts.add(told);
    return new Map(told.map(({ element, row: [, , , , , , , context] }) => [element, context]));
  };
  const order = found.length === 1 ? found : [...best, ...found.filter((it) => !best.includes(it))];
  const shown = order.slice(0, most).map((element) => ({ element, row: row(element) }));
  const contexts = hasRefs && found.length > 1 ? apart(shown) : new Map();
  const elements = shown.map(({ element, row: [number, , role, name, marks, told] }) => {
    const context = contexts.get(element) || "";
    return { tag: lib.tree.tag(element), role, name, words: told, number, nth: all.indexOf(element), marks, context };
  });
  if (found.length === 1) lib.pressGuard.keep(found[0], () => true);
  const address = again && found.length === 1 ? lib.selectors.describe(found[0]) : null;
  const next = hasRefs ? lib.refs.next() : null;
  return { count: found.length, others, elements, address, next, ...lib.firstStep(found.length === 1 ? use : "") };
};
