/**
 * All words that the document may paint, those of its fields included.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 */
export default (_, __, lib) => lib.coveredWords.all();
