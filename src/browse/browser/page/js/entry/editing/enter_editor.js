/**
 * Focus what takes the text of an editor.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {string} "ready", "readonly", or "doubt" where it did not keep the focus
 */
export default (root, _, lib) => lib.editors.enter(root);
