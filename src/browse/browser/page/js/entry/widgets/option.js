/**
 * The option that a word means.
 * @param {Element} root @param {{word: string}} options @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, { word }, lib) => lib.options.matching(lib.options.list(root), word)[0];
