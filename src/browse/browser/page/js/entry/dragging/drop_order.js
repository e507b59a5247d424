/**
 * Where what was dragged stands now, seen from an element.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 */
export default (root, _, lib) => lib.dragging.orderTo(root);
