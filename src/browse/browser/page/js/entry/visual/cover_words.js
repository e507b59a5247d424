/**
 * Paints dots for these words; without any, paints all as it was.
 * @param {Document | Element} _ @param {{words: string[]}} options @param {Lib} lib
 */
export default (_, { words }, lib) => (words.length ? lib.coveredWords.cover(words) : lib.coveredWords.uncover());
