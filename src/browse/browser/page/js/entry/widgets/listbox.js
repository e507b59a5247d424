/**
 * The list that a combobox opens, if it can be seen now.
 * @param {Element} root @param {{pressed: boolean}} options Whether it was pressed to open it. @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, { pressed }, lib) => lib.chosen.open(root, pressed);
