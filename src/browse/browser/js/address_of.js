// @ts-check
/**
 * The selector that finds this element alone; "" where there is none.
 * @param {Element} root @param {unknown} _ @param {any} lib
 */
(root, _, lib) => lib.address.of(root).toWellFormed();
