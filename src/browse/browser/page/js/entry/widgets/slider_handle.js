/**
 * What is moved of the slider that an element is.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, _, lib) => lib.sliders.handleOf(root);
