/**
 * The selector that finds this element alone; "" where there is none.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 */
export default (root, _, lib) => lib.selectors.of(root).toWellFormed();
