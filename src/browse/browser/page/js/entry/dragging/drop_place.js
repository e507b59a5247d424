/**
 * Where to drop on an element.
 * @param {Element} root @param {{side: "" | "before" | "after"}} options @param {Lib} lib
 */
export default (root, { side }, lib) => lib.dragging.placeOn(root, side);
