/**
 * What stands for a select that people do not see.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, _, lib) => lib.chosen.standIn(root);
