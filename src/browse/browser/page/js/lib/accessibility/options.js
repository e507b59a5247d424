/**
 * The options of a select or of an ARIA listbox, and which of them a word means: the one with that value,
 * else the one with that label.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, names, renderedText } = lib;
  const optionsOf = tree.getter(HTMLSelectElement.prototype, "options");
  const nativeValue = tree.getter(HTMLOptionElement.prototype, "value");

  /**
   * The options in an ARIA list, also if it is closed; or in what stands for one, which has them without a role.
   * @param {Element} element @returns {Element[]}
   */
  const inside = (element) => {
    const isOption = (/** @type {Element} */ it) => roles.of(it) === "option";
    if (roles.of(element) === "listbox") return tree.all(element, '[role~="option" i]').filter(isOption);
    return tree.all(element, "[aria-selected]").filter((it) => !isOption(it));
  };
  /** @param {Element} element @returns {Element[]} */
  const list = (element) =>
    tree.tag(element) === "select" ? [...optionsOf(element)] : inside(element).filter((it) => !tree.hidden(it));

  /** @param {Element} option */
  const isNative = (option) => option instanceof HTMLOptionElement;
  /** @param {Element} option @returns {string} */
  const value = (option) => (isNative(option) ? nativeValue(option) : "");
  /** @param {Element} option @returns {string} */
  const label = (option) =>
    (!isNative(option) && names.of(option)) || // none in a closed list
    renderedText.fold((isNative(option) && tree.attr(option, "label")) || option.textContent || "");

  /** @param {Element} option That the whole select is disabled is not the option's own state. */
  const isDisabled = (option) =>
    isNative(option)
      ? tree.fits(option, "[disabled], optgroup[disabled] > *")
      : lib.states.of(option, "option").disabled === true;
  /** @param {Element} option @returns {boolean} */
  const isSelected = (option) => lib.states.of(option, "option").selected === true;

  /** @param {Element[]} options @param {string} word @returns {Element[]} */
  const matching = (options, word) => {
    const byValue = options.filter((option) => isNative(option) && value(option) === word);
    const wanted = renderedText.fold(word);
    return byValue.length ? byValue : options.filter((option) => label(option) === wanted);
  };

  return { inside, list, value, label, isDisabled, isSelected, matching };
};
