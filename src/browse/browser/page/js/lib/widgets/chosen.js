/**
 * What a combobox or listbox shows as chosen: by what its options say of themselves, and by the words in it and
 * around it, where those that were chosen stand as chips.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, options, renderedText, visibility } = lib;
  const { fold } = renderedText;
  const nextOf = tree.getter(Element.prototype, "nextElementSibling");
  const previousOf = tree.getter(Element.prototype, "previousElementSibling");
  const COMBOBOX = "[role~=combobox i]";
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");
  const MAX_LEVELS = 6;
  const MAX_PARTS = 2_000;
  const FIELDS = "input:not([type=hidden]), textarea, select, [role~=combobox i], [role~=listbox i]";

  /** @param {Element[]} places */
  const listsIn = (places) =>
    places.flatMap((it) => [it, ...tree.all(it, '[role~="listbox" i]')]).filter((it) => roles.of(it) === "listbox");
  /** The lists that a combobox names. @param {Element} control */
  const named = (control) =>
    listsIn([
      ...tree.referred(control, "aria-controls", "ariaControlsElements"),
      ...tree.referred(control, "aria-owns", "ariaOwnsElements"),
    ]);
  /** Whether a list has no room, so that only screen readers get it. @param {Element} list */
  const isUnseen = (list) => {
    const { width, height } = tree.rect(list);
    return !tree.hidden(list) && Math.max(width, height) <= 1 && tree.style(list).overflowY === "hidden";
  };
  /** What people see of a list: that itself, or what stands beside an unseen one. @param {Element} list */
  const seenOf = (list) => {
    const holder = tree.parent(list);
    if (!holder || !isUnseen(list)) return list;
    return tree.all(holder, "[aria-selected]").some((it) => !tree.isWithin(it, list)) ? holder : list;
  };
  /** The lists that may belong to a combobox: those that it names, and those in it. @param {Element} control */
  const lists = (control) => [...named(control), ...listsIn([control])].map(seenOf);

  /**
   * The list that a combobox opens, if it can be seen now: the longest, as what is chosen may be a list too. One that
   * says that it is closed has only the list that it names, until it was `pressed`.
   * @param {Element} control @param {boolean} pressed @returns {Element | undefined}
   */
  const open = (control, pressed) => {
    const isClosed = !pressed && tree.token(control, "aria-expanded") === "false";
    const shown = (isClosed ? named(control).map(seenOf) : lists(control)).filter(
      (it) => !tree.hidden(it) && !isUnseen(it),
    );
    const sizes = new Map(shown.map((it) => [it, options.list(it).length]));
    return shown.sort((a, b) => (sizes.get(b) || 0) - (sizes.get(a) || 0))[0];
  };

  /**
   * The field in which the list of an open combobox is searched: it, or one that has got the focus.
   * @param {Element} control @param {Element} list @returns {Element | undefined}
   */
  const searchField = (control, list) => {
    /** @param {Element} it */
    const isField = (it) => (it instanceof HTMLInputElement || it instanceof HTMLTextAreaElement) && !it.readOnly;
    if (isField(control)) return control;
    const field = lib.editors.focused();
    if (!isField(field)) return undefined;
    if (tree.isWithin(field, control) || named(field).map(seenOf).includes(list)) return field;
    let holder = tree.parent(list);
    for (let level = 0; holder && level < 3; level += 1) {
      if (holder !== document.body && tree.isWithin(field, holder)) return field;
      holder = tree.parent(holder);
    }
    return undefined;
  };

  /** One that only sends a value has options without words. @param {Element} it */
  const isUnseenSelect = (it) =>
    tree.tag(it) === "select" &&
    (tree.hidden(it) || visibility.reason(it) !== "") &&
    options.list(it).some((option) => options.label(option) !== "");

  /**
   * The select for which a control stands: in it, or beside what holds it, and not seen by people.
   * @param {Element} control @returns {Element | undefined}
   */
  const selectOf = (control) => {
    const inner = tree.all(control, "select").find(isUnseenSelect);
    if (inner) return inner;
    /** @type {Element | null} */
    let holder = control;
    for (let level = 0; holder && level < MAX_LEVELS; level += 1) {
      const above = /** @type {Element | null} */ (tree.parent(holder));
      const beside = [previousOf(holder), nextOf(holder)].find((it) => it instanceof Element && isUnseenSelect(it));
      if (beside instanceof Element) return beside;
      if (!above || /^(body|form|fieldset|html)$/.test(tree.tag(above))) break;
      if (tree.all(above, COMBOBOX).some((it) => it !== control && !tree.isWithin(it, control))) break;
      holder = above;
    }
    return undefined;
  };

  /**
   * What stands for a select that people do not see; undefined where nothing does.
   * @param {Element} select @returns {Element | undefined}
   */
  const standIn = (select) => {
    if (!isUnseenSelect(select)) return undefined;
    const outer = tree.closest(select, COMBOBOX);
    const beside = [nextOf(select), previousOf(select)].filter((it) => it instanceof Element);
    const found = beside.flatMap((it) => (tree.fits(it, COMBOBOX) ? [it] : tree.all(it, COMBOBOX)));
    return outer || found.find((it) => selectOf(it) === select);
  };

  /** The words in an element, without those of lists. @param {Element} element @param {Element[]} without */
  const words = (element, without) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let found = "";
    for (let node = walker.nextNode(); node && found.length < MAX_PARTS; node = walker.nextNode()) {
      const holder = tree.parent(node);
      const isOut = !holder || tree.hidden(holder) || without.some((it) => tree.isWithin(holder, it));
      if (!isOut) found += `${/** @type {Text} */ (node).data} `;
    }
    return fold(found);
  };

  /** What a combobox itself shows. @param {Element} control @returns {string} */
  const shown = (control) => {
    const select = selectOf(control);
    if (select) return lib.states.held(select, "listbox");
    return control instanceof HTMLInputElement ? fold(inputValue(control)) : words(control, lists(control));
  };

  /** What stands for the whole widget: around the control, without another field. @param {Element} control */
  const around = (control) => {
    /** @param {Element} field */
    const isOther = (field) =>
      field !== control && !tree.hidden(field) && !tree.isWithin(field, control) && !tree.isWithin(control, field);
    const own = lists(control);
    let widest = control;
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const above = tree.parent(widest);
      if (!above || /^(body|form|fieldset|html)$/.test(tree.tag(above))) break;
      if (tree.all(above, FIELDS).some((it) => isOther(it) && !own.includes(it))) break;
      widest = above;
    }
    return widest;
  };

  /** Whether a word stands by itself around a control, as a chip. @param {Element} control @param {string} label */
  const isChip = (control, label) => {
    const own = lists(control);
    /** @param {Element} part */
    const says = (part) => {
      const direct = [...part.childNodes].filter((it) => it instanceof Text).map((it) => it.data);
      return [direct.join(" "), part.textContent || ""].some((it) => fold(it) === label);
    };
    const parts = tree.all(around(control), "*").slice(0, MAX_PARTS);
    return parts.some((it) => says(it) && !tree.hidden(it) && !own.some((list) => tree.isWithin(it, list)));
  };

  /** Whether some words stand in a text as whole words. @param {string} text @param {string} some */
  const has = (text, some) => {
    const isPart = (/** @type {string} */ it) => /[\p{L}\p{N}]/u.test(it);
    for (let at = text.indexOf(some); some && at >= 0; at = text.indexOf(some, at + 1))
      if (!isPart(text[at - 1] || "") && !isPart(text[at + some.length] || "")) return true;
    return false;
  };

  /** @param {Element} option */
  const tells = (option) => tree.has(option, "aria-selected") || tree.has(option, "aria-checked");
  /**
   * What the options of the lists say of one: null where they say nothing.
   * @param {Element[]} all @param {string} label
   */
  const marked = (all, label) => {
    const [option] = options.matching(all, label);
    if (!option || !all.some(tells)) return null;
    return options.isSelected(option) || tree.token(option, "aria-checked") === "true";
  };

  /** Whether a control takes several options. @param {Element} control @returns {boolean} */
  const takesSeveral = (control) =>
    [control, selectOf(control), ...lists(control)].some(
      (it) => it && (tree.has(it, "multiple") || tree.token(it, "aria-multiselectable") === "true"),
    );

  /**
   * Whether an option is chosen now; null where nothing tells.
   * @param {Element} control @param {string} word @param {string} before What it showed before.
   * @returns {boolean | null}
   */
  const is = (control, word, before) => {
    const select = selectOf(control);
    if (select) return options.matching(options.list(select), word).some(options.isSelected);
    const label = fold(word);
    const all = lists(control).flatMap((it) => options.inside(it));
    if (roles.of(control) === "listbox") return marked(all, label);
    const now = shown(control);
    if (has(now, label) || (now !== before && has(label, now)) || isChip(control, label)) return true;
    const isText = ["input", "textarea"].includes(tree.tag(control));
    if ((takesSeveral(control) || !isText) && marked(all, label)) return true;
    // Of what was chosen beside others, a list that was filtered since says nothing.
    if (takesSeveral(control) && marked(all, label) === null) return null;
    if (isText || now === before) return isText || now || marked(all, label) === false ? false : null;
    return all.some((it) => options.label(it) === now) ? false : null;
  };

  return { is, open, searchField, shown, standIn, takesSeveral };
};
