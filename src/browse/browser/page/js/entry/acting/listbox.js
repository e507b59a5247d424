/**
 * The list that a combobox opens, if it can be seen now.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, _, lib) => {
  const { tree, roles } = lib;
  const named = [
    ...tree.referred(root, "aria-controls", "ariaControlsElements"),
    ...tree.referred(root, "aria-owns", "ariaOwnsElements"),
    root,
  ];
  const found = named.flatMap((it) => [it, ...tree.all(it, '[role~="listbox" i]')]);
  return found.find((it) => roles.of(it) === "listbox" && !tree.hidden(it));
};
