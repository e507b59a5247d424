/**
 * From now on, count what happens in the document.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 * @returns {boolean}
 */
export default (_, __, lib) => {
  lib.changeCounter.start();
  return true;
};
