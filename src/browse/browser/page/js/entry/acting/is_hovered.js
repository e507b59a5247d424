/**
 * Whether the mouse is over the element that was found last.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 * @returns {boolean}
 */
export default (_, __, lib) => {
  const element = lib.pressGuard.kept();
  return element !== null && lib.tree.fits(element, ":hover");
};
