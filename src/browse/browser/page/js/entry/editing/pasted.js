/**
 * What was pasted has arrived: text may go into any field again.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 * @returns {boolean}
 */
export default (_, __, lib) => {
  lib.textGuard.disarm();
  return true;
};
