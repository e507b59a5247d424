/**
 * How many tools the document offers to agents; -1 while that is not known.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 */
export default (_, __, lib) => lib.pageTools.count();
