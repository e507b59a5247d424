/**
 * What a person or an agent has put into fields: what differs from what the page came with.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const MAX_FIELDS = 2_000;
  const FIELDS = "input, textarea, select, [contenteditable]";
  // A token of the page, a button, and what no script may set.
  const NOT_TYPED = new Set(["hidden", "button", "submit", "reset", "image", "file"]);
  const CHECKED = new Set(["checkbox", "radio"]);

  /** @param {Element} element @returns {{kind: string, name: string}} */
  const identity = (element) => ({
    kind: element instanceof HTMLInputElement ? `input ${element.type}` : tree.localName(element),
    name: tree.attr(element, "name") || "",
  });

  /** @param {Element} element @returns {string[] | null} What is in it; null if it is as the page made it. */
  const typed = (element) => {
    if (element instanceof HTMLInputElement) {
      if (NOT_TYPED.has(element.type)) return null;
      if (CHECKED.has(element.type))
        return element.checked === element.defaultChecked ? null : [element.checked ? "on" : ""];
      return element.value === element.defaultValue ? null : [element.value];
    }
    if (element instanceof HTMLTextAreaElement) return element.value === element.defaultValue ? null : [element.value];
    if (element instanceof HTMLSelectElement) {
      const options = [...element.options];
      const isUsual = options.some((it) => it.defaultSelected)
        ? options.every((it) => it.selected === it.defaultSelected)
        : element.multiple
          ? !options.some((it) => it.selected)
          : element.selectedIndex <= 0;
      return isUsual ? null : options.filter((it) => it.selected).map((it) => it.value);
    }
    const editable = element instanceof HTMLElement && element.isContentEditable;
    return editable && element.innerText.trim() ? [element.innerText] : null;
  };

  /** Everything that was typed, and how many files were chosen, which cannot be chosen again. */
  const read = () => {
    const elements = tree.roots().flatMap((root) => tree.all(root, FIELDS));
    const files = elements.filter((it) => it instanceof HTMLInputElement && it.files?.length).length;
    const fields = [];
    for (const element of elements.slice(0, MAX_FIELDS)) {
      const values = typed(element);
      const way = values && lib.paths.of(element);
      if (values && way) fields.push({ way, ...identity(element), values });
    }
    return { fields, files };
  };

  /** @param {HTMLElement} element @param {string} text */
  const write = (element, text) => {
    element.focus();
    document.getSelection()?.selectAllChildren(element);
    document.execCommand("insertText", false, text);
  };

  /** @param {Element} element @param {string[]} values */
  const put = (element, values) => {
    if (element instanceof HTMLSelectElement)
      for (const option of element.options) option.selected = values.includes(option.value);
    else if (element instanceof HTMLInputElement && CHECKED.has(element.type)) element.checked = values[0] === "on";
    else if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.value = values[0];
    else if (element instanceof HTMLElement) return write(element, values[0]);
    for (const type of ["input", "change"])
      element.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
  };

  /**
   * Put back what was typed into a field; tell whether the field was there. It must be of the same kind and name: what
   * was typed into one field never goes into another.
   * @param {TypedField} field @returns {boolean}
   */
  const restore = ({ way, kind, name, values }) => {
    const element = lib.paths.find(way);
    if (!element) return false;
    const now = identity(element);
    if (now.kind !== kind || now.name !== name) return false;
    const there = typed(element);
    if (there?.join("\n") !== values.join("\n")) put(element, values);
    return true;
  };

  return { read, restore };
};
