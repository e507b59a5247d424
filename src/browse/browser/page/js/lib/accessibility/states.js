/**
 * What state an element is in, as far as a reader of the page needs it. Values of fields that hold a secret
 * are never read.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roleTables, roles, renderedText, patterns } = lib;
  const { attr, has, token, tag, fits } = tree;

  const CHECKED = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"]);
  const SELECTED = new Set(["columnheader", "gridcell", "option", "row", "rowheader", "tab", "treeitem"]);
  const RANGED = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);
  const TYPED = new Set(["combobox", "searchbox", "textbox"]);
  const MAX_CHARS = 10_000;
  const MAX_LABEL_CHARS = 200;
  const LABELLED_BY = ["name", "id", "aria-label", "placeholder", "title"];
  const checkedOf = tree.getter(HTMLInputElement.prototype, "checked");
  const mixedOf = tree.getter(HTMLInputElement.prototype, "indeterminate");
  const selectedOf = tree.getter(HTMLOptionElement.prototype, "selected");
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");
  const areaValue = tree.getter(HTMLTextAreaElement.prototype, "value");
  const chosenOf = tree.getter(HTMLSelectElement.prototype, "selectedOptions");
  const focusedIn = tree.getter(Document.prototype, "activeElement");
  const focusedInShadow = tree.getter(ShadowRoot.prototype, "activeElement");
  const meterValue = tree.getter(HTMLMeterElement.prototype, "value");
  const progressValue = tree.getter(HTMLProgressElement.prototype, "value");
  const filesOf = tree.getter(HTMLInputElement.prototype, "files");

  /** "cardNumber", "card-number" and "Card Number:" alike as "card number". @param {string} text */
  const plainWords = (text) => {
    const spaced = /[a-z0-9][A-Z]/.test(text) ? text.replace(/([a-z0-9])([A-Z])/g, "$1 $2") : text;
    if (!/[^\0-\x7f]/.test(spaced))
      return spaced
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, " ")
        .trim();
    const bare = spaced.normalize("NFD").replace(/\p{M}/gu, "");
    return bare
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  };

  /**
   * Whether a field holds what nobody should read: by its type, what fills it in, or what it is called.
   * @type {(element: Element) => boolean}
   */
  const isSecret = tree.remembered((element) => {
    const name = tag(element);
    if (name === "input" && roles.inputType(element) === "password") return true;
    const fills = token(element, "autocomplete").split(/\s+/);
    if (fills.some((fill) => patterns.secretFills.test(fill))) return true;
    const security = renderedText.letterStyle(element)?.getPropertyValue("-webkit-text-security");
    if (security && security !== "none") return true;
    return isCalled(element, patterns.secretNames);
  }, true);

  /** Whether one of an element's labels has such words. @param {Element} element @param {RegExp} words */
  const isCalled = (element, words) =>
    labels(element).some((label) => words.test(plainWords(label.slice(0, MAX_LABEL_CHARS))));

  /**
   * What an element is called; not its name, because names ask for values.
   * @param {Element} element @returns {string[]}
   */
  const labels = (element) => {
    const said = [];
    for (const name of LABELLED_BY) {
      const label = attr(element, name);
      if (label) said.push(label);
    }
    for (const label of lib.names.labelsOf(element)) said.push(label.textContent || "");
    for (const other of tree.referred(element, "aria-labelledby", "ariaLabelledByElements"))
      if (other !== element) said.push(other.textContent || "");
    return said;
  };

  /** What puts the words of a node on lines of their own. @param {Node} node @param {Element} top */
  const lineOf = (node, top) => {
    let holder = tree.parent(node);
    while (holder && holder !== top && /^(inline$|contents)/.test(tree.style(holder).display))
      holder = tree.parent(holder);
    return holder;
  };

  /** An element's text without that of hidden parts. @param {Element} element @returns {string} */
  const shownText = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    let found = "";
    let line = null;
    for (let node = walker.nextNode(); node && found.length < MAX_CHARS; node = walker.nextNode()) {
      const holder = tree.parent(node);
      if (tree.isElement(node) && tree.tag(node) === "br") found += " ";
      if (!tree.isText(node) || !holder || tree.hidden(holder)) continue;
      const own = lineOf(node, element);
      found += `${own === line ? "" : " "}${tree.data(node)}`;
      line = own;
    }
    return renderedText.fold(found);
  };

  /** @param {Element} element @param {string} role */
  const rangeValue = (element, role) => {
    const said =
      renderedText.fold(attr(element, "aria-valuetext") || "") ||
      renderedText.fold(attr(element, "aria-valuenow") || "");
    const name = tag(element);
    if (name === "input") return inputValue(element) || said;
    if (name === "progress") return has(element, "value") ? String(progressValue(element)) : "";
    if (name === "meter") return String(meterValue(element));
    return said || (role === "spinbutton" ? shownText(element) : "");
  };

  /** @param {Element} element @returns {string} */
  const chosenText = (element) => {
    if (tag(element) === "select")
      return [...chosenOf(element)]
        .map((option) => renderedText.fold(attr(option, "label") || option.textContent || ""))
        .join(", ");
    const options = tree.all(element, '[role="option"][aria-selected="true"], [role="option"][aria-checked="true"]');
    return options
      .map((option) => lib.names.of(option))
      .filter(Boolean)
      .join(", ");
  };

  /** @param {Element} element @param {string} role @returns {string} */
  const rawValue = (element, role) => {
    const name = tag(element);
    if (RANGED.has(role)) return rangeValue(element, role);
    if (name === "select" || role === "listbox") return chosenText(element);
    if (name === "input") {
      if (roles.inputType(element) !== "file") return TYPED.has(role) ? inputValue(element) : "";
      return [...(filesOf(element) || [])].map((file) => file.name).join(", ");
    }
    if (name === "textarea") return areaValue(element);
    if (!TYPED.has(role)) return "";
    return role !== "combobox" || roles.isFocusable(element) ? shownText(element) : "";
  };

  /** What a field holds; "" for a secret. @param {Element} element @param {string} role @returns {string} */
  const value = (element, role) => {
    const given = rawValue(element, role);
    return given && !isSecret(element) ? given.slice(0, MAX_CHARS).toWellFormed() : "";
  };

  /** @param {Element} element @param {string} role @returns {boolean | "mixed" | undefined} */
  const checked = (element, role) => {
    if (!CHECKED.has(role) && !(role === "option" && has(element, "aria-checked"))) return undefined;
    if (tag(element) === "input" && /^(checkbox|radio)$/.test(roles.inputType(element)))
      return mixedOf(element) ? "mixed" : checkedOf(element);
    const said = token(element, "aria-checked");
    return said === "mixed" && /checkbox/.test(role) ? "mixed" : said === "true";
  };

  /** @param {Element} element @returns {boolean | undefined} */
  const expanded = (element) => {
    if (tag(element) === "summary" && roles.isSummary(element))
      return has(/** @type {Element} */ (tree.parentNode(element)), "open");
    const said = token(element, "aria-expanded");
    if (said === "true" || said === "false") return said === "true";
    const popover = has(element, "popovertarget") && tree.byId(element, attr(element, "popovertarget") || "");
    return popover && has(popover, "popover") ? fits(popover, ":popover-open") : undefined;
  };

  /** Whether the author said so of the element or of something that it is in. */
  const isDisabledByAuthor = tree.inherited(
    () => false,
    (element, above) => (has(element, "aria-disabled") ? token(element, "aria-disabled") === "true" : above),
  );
  /** How many items of a tree are around what is in the element. */
  const treeLevel = tree.inherited(
    () => 0,
    (element, above) => {
      const role = roles.of(element);
      return role === "treeitem" ? above + 1 : role === "tree" || role === "treegrid" ? 0 : above;
    },
  );

  /** @param {Element} element @param {string} role */
  const disabled = (element, role) => {
    if (fits(element, ":disabled")) return true;
    if (token(element, "aria-disabled") === "true") return true;
    return roleTables.INTERACTIVE.has(role) && tree.census().disables && isDisabledByAuthor(element);
  };

  /** A field that nobody touched is not called wrong for being empty. @param {Element} element */
  const invalid = (element) => {
    const said = token(element, "aria-invalid");
    if (said) return said !== "false";
    if (fits(element, ":user-invalid")) return true;
    return fits(element, "input:invalid, textarea:invalid") && rawValue(element, roles.of(element)) !== "";
  };

  /** @param {Element} element @param {string} role */
  const isReadOnly = (element, role) =>
    (TYPED.has(role) && has(element, "readonly")) || token(element, "aria-readonly") === "true";

  /** @param {Element} element @param {string} role */
  const level = (element, role) => {
    if (role !== "heading" && role !== "treeitem") return undefined;
    const said = parseInt(attr(element, "aria-level") || "", 10);
    if (role === "heading") {
      if (said >= 1) return said;
      const rank = /^h([1-6])$/.exec(tag(element));
      return rank ? Number(rank[1]) : 2;
    }
    return said >= 1 ? said : treeLevel(element);
  };

  /** @param {Element} element @param {string} role */
  const selected = (element, role) => {
    if (!SELECTED.has(role)) return undefined;
    if (tag(element) === "option") return selectedOf(element);
    return has(element, "aria-selected") ? token(element, "aria-selected") === "true" : undefined;
  };

  /** @param {Element} element */
  const pressed = (element) => {
    const said = token(element, "aria-pressed");
    return said === "mixed" ? "mixed" : said ? said === "true" : undefined;
  };

  /** @param {Element} element */
  const current = (element) => {
    const said = token(element, "aria-current");
    return said && said !== "false" ? (/^(page|step|location|date|time)$/.test(said) ? said : true) : undefined;
  };

  /** What has the focus in each root. @type {() => Set<Element>} */
  const active = tree.once(() => {
    const focused = tree.roots().map((root) => (root === document ? focusedIn(root) : focusedInShadow(root)));
    const isField = document.hasFocus() && document.body && fits(document.body, ":read-write");
    return new Set(focused.filter((it) => it !== null).filter((it) => it !== document.body || isField));
  });

  /** @param {ElementStates} found @param {string} state @param {ElementStates[string] | undefined} value */
  const note = (found, state, value) => {
    if (value !== undefined) found[state] = value;
  };

  /** @param {Element} element @param {string} role @returns {ElementStates} */
  const of = (element, role) => {
    /** @type {ElementStates} */
    const found = {};
    const isField = TYPED.has(role) || RANGED.has(role) || tag(element) === "input";
    const isDialog = role === "dialog" || role === "alertdialog";
    const held = isField || role === "listbox" ? rawValue(element, role) : "";
    const secret = isField && isSecret(element);
    note(found, "checked", checked(element, role));
    note(found, "expanded", expanded(element));
    if (role === "button") note(found, "pressed", pressed(element));
    note(found, "selected", selected(element, role));
    note(found, "disabled", disabled(element, role) || undefined);
    note(found, "required", fits(element, ":required, [aria-required=true i]") || undefined);
    if (isField) note(found, "invalid", invalid(element) || undefined);
    note(found, "readonly", isReadOnly(element, role) || undefined);
    note(found, "level", level(element, role));
    if (held && !secret) found.value = held.slice(0, MAX_CHARS).toWellFormed();
    note(found, "secret", secret || undefined);
    note(found, "active", active().has(element) || undefined);
    if (isDialog)
      note(found, "modal", fits(element, ":modal") || token(element, "aria-modal") === "true" || undefined);
    note(found, "busy", token(element, "aria-busy") === "true" || undefined);
    note(found, "current", current(element));
    return Object.assign(found, lib.closedShadow.states(element));
  };

  return { of, value, isCalled, isSecret, held: rawValue, focused: () => [...active()] };
};
