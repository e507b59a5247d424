/**
 * What a field holds: what it sends, the labels of what is chosen, whether it is ticked. Null for what is no field.
 * A secret stays in the page, unless it is to be revealed. Asked of a label, it is answered for what it labels. What
 * an editor shows may be a part of what it holds, and may be nowhere in what takes its text.
 * @param {Element} root
 * @param {{reveal: boolean}} options
 * @param {Lib} lib
 */
export default (root, { reveal }, lib) => {
  const { tree, roles, states, editors, renderedText } = lib;
  const labelled = tree.getter(HTMLLabelElement.prototype, "control");
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");
  const areaValue = tree.getter(HTMLTextAreaElement.prototype, "value");
  const chosenOf = tree.getter(HTMLSelectElement.prototype, "selectedOptions");
  const optionValue = tree.getter(HTMLOptionElement.prototype, "value");
  const HOLDING = "combobox listbox meter progressbar searchbox slider spinbutton textbox";
  const TICKED = "checkbox menuitemcheckbox menuitemradio radio switch";
  const ROLES = new Set(`${HOLDING} ${TICKED}`.split(" "));
  const MAX_CHARS = 1_000_000;
  /** @type {string[]} */
  const none = [];
  const EMPTY = { values: none, labels: none, checked: null, secret: false, secretChars: 0 };

  const element = (root instanceof HTMLLabelElement && labelled(root)) || root;
  const role = roles.of(element);
  const tag = tree.tag(element);
  const isField = tag === "input" || tag === "textarea" || tag === "select";
  const editor = tag === "input" || tag === "select" ? undefined : editors.areaOf(element);
  if (!isField && !ROLES.has(role) && !editor) return null;
  const isSecret = states.isSecret(element) || (editor !== undefined && states.isSecret(editor));
  if (editor && !isSecret && editors.shown(editor) === null) return { ...EMPTY, part: "nothing" };

  /** @type {Element[]} */
  const chosen = tag === "select" ? [...chosenOf(element)] : [];
  const values = () => {
    if (tag === "select") return chosen.map((option) => optionValue(option));
    if (editor && editors.shown(editor) !== null) return [(editors.shown(editor) || "").replace(/\u00a0/g, " ")];
    if (tag === "textarea") return [areaValue(element)];
    if (tag === "input" && roles.inputType(element) !== "file") return [inputValue(element)];
    return [states.value(element, role)];
  };
  const { checked } = states.of(element, role);
  const held = values().map((value) => value.slice(0, MAX_CHARS).toWellFormed());
  const secret = isSecret && !reveal;
  return {
    values: secret ? [] : held,
    labels: secret ? [] : chosen.map((it) => renderedText.fold(tree.attr(it, "label") || it.textContent || "")),
    checked: checked === undefined ? null : checked,
    secret,
    secretChars: secret ? held.join("").length : 0,
    part: editor && editors.isCut(editor) ? "some" : "all",
  };
};
