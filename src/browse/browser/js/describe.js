// @ts-check
/**
 * What was found: how many elements, and of the first ones their tags, and their roles and names as a
 * snapshot would show them.
 * @param {Document | Element} _
 * @param {{run: number, most: number}} options
 * @param {any} lib
 */
(_, { run, most }, lib) => {
  const NAME_CHARS = 80;
  const found = lib.found.taken(run);
  const elements = found.slice(0, most).map((/** @type {Element} */ element) => ({
    tag: lib.tree.tag(element),
    role: lib.roles.of(element),
    name: lib.names.of(element).slice(0, NAME_CHARS).toWellFormed(),
  }));
  return { count: found.length, elements };
};
