/**
 * Accessible names and descriptions (accname 1.2 with HTML-AAM and SVG-AAM). Where Chromium and the
 * standard differ, Chromium is followed, except that a control is not left nameless when the standard names it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roleTables, roles, renderedText } = lib;
  const { attr, has, tag, remembered } = tree;

  const MAX_CHARS = 10_000;
  // Deeper than this, text is read flat: recursion would end the stack.
  const MAX_DEPTH = 100;
  // And so it is after this many elements in a run: names inside names inside names cost their depth each time.
  const MAX_ELEMENTS = 200_000;
  const effort = tree.once(() => ({ elements: 0 }));
  const FIELDS = new Set(["input", "select", "textarea"]);
  const UNNAMED = new Set(["rt", "rp", "datalist", "svg:desc", "svg:metadata", "svg:defs", "svg:symbol"]);
  const SPACED = new Set("embed,hr,iframe,img,input,object,select,svg:svg,textarea".split(","));
  const HINTED = new Set("email,number,password,search,tel,text,textarea,url".split(","));
  const PRESSED = new Set(["button", "submit", "reset", "image"]);
  const DEFAULTS = new Map([
    ["submit", "Submit"],
    ["reset", "Reset"],
    ["image", "Submit"],
    ["file", "Choose File"],
  ]);
  const controlOf = tree.getter(HTMLLabelElement.prototype, "control");
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");

  /**
   * How far one computation has come: elements that spoke already, whether an `aria-labelledby` is being
   * followed, whether hidden things speak (inside a hidden referent), whether containers do, and room left.
   * @typedef {{seen: Set<Element>, following: boolean, revealing: boolean, open: boolean, room: number}} Walk
   */
  /** @returns {Walk} */
  const begin = () => ({ seen: new Set(), following: false, revealing: false, open: false, room: MAX_CHARS });

  /** @param {Element} element @param {string} name */
  const words = (element, name) => {
    const value = attr(element, name);
    return value ? renderedText.fold(value) : "";
  };

  /** The labels of each control, found in one pass over all labels. */
  const labels = tree.once(() => {
    /** @type {Map<Element, Element[]>} */
    const found = new Map();
    for (const label of tree.census().labels) {
      const control = controlOf(label);
      if (!control) continue;
      const others = found.get(control);
      if (others) others.push(label);
      else found.set(control, [label]);
    }
    return found;
  });

  /** The first child of that kind. @param {Element} element @param {...string} names @returns {Element | null} */
  const childOf = (element, ...names) => {
    for (let node = tree.firstChild(element); node; node = tree.nextSibling(node))
      if (tree.isElement(node) && names.includes(tag(node))) return node;
    return null;
  };

  /** @param {Element} element @returns {string} */
  const svgTitle = (element) => {
    const title = childOf(element, "svg:title");
    return (title && renderedText.fold(title.textContent || "")) || words(element, "xlink:title");
  };

  /** @param {Element} element @param {Walk} walk @returns {string} */
  const byReference = (element, walk) => {
    const named = tree.referred(element, "aria-labelledby", "ariaLabelledByElements");
    return renderedText.fold(named.map((it) => referent(it, walk)).join(" "));
  };

  /**
   * What a referred element says: all that is in it, whatever its role.
   * @param {Element} element @param {Walk} walk @returns {string}
   */
  const referent = (element, walk) => {
    const inner = { ...begin(), following: true, revealing: tree.hidden(element), room: walk.room };
    const said = spoken(element, inner) ?? (renderedText.fold(inside(element, inner, 0)) || words(element, "title"));
    // What spoke for a part of a name does not speak again in the rest of it.
    if (walk.seen.size) walk.seen.add(element);
    return said;
  };

  /**
   * What stands inside, with spaces where lines end.
   * @param {Element} element @param {Walk} walk @param {number} depth @returns {string}
   */
  const inside = (element, walk, depth) => {
    effort().elements += 1;
    if (depth > MAX_DEPTH || effort().elements > MAX_ELEMENTS) return flat(element, walk);
    walk.seen.add(element);
    const isBoxed = !walk.revealing || tree.isRendered(element);
    const isDecorated = isBoxed && lib.pseudoElements.mayHaveWords(element);
    const parts = isDecorated ? [renderedText.pseudo(element, "::before")] : [];
    for (const node of tree.children(element)) {
      if (walk.room <= 0) break;
      let part = "";
      if (tree.isText(node)) part = textPart(node, element, walk);
      else if (tree.isElement(node)) part = childPart(node, walk, depth + 1);
      walk.room -= part.length;
      parts.push(part);
    }
    if (isDecorated) parts.push(renderedText.pseudo(element, "::after"));
    return parts.join(isBoxed ? "" : " ");
  };

  /** @param {Text} node @param {Element} element @param {Walk} walk */
  const textPart = (node, element, walk) => {
    // Text in a slot looks as it does outside.
    const holder = tag(element) === "slot" ? tree.parent(node) || element : element;
    return walk.revealing || !tree.hidden(holder) ? renderedText.ofNode(node, holder) : "";
  };

  /**
   * All shown text below an element, read without recursion.
   * @param {Element} element @param {Walk} walk @returns {string}
   */
  const flat = (element, walk) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let found = "";
    for (let node = walker.nextNode(); node && found.length < walk.room; node = walker.nextNode()) {
      const holder = tree.parent(node);
      if (holder && (walk.revealing || !tree.hidden(holder)))
        found += renderedText.ofNode(/** @type {Text} */ (node), holder);
    }
    return found;
  };

  /** @param {Element} element @param {Walk} walk @param {number} depth @returns {string} */
  const childPart = (element, walk, depth) => {
    const name = tag(element);
    if (walk.seen.has(element) || UNNAMED.has(name)) return "";
    if (!walk.revealing && tree.hidden(element)) {
      // What is only invisible may hold something visible.
      return tree.isExcluded(element) ? "" : inside(element, walk, depth);
    }
    if (name === "br" || name === "wbr") return " ";
    const said = spoken(element, walk);
    if (said !== null) return said || (SPACED.has(name) && roles.of(element) !== "none") ? ` ${said} ` : "";
    const contained = speaks(element, walk) ? inside(element, walk, depth) : "";
    if (!contained.trim()) return SPACED.has(name) && roles.of(element) !== "none" ? " " : contained;
    const isBoxed = !walk.revealing || tree.isRendered(element);
    const runsOn = isBoxed && !tree.isOwned(element) && renderedText.isInline(tree.style(element));
    return runsOn ? contained : ` ${contained} `;
  };

  /**
   * Whether an element's content tells something about what is around it.
   * @param {Element} element @param {Walk} walk @returns {boolean}
   */
  const speaks = (element, walk) => {
    if (walk.open) return true;
    const role = roles.of(element);
    if (role === "math") return attr(element, "role") !== null;
    if (role === "combobox") return roles.isFocusable(element);
    if (!roleTables.OPAQUE.has(role)) return true;
    return role === "group" && !has(element, "role") && !/^(fieldset|hgroup|optgroup)$/.test(tag(element));
  };

  /**
   * What an element says otherwise than by its content, as part of another's name; null when nothing.
   * @param {Element} element @param {Walk} walk @returns {string | null}
   */
  const spoken = (element, walk) => {
    if (!walk.following) {
      const referred = has(element, "aria-labelledby") ? byReference(element, walk) : "";
      if (referred) return referred;
    }
    const role = roles.of(element);
    const value = roleTables.VALUED.has(role) ? renderedText.fold(lib.states.value(element, role)) : "";
    if (value) return value;
    if (tag(element) !== "slot") {
      const label = words(element, "aria-label");
      if (label) return label;
    }
    const host = byHost(element, walk);
    if (host) return host;
    if (roleTables.VALUED.has(role) && lib.states.isSecret(element)) return words(element, "title");
    if (FIELDS.has(tag(element))) return words(element, "title") || placeholder(element);
    return host === "" || role === "image" ? host || words(element, "title") : null;
  };

  /** @param {Element} element @param {Walk} walk @returns {string | null} */
  const byLabels = (element, walk) => {
    const found = labels().get(element);
    if (!found) return null;
    const said = found.map((label) => {
      if (tree.hidden(label) || walk.seen.has(label)) return "";
      const inner = { ...begin(), seen: new Set([...walk.seen, element]), following: walk.following };
      const own = words(label, "aria-label");
      return own || inside(label, inner, 0);
    });
    return renderedText.fold(said.join(" ")) || null;
  };

  /** @param {Element} input @returns {string | null} */
  const byInput = (input) => {
    const type = roles.inputType(input);
    if (!PRESSED.has(type)) return type === "file" ? "Choose File" : null;
    if (type === "image") {
      const said = words(input, "alt") || words(input, "value") || words(input, "title");
      return said || DEFAULTS.get(type) || null;
    }
    if (has(input, "value") || inputValue(input)) return renderedText.fold(inputValue(input));
    return words(input, "title") || DEFAULTS.get(type) || null;
  };

  /** @param {Walk} walk @param {Element | null} child @returns {string | null} */
  const byChild = (walk, child) => {
    if (!child || tree.hidden(child)) return null;
    return renderedText.fold(inside(child, { ...begin(), following: walk.following }, 0)) || null;
  };

  /** @type {Record<string, (element: Element, walk: Walk) => string | null>} */
  const HOSTS = {
    area: (element) => words(element, "alt") || null,
    fieldset: (element, walk) => byChild(walk, childOf(element, "legend")),
    img: (element) => (has(element, "alt") ? words(element, "alt") : null),
    input: byInput,
    optgroup: (element) => words(element, "label") || null,
    option: (element) => words(element, "label") || null,
    table: (element, walk) => byChild(walk, childOf(element, "caption")) || words(element, "summary") || null,
    abbr: (element) => words(element, "title") || null,
  };

  /**
   * What the element's own language calls it: labels, alternatives, captions. "" means: nothing, and look no further.
   * @param {Element} element @param {Walk} walk @returns {string | null}
   */
  const byHost = (element, walk) => {
    const inner = lib.closedShadow.name(element);
    if (inner) return renderedText.fold(inner);
    const name = tag(element);
    const labelled = byLabels(element, walk);
    if (labelled) return labelled;
    if (name.startsWith("svg:")) return svgTitle(element) || null;
    // An abbreviation stands for itself inside another name.
    if (name === "abbr" && walk.seen.size) return null;
    const found = Object.hasOwn(HOSTS, name) ? HOSTS[name](element, walk) : null;
    return found ?? renderedText.replaced(element);
  };

  /** @param {Element} element @returns {string} */
  const placeholder = (element) => {
    const type = tag(element) === "input" ? roles.inputType(element) : tag(element);
    return (HINTED.has(type) && words(element, "placeholder")) || words(element, "aria-placeholder");
  };

  /** @param {Element} element */
  const saysSomething = (element) =>
    renderedText.fold(element.textContent || "") !== "" ||
    ["aria-label", "alt", "title"].some((name) => words(element, name));

  /**
   * Whether attributes name an element, which some roles depend on: it must not ask for the role.
   * @type {(element: Element) => boolean}
   */
  const byAuthor = remembered((element) => {
    const referred = tree.referred(element, "aria-labelledby", "ariaLabelledByElements").some(saysSomething);
    return referred || words(element, "aria-label") !== "" || words(element, "title") !== "";
  });

  /** @param {Element} element @param {string} role */
  const isNamedByContent = (element, role) => {
    if (roleTables.NAMED_BY_CONTENT.has(role)) return !tag(element).endsWith(":math");
    if (role !== "row") return false;
    for (let node = tree.parent(element); node; node = tree.parent(node)) {
      const above = roles.of(node);
      if (above === "treegrid") return true;
      if (above === "grid") return tag(node) === "table" || roles.isFocusable(element);
      if (above === "table") return false;
    }
    return false;
  };

  /** Buttons that act on an element and are no part of its name. @param {Element} element @returns {Set<Element>} */
  const actions = (element) => new Set(tree.referred(element, "aria-actions", "ariaActionsElements"));

  /** @param {Element} element @param {string} role @returns {{name: string, from: string}} */
  const choose = (element, role) => {
    const walk = begin();
    const referred = has(element, "aria-labelledby") ? byReference(element, walk) : "";
    if (referred) return { name: referred, from: "reference" };
    const label = words(element, "aria-label");
    if (label) return { name: label, from: "label" };
    const host = byHost(element, walk);
    if (host) return { name: host, from: "host" };
    const isContained = host === null && isNamedByContent(element, role);
    if (has(element, "aria-actions")) walk.seen = actions(element);
    const content = isContained ? renderedText.fold(inside(element, walk, 0)) : "";
    if (content) return { name: content, from: "content" };
    const isTitled = !roleTables.NAMELESS.has(role) || roles.isFocusable(element);
    const title = isTitled && !(host === "" && tag(element) === "img") ? words(element, "title") : "";
    if (title) return { name: title, from: "title" };
    const hint = placeholder(element);
    if (hint) return { name: hint, from: "placeholder" };
    const isLost = isContained && (role === "heading" || roleTables.INTERACTIVE.has(role));
    return { name: isLost ? renderedText.fold(inside(element, { ...begin(), open: true }, 0)) : "", from: "content" };
  };

  /** @type {(element: Element) => {name: string, from: string}} */
  const chosen = remembered((element) => {
    const { name, from } = choose(element, roles.of(element));
    return { name: renderedText.fold(name.slice(0, MAX_CHARS)).toWellFormed(), from };
  }, true);

  /** @param {Element} element @returns {string} */
  const of = (element) => chosen(element).name;

  /** @param {Element} element @param {{name: string, from: string}} chosen @returns {string} */
  const hostDescription = (element, { name: called, from }) => {
    const name = tag(element);
    if (name === "input" && PRESSED.has(roles.inputType(element))) {
      const value = renderedText.fold(inputValue(element));
      return value === called ? "" : value;
    }
    if (name === "table" && from !== "host") return byChild(begin(), childOf(element, "caption")) || "";
    if (!name.startsWith("svg:")) return "";
    const desc = childOf(element, "svg:desc");
    if (desc) return renderedText.fold(desc.textContent || "");
    return from === "host" ? "" : svgTitle(element);
  };

  /** @type {(element: Element) => string} */
  const describe = remembered((element) => {
    const { name, from } = chosen(element);
    const referred = tree.referred(element, "aria-describedby", "ariaDescribedByElements");
    const said =
      renderedText.fold(referred.map((it) => referent(it, begin())).join(" ")) ||
      words(element, "aria-description") ||
      hostDescription(element, { name, from }) ||
      (from === "title" ? "" : words(element, "title"));
    return said === name ? "" : said.slice(0, MAX_CHARS).toWellFormed();
  });

  /** @param {Element} element @returns {Element[]} */
  const labelsOf = (element) => labels().get(element) || [];

  return { of, describe, byAuthor, svgTitle, labelsOf };
};
