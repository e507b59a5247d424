/**
 * The item at the end of a path, or what opens it when it is clicked.
 * @param {Element} root @param {{path: string[], toggle: boolean}} options @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, { path, toggle }, lib) => {
  const { found, last } = lib.trees.walk(root, path);
  if (!last || found < path.length) return undefined;
  return toggle ? lib.trees.toggleOf(last.element) : last.element;
};
