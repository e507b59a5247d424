/**
 * The accessibility tree of a document or of one element, as rows for the daemon to print:
 * [number, depth, role, name, marks, text, flags, context].
 * @param {Document | Element} root
 * @param {{numbers: RefNumbers, interactive: boolean, compact: boolean, depth: number | null,
 *   cursor: boolean, listening: {pressed: number[][], dropped: number[][]}, hidden: boolean, refs: boolean,
 *   looking: boolean, unfolded: boolean, room: number,
 *   ask: "all" | "new" | "none"}} options `room`: how many characters will be shown; 0 for all.
 *   `looking`: what elements were shown as before stays.
 * @param {Lib} lib
 */
export default (root, options, lib) => {
  const { tree, roles, names, states, visibility, visibleContent, addressing, refs, renderedText } = lib;
  const { hasAttributes } = Element.prototype;
  const { contains } = Node.prototype;
  const isConnected = tree.getter(Node.prototype, "isConnected");
  const ON_SCREEN = 1;
  const INTERACTIVE = 2;
  const FRAME = 4;
  const CURSOR = 8;
  const FRAMES = new Set(["iframe", "frame"]);
  const TYPED = new Set(["combobox", "searchbox", "textbox"]);
  const FLAT = new Set(["generic", "none", "presentation", "", "rowgroup"]);
  const MAX_QUOTED_CHARS = 200;
  const MAX_HIDDEN = 500;
  const MIN_LONG_NAME = 16;
  const MIN_LINE_CHARS = 10;
  // The options of a select with more of them are counted, and listed by `options`.
  const MAX_OPTIONS = 30;
  const waiting = lib.closedShadow.enqueue(options.ask);
  if (waiting) return { rows: [], next: options.numbers, hidden: [], waiting };
  refs.begin(options.numbers);
  const brief = options.interactive && !options.hidden;
  const tools = options.interactive ? lib.pageTools.count() : 0;
  /** @type {SnapshotRow[]} */
  const rows = [];
  /** @type {{where: string, reason: string, text: string}[]} */
  const hidden = [];
  /** Names that speak to programs and are not what is seen. @type {HiddenWords[]} */
  const misleading = [];

  /** @param {string} text */
  const folded = (text) => text.replace(lib.patterns.blanks, " ").trim();

  /** @param {ElementStates} found @param {string} reason */
  const marks = (found, reason) => {
    const said = [];
    for (const key in found) {
      const value = found[key];
      if (key === "value" || value === false || value === undefined) continue;
      said.push(value === true ? `[${key}]` : `[${key}=${value}]`);
    }
    if (reason) said.push(`[${reason}]`);
    return said.join(" ");
  };

  /** What a control without a name looks like. @param {Element} element */
  const hintMark = (element) => {
    const hint = lib.iconHints.of(element);
    return hint ? `[hint=${hint}]` : "";
  };

  /**
   * A name without the words in it that nobody sees. That of a control which is itself unseen stays: its mark says so.
   * @param {Element} element @param {string} full @returns {string}
   */
  const withoutHidden = (element, full) => {
    if (brief ? visibility.reason(element) : !visibility.holdsLeftOut(element)) return full;
    let name = full;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      const text = folded(tree.data(node));
      const parent = text.length < MIN_LONG_NAME ? null : tree.parent(node);
      if (parent && (brief ? isUnseen(parent) : visibility.isLeftOut(node))) name = name.replace(text, " ");
    }
    return folded(name);
  };

  /** Whether words are hidden without an honest reason. @param {Element} element */
  const isUnseen = (element) => visibility.reason(element) !== "" && !visibility.isMeant(element);

  /**
   * A name without pictures of icon fonts; the title where there is nothing else.
   * @param {Element} element @param {string} full
   */
  const titled = (element, full) => {
    const words = renderedText.withoutGlyphs(full);
    return words || !full ? words : renderedText.fold(tree.attr(element, "title") || "");
  };

  /**
   * The name of an element, or what is seen of it where its name speaks to a program behind one's back.
   * @param {Element} element @param {string} full @returns {string}
   */
  const shownName = (element, full) => {
    if (full.length < MIN_LONG_NAME) return full;
    const name = withoutHidden(element, full);
    if (!addressing.isAddressed(name)) return name;
    const seen = visibleContent.words(element);
    if (seen.includes(name) || lib.nonvisibleText.repeatsWhatIsSeen(element, name)) return name;
    misleading.push({
      text: name.slice(0, MAX_QUOTED_CHARS),
      place: "accessible",
      why: "accessible name",
      users: addressing.isByUsers(element),
      alarm: true,
    });
    return seen;
  };

  /** A frame is reached by its number, so it is always shown. @type {typeof refs.show} */
  const numbered = (kind, element, role, name) =>
    options.looking && !FRAMES.has(tree.tag(element))
      ? refs.look(kind, element, role, name)
      : refs.show(kind, element, role, name);

  /** @param {Element} element */
  const noFile = (element) =>
    tree.tag(element) === "input" && roles.inputType(element) === "file" ? "No file chosen" : "";
  /** @param {Element} element */
  const isLongSelect = (element) =>
    !options.unfolded && tree.tag(element) === "select" && lib.options.list(element).length > MAX_OPTIONS;

  /**
   * @typedef {{element: Element, role: string, depth: number, frame: boolean, isFirst: boolean}} Entry An element that
   *   is a row of the tree, and whether it is shown before others.
   */
  /** @param {Entry} entry @param {boolean} [isShown] Whether it is shown now, or only kept. @returns {SnapshotRow} */
  const build = ({ element, role, depth, frame }, isShown = true) => {
    const full = names.of(element);
    const name = shownName(element, titled(element, full));
    const found = states.of(element, role);
    const operable = roles.INTERACTIVE.has(role);
    const value = found.value === undefined || found.value === name ? "" : folded(String(found.value)).toWellFormed();
    const said = [marks(found, operable || name ? visibility.reason(element) : "")];
    if (operable && !name) said.push(hintMark(element));
    if (isLongSelect(element)) said.push(`[${lib.options.list(element).length} options]`);
    const flags =
      (visibility.isOnScreen(element) ? ON_SCREEN : 0) | (operable ? INTERACTIVE : 0) | (frame ? FRAME : 0);
    // Without refs, only what holds a document of its own has a number, by which it is reached.
    const hasNumber = options.refs || frame;
    const number = !hasNumber ? 0 : isShown ? numbered("e", element, role, full) : refs.reserve("e", element);
    return [number, depth, role, name, said.filter(Boolean).join(" "), value || noFile(element), flags];
  };

  /** @param {string} text @param {Element} parent @param {string} reason */
  const putHidden = (text, parent, reason) => {
    if (!options.hidden || hidden.length >= MAX_HIDDEN) return;
    hidden.push({ where: roles.of(parent), reason, text: text.slice(0, MAX_QUOTED_CHARS).toWellFormed() });
  };

  /**
   * @typedef {{depth: number, host: SnapshotRow | null, inName: boolean}} Place Where a node stands: under which row,
   *   and whether the name or the value of that row holds its words.
   */

  /** @param {Text} node @param {Place} place */
  const putText = (node, { depth, host, inName }) => {
    const text = folded(tree.data(node)).toWellFormed();
    if (!text) return;
    const parent = tree.parent(node);
    if (parent && (tree.hidden(parent) || visibility.keepsText(parent))) return;
    const reason = parent ? visibility.reasonOfText(node, parent) : "";
    if (parent && reason) putHidden(text, parent, reason);
    else if (inName || options.interactive) return;
    else if (host) host[5] = host[5] ? `${host[5]} ${text}` : text;
    else if (options.depth === null || depth <= options.depth)
      rows.push([0, depth, "text", "", "", text, !parent || visibility.isOnScreen(parent) ? ON_SCREEN : 0]);
  };

  /** @param {string} role @param {boolean} frame */
  const isWanted = (role, frame) => frame || roles.INTERACTIVE.has(role) || (!options.interactive && !FLAT.has(role));

  const OPERATED = new Set(
    "a area audio button details embed frame iframe input option select summary textarea video".split(" "),
  );
  const MADE_OPERABLE = ["role", "tabindex", "contenteditable", "aria-activedescendant"];
  /**
   * Whether an element can be one that is operated: on a large page few are, and the rest need no look.
   * @param {Element} element
   */
  const isPossible = (element) => {
    if (OPERATED.has(tree.localName(element)) || lib.closedShadow.role(element)) return true;
    if (!hasAttributes.call(element)) return false;
    for (const name of MADE_OPERABLE) if (tree.has(element, name)) return true;
    return false;
  };

  /** In a brief run, what is to be built: that is known only when all of it was found. @type {Entry[]} */
  const entries = [];
  /** What may need words that tell it apart, in order. @type {{element: Element, row: SnapshotRow}[]} */
  const operated = [];
  /** @param {Element} element @param {SnapshotRow} row */
  const note = (element, row) => {
    if (options.refs && row[6] & INTERACTIVE) operated.push({ element, row });
  };

  /**
   * Where an element's children stand; null to leave them out.
   * @param {Element} element @param {Place} place @returns {Place | null}
   */
  const visit = (element, place) => {
    if (brief && !isPossible(element)) return place;
    if (tree.hidden(element)) return tree.isExcluded(element) ? null : place;
    const role = roles.of(element);
    const frame = FRAMES.has(tree.tag(element));
    if (!isWanted(role, frame)) return place;
    if (options.depth !== null && place.depth > options.depth) return null;
    const entry = {
      element,
      role,
      depth: place.depth,
      frame,
      isFirst: options.room > 0 && visibility.isOnScreen(element),
    };
    if (brief) {
      entries.push(entry);
      if (isLongSelect(element)) return null;
      return { depth: place.depth + 1, host: null, inName: false };
    }
    const row = build(entry);
    rows.push(row);
    note(element, row);
    // What a field holds is its value, which the row has unless it is a secret.
    if (tree.tag(element) === "textarea" || isLongSelect(element) || (TYPED.has(role) && states.isSecret(element)))
      return null;
    const inName = row[3] !== "" && lib.roleTables.NAMED_BY_CONTENT.has(role);
    const inValue = TYPED.has(role) && states.value(element, role) !== "";
    return { depth: place.depth + 1, host: row, inName: inName || inValue };
  };

  /** @type {Place} */
  const TOP = { depth: 0, host: null, inName: false };

  /** Visit everything in an element. @param {Element} start */
  const visitAll = (start) => {
    // An explicit stack: pages nest deeper than the engine's own stack reaches.
    /** @type {Node[]} */
    const nodes = [start];
    const places = [TOP];
    while (nodes.length) {
      const node = /** @type {Node} */ (nodes.pop());
      const place = /** @type {Place} */ (places.pop());
      if (tree.isText(node)) putText(node, place);
      const inner = tree.isElement(node) ? visit(node, place) : null;
      if (!inner) continue;
      const children = tree.children(/** @type {Element} */ (node));
      for (let index = children.length - 1; index >= 0; index -= 1) {
        nodes.push(children[index]);
        places.push(inner);
      }
    }
  };

  /** Visit only what is possible, where the tree is that of the DOM. @param {Element} start */
  const visitPossible = (start) => {
    const selector = [...OPERATED, ...MADE_OPERABLE.map((name) => `[${name}]`)].join();
    /** What the element is in, with the place of what is inside. @type {{element: Element, inner: Place | null}[]} */
    const around = [];
    for (const element of [start, ...tree.list(start, selector)]) {
      while (around.length && !contains.call(around[around.length - 1].element, element)) around.pop();
      const place = around.length ? around[around.length - 1].inner : TOP;
      const inner = place && visit(element, place);
      if (inner !== place) around.push({ element, inner });
    }
  };

  const start = root instanceof Document ? root.body || root.documentElement : root;
  const isListed = brief && tree.isSimple() && !tree.customElements().length;
  if (start) (isListed ? visitPossible : visitAll)(start);

  /** How many characters the line of a row has at least. @param {SnapshotRow} row */
  const lineChars = ([number, , role, name, marks, text]) => {
    const ref = `@e${number} [${role}]`;
    return ref.length + (name ? name.length + 3 : 0) + (marks ? marks.length + 1 : 0) + (text ? text.length + 2 : 0);
  };

  /** Whether only a part of the rows will fit: then the rest is built later. */
  const isCut = () => {
    const isPlain = options.refs && !options.compact && options.depth === null;
    if (!options.room || !isPlain || entries.length * MIN_LINE_CHARS <= options.room) return false;
    return !entries.some(({ frame }) => frame); // the tree of a frame belongs between the rows
  };

  /** @returns {SnapshotRow[]} */
  const clickable = () =>
    (options.cursor ? lib.clickable.find(root, options.listening) : []).map(({ element, reasons }) => {
      const name = lib.clickable.name(element);
      const flags = CURSOR | INTERACTIVE | (visibility.isOnScreen(element) ? ON_SCREEN : 0);
      const isNameless = name === tree.tag(element);
      const hint = isNameless ? hintMark(element) : "";
      const number = numbered("c", element, refs.CLICKABLE, name);
      /** @type {SnapshotRow} */
      const row = [number, 0, reasons.join(", "), isNameless ? "" : name, hint, "", flags];
      note(element, row);
      return row;
    });

  /** Tell controls apart that are called alike; of what nothing is known, the kind of element is told. */
  const tellApart = () => {
    lib.contexts.add(operated);
    for (const { element, row } of operated)
      if (row[6] & CURSOR && !row[3] && !row[4] && !row[7]) row[3] = tree.localName(element);
  };

  /** The rows that will be shown, in order: those on screen first, until there is no more room. */
  const buildShown = () => {
    for (const { element } of entries) refs.reserve("e", element);
    /** @type {(SnapshotRow | null)[]} */
    const built = new Array(entries.length).fill(null);
    let room = options.room;
    for (const first of [true, false])
      for (let at = 0; at < entries.length && room >= -1; at += 1) {
        if (entries[at].isFirst !== first) continue;
        const row = build(entries[at]);
        built[at] = row;
        room -= lineChars(row) + 1;
      }
    return built;
  };

  /** Build what is left when the reply is under way: the next snapshot may be compared with all of it. */
  const keepWhole = (/** @type {(SnapshotRow | null)[]} */ built, /** @type {SnapshotRow[]} */ others) =>
    lib.cutSnapshots.keep(() => {
      const whole = entries.map((entry, at) => built[at] || (isConnected(entry.element) ? build(entry, false) : null));
      return [...whole.filter((row) => row !== null), ...others];
    });

  if (isCut()) {
    const built = buildShown();
    for (const [at, row] of built.entries()) if (row) note(entries[at].element, row);
    const others = clickable();
    tellApart();
    const shown = built.filter((row) => row !== null);
    const left = built.length - shown.length;
    // What can be pressed off screen comes after all that is left.
    const also = left ? others.filter((row) => row[6] & ON_SCREEN) : others;
    const whole = left ? keepWhole(built, others) : 0;
    const more = left + others.length - also.length;
    return { rows: [...shown, ...also], next: refs.next(), hidden, misleading, more, whole, tools };
  }
  for (const entry of entries) {
    const row = build(entry);
    rows.push(row);
    note(entry.element, row);
  }
  const others = clickable();
  tellApart();
  const kept = options.compact ? rows.filter((row) => row[6] & (INTERACTIVE | FRAME) || row[3] || row[5]) : rows;
  return { rows: [...kept, ...others], next: refs.next(), hidden, misleading, tools };
};
