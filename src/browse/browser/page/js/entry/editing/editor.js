/**
 * What takes the text of the editor that an element is, or that belongs to it.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, _, lib) => lib.editors.areaOf(root);
