/**
 * Scrolls everything back to where it was before `scroll_into_view`.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 */
export default (_, __, lib) => {
  lib.scrollPositions.restore();
  return true;
};
