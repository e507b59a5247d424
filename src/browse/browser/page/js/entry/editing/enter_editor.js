/**
 * Focus what takes the text of an editor, and let what is typed go into it only.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {string} "ready", "folding" where runs of blanks are shown as one, "masked" where other characters are
 * shown, "readonly", or "doubt" where it did not keep the focus
 */
export default (root, _, lib) => lib.editors.enter(root);
