/**
 * The text that a person sees of a document or of one element, without what is in frames.
 * @param {Document | Element} root
 * @param {{}} _
 * @param {Lib} lib
 * @returns {string}
 */
export default (root, _, lib) => lib.pageText(root).parts[0];
