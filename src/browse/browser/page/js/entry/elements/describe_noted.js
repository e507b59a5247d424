/**
 * What was found: how many elements, and of the first ones their tags, and their roles and names as a
 * snapshot would show them; the words of those without a name, where there are several to choose from or `worded` is
 * set; where one alone was found and it is asked for, how to find it again and how it stands for its `use`.
 * @param {Document | Element} _
 * @param {{run: number, most: number, again: boolean, use: ElementUse, worded: boolean}} options
 * @param {Lib} lib
 */
export default (_, { run, most, again, use, worded }, lib) => {
  const MAX_NAME_CHARS = 80;
  const found = lib.noted.take(run);
  /** @param {Element} element */
  const words = (element) => (lib.states.isSecret(element) ? "" : lib.visibleContent.words(element));
  const elements = found.slice(0, most).map((element) => {
    const name = lib.names.of(element).slice(0, MAX_NAME_CHARS).toWellFormed();
    const told = name || (found.length === 1 && !worded) ? "" : words(element).slice(0, MAX_NAME_CHARS).toWellFormed();
    return { tag: lib.tree.tag(element), role: lib.roles.of(element), name, words: told };
  });
  if (found.length === 1) lib.pressGuard.keep(found[0], () => true);
  const address = again && found.length === 1 ? lib.selectors.describe(found[0]) : null;
  return { count: found.length, elements, address, ...lib.firstStep(found.length === 1 ? use : "") };
};
