/**
 * From now on, notice whether anything happens in the document.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 */
export default (_, __, lib) => {
  lib.changeCounter.start();
  return true;
};
