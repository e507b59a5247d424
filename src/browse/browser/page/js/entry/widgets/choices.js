/**
 * What there is to choose from, and what each word means among it.
 * @param {Element} root @param {{words: string[], most: number}} options @param {Lib} lib
 */
export default (root, { words, most }, lib) => {
  const { options } = lib;
  const MAX_CHARS = 80;
  const all = options.list(root);
  /** @param {string} words */
  const cut = (words) => words.slice(0, MAX_CHARS).toWellFormed();
  const matches = words.map((word) => {
    const found = options.matching(all, word);
    const [first] = found;
    // Of the same value they are the same choice; options without values are told apart.
    const count = first instanceof HTMLOptionElement ? new Set(found.map(options.value)).size : found.length;
    return { count, disabled: !!first && options.isDisabled(first), selected: !!first && options.isSelected(first) };
  });
  const shown = all.slice(0, most).map((option) => ({
    label: cut(options.label(option)),
    value: cut(options.value(option)),
    disabled: options.isDisabled(option),
  }));
  const several = lib.chosen.takesSeveral(root);
  const said = all.length ? Number(lib.tree.attr(all[0], "aria-setsize")) : 0;
  return { count: all.length, size: Math.max(said || 0, all.length), several, matches, shown };
};
