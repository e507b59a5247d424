/**
 * Hides the elements that a selector found, for one picture.
 * @param {Document | Element} _
 * @param {{run: number}} options
 * @param {Lib} lib
 */
export default (_, { run }, lib) => {
  const found = lib.noted.take(run);
  for (const element of found) lib.styleEdits.hide(element, true);
  return found.length;
};
