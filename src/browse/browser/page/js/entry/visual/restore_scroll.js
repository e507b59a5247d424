/**
 * Scrolls everything back to where it was before `reveal`.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 */
export default (_, __, lib) => {
  lib.scrollPositions.putBack();
  return true;
};
