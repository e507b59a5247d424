/**
 * The forms of a document with their fields, and last, as a form without an address, the fields that belong
 * to none. The value of a secret stays in the page, unless it is to be revealed.
 * @param {Document | Element} root
 * @param {{reveal?: boolean}} options
 * @param {Lib} lib
 */
export default (root, { reveal }, lib) => {
  const { tree, roles, names, states, visibleContent } = lib;
  const FIELDS =
    "input, select, textarea, button, [contenteditable], [role=textbox], [role=searchbox], [role=combobox]," +
    " [role=checkbox], [role=radio], [role=switch], [role=slider], [role=spinbutton], [role=listbox]";
  const MAX_OPTIONS = 500;
  const LIMITS = ["min", "max", "step", "pattern", "maxlength", "accept", "autocomplete"];
  const formOf = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement].map((kind) => ({
    kind,
    get: tree.getter(kind.prototype, "form"),
  }));
  const actionOf = tree.getter(HTMLFormElement.prototype, "action");
  const methodOf = tree.getter(HTMLFormElement.prototype, "method");

  /** Without what is empty. @param {Record<string, unknown>} facts @returns {Record<string, unknown>} */
  const known = (facts) => {
    const isKnown = (/** @type {unknown} */ it) => it !== undefined && it !== null && it !== "" && it !== false;
    return Object.fromEntries(Object.entries(facts).filter(([, it]) => isKnown(it)));
  };

  /** @param {Element} field @returns {Element | null} */
  const owner = (field) => {
    const native = formOf.find(({ kind }) => field instanceof kind);
    return native ? native.get(field) : tree.closest(field, "form");
  };

  /** @param {HTMLSelectElement} select @param {boolean} secret */
  const options = (select, secret) =>
    [...select.options].slice(0, MAX_OPTIONS).map((option) => ({
      value: option.value.toWellFormed(),
      text: lib.renderedText.fold(option.label || option.text).toWellFormed(),
      ...(option.selected && !secret ? { selected: true } : {}),
      ...(option.disabled ? { disabled: true } : {}),
    }));

  /** What is or would be sent. @param {Element} field @param {string} role @returns {string | string[]} */
  const sentBy = (field, role) => {
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
    const value = sentBy(field, role);
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
      moreOptions: select && select.options.length > MAX_OPTIONS && select.options.length - MAX_OPTIONS,
    });
    return { ...facts, ...ticked };
  };

  /** @typedef {Record<string, unknown>} Facts */
  /** @type {Map<Element, Facts[]>} */
  const forms = new Map(visibleContent.all(root, "form").map((form) => [form, []]));
  /** @type {Facts[]} */
  const outside = [];
  for (const field of visibleContent.all(root, FIELDS)) {
    if (tree.has(field, "contenteditable") && !roles.isEditingHost(field)) continue;
    const form = owner(field);
    if (!form) outside.push(described(field));
    else forms.set(form, [...(forms.get(form) || []), described(field)]);
  }
  const found = [...forms].map(([form, fields]) => ({
    ...known({
      action: tree.has(form, "action") && visibleContent.address(actionOf(form)),
      method: methodOf(form),
      id: tree.attr(form, "id"),
      name: tree.attr(form, "name"),
    }),
    fields,
  }));
  return outside.length ? [...found, { outside: true, fields: outside }] : found;
};
