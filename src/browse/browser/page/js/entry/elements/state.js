/**
 * Whether an element is in a state, by its markup or by what ARIA says of it; null when the question makes
 * no sense for it. Asked of a label, all but `visible` and `focused` are answered for what it labels.
 * @param {Element} root
 * @param {{state: "visible" | "disabled" | "checked" | "editable" | "focused"}} options
 * @param {Lib} lib
 * @returns {boolean | null}
 */
export default (root, { state }, lib) => {
  const { tree, roles, states, visibility } = lib;
  const labelled = tree.getter(HTMLLabelElement.prototype, "control");
  const editableOf = tree.getter(HTMLElement.prototype, "isContentEditable");
  const FIELDS = new Set(["input", "textarea", "select"]);

  const isOfControl = root instanceof HTMLLabelElement && state !== "visible" && state !== "focused";
  const element = (isOfControl && labelled(root)) || root;
  /** @param {string} name */
  const mark = (name) => states.of(element, roles.of(element))[name];

  const isEditable = () => {
    const isField = FIELDS.has(tree.tag(element)) || (element instanceof HTMLElement && editableOf(element));
    const isFixed = tree.has(element, "readonly") || tree.token(element, "aria-readonly") === "true";
    return isField && !isFixed && !mark("disabled");
  };

  const isChecked = () => {
    const said = mark("checked");
    if (said !== undefined) return said === true;
    return tree.has(element, "aria-checked") ? tree.token(element, "aria-checked") === "true" : null;
  };

  switch (state) {
    case "visible":
      return visibility.isVisible(element);
    case "disabled":
      return mark("disabled") === true;
    case "checked":
      return isChecked();
    case "editable":
      return isEditable();
    case "focused":
      return mark("active") === true;
  }
};
