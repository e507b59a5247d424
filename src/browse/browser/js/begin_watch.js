// @ts-check
/**
 * From now on, notice whether anything happens in the document.
 * @param {Document | Element} _ @param {unknown} __ @param {any} lib
 */
(_, __, lib) => {
  lib.watch.start();
  return true;
};
