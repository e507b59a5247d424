/**
 * The forms of a document with their fields, and last, as a form without an address, the fields that belong
 * to none. The value of a secret stays in the page, unless it is to be revealed.
 * @param {Document | Element} root
 * @param {{reveal?: boolean}} options
 * @param {Lib} lib
 */
export default (root, { reveal }, lib) => {
  const { tree, roles, names, states } = lib;
  const FIELDS =
    "input, select, textarea, button, [contenteditable], [role=textbox], [role=searchbox], [role=combobox]," +
    " [role=checkbox], [role=radio], [role=switch], [role=slider], [role=spinbutton], [role=listbox]";
  const MOST_OPTIONS = 500;
  const LIMITS = ["min", "max", "step", "pattern", "maxlength", "accept", "autocomplete"];
  const formOf = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement].map((kind) => ({
    kind,
    get: tree.getter(kind.prototype, "form"),
  }));
  const { closest } = Element.prototype;
  const actionOf = tree.getter(HTMLFormElement.prototype, "action");
  const methodOf = tree.getter(HTMLFormElement.prototype, "method");

  /** @param {Record<string, any>} facts */
  const known = (facts) =>
    Object.fromEntries(Object.entries(facts).filter(([, it]) => it !== undefined && it !== null && it !== "" && it !== false));

  /** @param {Element} field @returns {Element | null} */
  const owner = (field) => {
    const native = formOf.find(({ kind }) => field instanceof kind);
    return native ? native.get(field) : closest.call(field, "form");
  };

  /** @param {HTMLSelectElement} select @param {boolean} secret */
  const options = (select, secret) =>
    [...select.options].slice(0, MOST_OPTIONS).map((option) => ({
      value: option.value.toWellFormed(),
      text: lib.renderedText.fold(option.label || option.text).toWellFormed(),
      ...(option.selected && !secret ? { selected: true } : {}),
      ...(option.disabled ? { disabled: true } : {}),
    }));

  /** @param {Element} field @param {string} role @returns {string | string[]} What is or would be sent. */
  const valueOf = (field, role) => {
    if (field instanceof HTMLSelectElement) {
      const chosen = [...field.selectedOptions].map((option) => option.value.toWellFormed());
      return field.multiple ? chosen : chosen.join("");
    }
    if (field instanceof HTMLInputElement && field.type !== "file") return field.value.toWellFormed();
    if (field instanceof HTMLButtonElement) return field.value.toWellFormed();
    return states.value(field, role);
  };

  /** @param {Element} field */
  const described = (field) => {
    const role = roles.of(field);
    const found = states.of(field, role);
    const secret = states.isSecret(field) && !reveal;
    const value = valueOf(field, role);
    const select = field instanceof HTMLSelectElement ? field : null;
    const isPlain = field instanceof HTMLInputElement || field instanceof HTMLButtonElement;
    // Told even when false: whether a box is ticked is what one asks about it.
    const ticked = found.checked === undefined ? {} : { checked: found.checked };
    const facts = known({
      tag: tree.tag(field),
      type: isPlain ? field.type : select?.multiple ? "select-multiple" : undefined,
      role: tree.has(field, "role") || tree.has(field, "contenteditable") ? role : undefined,
      name: tree.attr(field, "name"),
      id: tree.attr(field, "id"),
      label: names.of(field),
      placeholder: tree.attr(field, "placeholder"),
      required: found.required,
      disabled: found.disabled,
      readonly: found.readonly,
      invalid: found.invalid,
      ...Object.fromEntries(LIMITS.map((name) => [name, tree.attr(field, name)])),
      value: !secret && value.length ? value : undefined,
      secret: secret && value.length > 0,
      options: select ? options(select, secret) : undefined,
      moreOptions: select && select.options.length > MOST_OPTIONS && select.options.length - MOST_OPTIONS,
    });
    return { ...facts, ...ticked };
  };

  /** @type {Map<Element | null, any[]>} */
  const fields = new Map(lib.visibleContent.all(root, "form").map((/** @type {Element} */ form) => [form, []]));
  for (const field of lib.visibleContent.all(root, FIELDS)) {
    if (tree.has(field, "contenteditable") && !roles.isEditingHost(field)) continue;
    const form = owner(field);
    fields.get(form)?.push(described(field)) ?? fields.set(form, [described(field)]);
  }
  const outside = fields.get(null);
  fields.delete(null);
  const found = [...fields].map(([form, inside]) => ({
    ...known({
      action: tree.has(form, "action") && lib.visibleContent.address(actionOf(form)),
      method: methodOf(form),
      id: tree.attr(form, "id"),
      name: tree.attr(form, "name"),
    }),
    fields: inside,
  }));
  return outside ? [...found, { outside: true, fields: outside }] : found;
};
