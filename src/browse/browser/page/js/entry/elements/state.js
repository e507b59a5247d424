/**
 * Whether an element is in a state, by its markup or by what ARIA says of it; null when the question makes
 * no sense for it. Asked of a label, all but `visible` and `focused` are answered for what it labels.
 * @param {Element} root
 * @param {{state: "visible" | "disabled" | "checked" | "editable" | "focused"}} options
 * @param {Lib} lib
 * @returns {boolean | null}
 */
export default (root, { state }, lib) => {
  const { tree, roles, states } = lib;
  const labelled = tree.getter(HTMLLabelElement.prototype, "control");
  const editableOf = tree.getter(HTMLElement.prototype, "isContentEditable");
  const FIELDS = new Set(["input", "textarea", "select"]);
  const { checkVisibility, getBoundingClientRect } = Element.prototype;

  /** @param {Node} node @returns {boolean} Whether it has a box that is not empty. */
  const isSeen = (node) => {
    if (tree.isText(node)) {
      const range = document.createRange();
      range.selectNode(node);
      const { width, height } = range.getBoundingClientRect();
      return width > 0 && height > 0;
    }
    if (!tree.isElement(node)) return false;
    const element = /** @type {Element} */ (node);
    const { display, visibility } = tree.style(element);
    if (display === "contents") return tree.children(element).some(isSeen);
    if (!checkVisibility.call(element) || visibility !== "visible") return false;
    const { width, height } = getBoundingClientRect.call(element);
    return width > 0 && height > 0;
  };

  const element = root instanceof HTMLLabelElement && state !== "visible" && state !== "focused" ? labelled(root) || root : root;
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
      return isSeen(element);
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
