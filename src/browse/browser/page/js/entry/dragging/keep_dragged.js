/**
 * Keep the element that is dragged, to tell later where it went.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {boolean}
 */
export default (root, _, lib) => {
  lib.dragging.keep(root);
  return true;
};
