/**
 * What takes the keys of an element that cannot be focused: the one thing in it that the keyboard reaches.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, _, lib) => {
  if (lib.roles.isFocusable(root)) return undefined;
  const inside = lib.tree.all(root, '[tabindex="0"]');
  return inside.length === 1 ? inside[0] : undefined;
};
