/**
 * What an element is and how it stands, as far as acting on it depends on that.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 */
export default (root, _, lib) => {
  const { tree, roles, states, names } = lib;
  const role = roles.of(root);
  const tag = tree.tag(root);
  const { checked, active, disabled } = states.of(root, role);
  const control = tag === "label" ? tree.getter(HTMLLabelElement.prototype, "control")(root) : null;
  return {
    tag,
    type: tag === "input" ? roles.inputType(root) : "",
    role,
    checked: checked ?? null,
    active: active === true,
    disabled: disabled === true,
    connected: tree.getter(Node.prototype, "isConnected")(root),
    labelled: names.labelsOf(root).some((label) => tree.isRendered(label)),
    multiple: tree.has(root, "multiple"),
    secret: states.isSecret(control || root),
    folder: tree.has(root, "webkitdirectory"),
    accept: (tree.attr(root, "accept") || "").slice(0, 1000).toWellFormed(),
  };
};
