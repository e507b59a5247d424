/**
 * Where a slider stands, and from where to where it goes; null for a number that it does not tell.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 */
export default (root, _, lib) => lib.sliders.state(root);
