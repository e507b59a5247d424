/**
 * The accessibility tree of a document or of one element, as rows for the daemon to print:
 * [number, depth, role, name, marks, text, flags].
 * @param {Document | Element} root
 * @param {{numbers: RefNumbers, interactive: boolean, compact: boolean, depth: number | null,
 *   cursor: boolean, listening: number[][], hidden: boolean, refs: boolean, looking: boolean,
 *   ask: "all" | "new" | "none"}} options
 * @param {Lib} lib
 */
export default (root, options, lib) => {
  const { tree, roles, names, states, visibility, visibleContent, addressing, refs } = lib;
  const { hasAttributes } = Element.prototype;
  const ON_SCREEN = 1;
  const INTERACTIVE = 2;
  const FRAME = 4;
  const CURSOR = 8;
  const FRAMES = new Set(["iframe", "frame"]);
  const FLAT = new Set(["generic", "none", "presentation", "", "rowgroup"]);
  const MAX_QUOTED_CHARS = 200;
  const MAX_HIDDEN = 500;
  const MIN_LONG_NAME = 16;
  const waiting = lib.closedShadow.enqueue(options.ask);
  if (waiting) return { rows: [], next: options.numbers, hidden: [], waiting };
  refs.begin(options.numbers);
  const brief = options.interactive && !options.hidden;
  /**
   * @typedef {[number: number, depth: number, role: string, name: string, marks: string, text: string, flags:
   *   number]} Row
   */
  /** @type {Row[]} */
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

  /**
   * A name without the words in it that nobody sees.
   * @param {Element} element @param {string} full @returns {string}
   */
  const withoutHidden = (element, full) => {
    if (!brief && !visibility.holdsLeftOut(element)) return full;
    let name = full;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      const text = folded(tree.data(node));
      const parent = text.length < MIN_LONG_NAME ? null : tree.parent(node);
      if (parent && (brief ? visibility.reason(parent) : visibility.isLeftOut(node))) name = name.replace(text, " ");
    }
    return folded(name);
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
    if (seen.includes(name)) return name;
    misleading.push({
      text: name.slice(0, MAX_QUOTED_CHARS),
      place: "accessible",
      why: "accessible name",
      users: addressing.isByUsers(element),
      alarm: true,
    });
    return seen;
  };

  /** @param {Element} element @param {string} role @param {number} depth @param {boolean} frame @returns {Row} */
  const put = (element, role, depth, frame) => {
    const full = names.of(element);
    const name = shownName(element, full);
    const found = states.of(element, role);
    const operable = roles.INTERACTIVE.has(role);
    const value = found.value === undefined || found.value === name ? "" : folded(String(found.value)).toWellFormed();
    const flags =
      (visibility.isOnScreen(element) ? ON_SCREEN : 0) | (operable ? INTERACTIVE : 0) | (frame ? FRAME : 0);
    // Without refs, only what holds a document of its own has a number, by which it is reached.
    const number = options.refs || frame ? refs.show("e", element, role, full, options.looking) : 0;
    const reason = operable || name ? visibility.reason(element) : "";
    /** @type {Row} */
    const row = [number, depth, role, name, marks(found, reason), value, flags];
    rows.push(row);
    return row;
  };

  /** @param {string} text @param {Element} parent @param {string} reason */
  const putHidden = (text, parent, reason) => {
    if (!options.hidden || hidden.length >= MAX_HIDDEN) return;
    hidden.push({ where: roles.of(parent), reason, text: text.slice(0, MAX_QUOTED_CHARS).toWellFormed() });
  };

  /**
   * @typedef {{depth: number, host: Row | null, inName: boolean}} Place Where a node stands: under which row, and
   *   whether the name of that row holds its words.
   */

  /** @param {Text} node @param {Place} place */
  const putText = (node, { depth, host, inName }) => {
    const text = folded(tree.data(node)).toWellFormed();
    if (!text) return;
    const parent = tree.parent(node);
    if (parent && tree.hidden(parent)) return;
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
    if (OPERATED.has(tree.tag(element)) || lib.closedShadow.role(element)) return true;
    if (!hasAttributes.call(element)) return false;
    for (const name of MADE_OPERABLE) if (tree.has(element, name)) return true;
    return false;
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
    const row = put(element, role, place.depth, frame);
    return { depth: place.depth + 1, host: row, inName: lib.roleTables.NAMED_BY_CONTENT.has(role) && row[3] !== "" };
  };

  // An explicit stack: pages nest deeper than the engine's own stack reaches.
  /** @type {Node[]} */
  const nodes = [];
  /** @type {Place[]} */
  const places = [];
  const start = root instanceof Document ? root.body || root.documentElement : root;
  if (start) {
    nodes.push(start);
    places.push({ depth: 0, host: null, inName: false });
  }
  while (nodes.length) {
    const node = /** @type {Node} */ (nodes.pop());
    const place = /** @type {Place} */ (places.pop());
    // In a brief run there are only elements, and to ask would take its time.
    if (!brief && tree.isText(node)) putText(node, place);
    if (!brief && !tree.isElement(node)) continue;
    const element = /** @type {Element} */ (node);
    const inner = visit(element, place);
    if (!inner) continue;
    const children = brief ? tree.elements(element) : tree.children(element);
    for (let index = children.length - 1; index >= 0; index -= 1) {
      nodes.push(children[index]);
      places.push(inner);
    }
  }
  const kept = options.compact ? rows.filter((row) => row[6] & (INTERACTIVE | FRAME) || row[3] || row[5]) : rows;
  for (const { element, reasons } of options.cursor ? lib.clickable.find(root, options.listening) : []) {
    const name = lib.clickable.name(element);
    const flags = CURSOR | INTERACTIVE | (visibility.isOnScreen(element) ? ON_SCREEN : 0);
    const number = refs.show("c", element, refs.CLICKABLE, name, options.looking);
    kept.push([number, 0, reasons.join(", "), name, "", "", flags]);
  }
  return { rows: kept, next: refs.next(), hidden, misleading };
};
