/**
 * The control that an element stands for: what a label labels, else the element itself.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element}
 */
export default (root, _, lib) => {
  if (lib.roles.INTERACTIVE.has(lib.roles.of(root))) return root;
  const label = lib.tree.closest(root, "label");
  return (label && lib.tree.getter(HTMLLabelElement.prototype, "control")(label)) || root;
};
