/**
 * The attributes of an element in the order of its markup, and whether its value is a secret.
 * @param {Element} root
 * @param {{}} _
 * @param {Lib} lib
 */
export default (root, _, lib) => {
  const names = Element.prototype.getAttributeNames.call(root);
  return {
    attributes: names.map((name) => [name.toWellFormed(), (lib.tree.attr(root, name) || "").toWellFormed()]),
    secret: lib.states.isSecret(root),
  };
};
