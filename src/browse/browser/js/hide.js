// @ts-check
/**
 * Hides the elements that a selector found, for one picture.
 * @param {Document | Element} _
 * @param {{run: number}} options
 * @param {any} lib
 */
(_, { run }, lib) => {
  const found = lib.found.taken(run);
  for (const element of found) lib.edits.hide(element, true);
  return found.length;
};
