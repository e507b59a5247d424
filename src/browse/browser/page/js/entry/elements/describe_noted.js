/**
 * What was found: how many elements, and of the first ones their tags, and their roles and names as a
 * snapshot would show them; where one alone was found and it is asked for, how to find it again.
 * @param {Document | Element} _
 * @param {{run: number, most: number, again: boolean}} options
 * @param {Lib} lib
 */
export default (_, { run, most, again }, lib) => {
  const MAX_NAME_CHARS = 80;
  const found = lib.noted.take(run);
  const elements = found.slice(0, most).map((element) => ({
    tag: lib.tree.tag(element),
    role: lib.roles.of(element),
    name: lib.names.of(element).slice(0, MAX_NAME_CHARS).toWellFormed(),
  }));
  const address = again && found.length === 1 ? lib.selectors.describe(found[0]) : null;
  return { count: found.length, elements, address };
};
