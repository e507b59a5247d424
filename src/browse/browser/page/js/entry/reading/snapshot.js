/**
 * The accessibility tree of a document or of one element, as rows for the daemon to print:
 * [number, depth, role, name, marks, text, flags].
 * @param {Document | Element} root
 * @param {{e: number, c: number, interactive: boolean, compact: boolean, depth: number | null,
 *   cursor: boolean, listening: number[][], hidden: boolean, refs: boolean, meet: "all" | "new" | "none"}} options
 * @param {Lib} lib
 */
export default (root, options, lib) => {
  const { tree, roles, names, states, visibility, refs, hiddenText } = lib;
  const data = tree.getter(CharacterData.prototype, "data");
  const { hasAttributes } = Element.prototype;
  const ON_SCREEN = 1;
  const INTERACTIVE = 2;
  const FRAME = 4;
  const CURSOR = 8;
  const FRAMES = new Set(["iframe", "frame"]);
  const FLAT = new Set(["generic", "none", "presentation", "", "rowgroup"]);
  const QUOTE_CHARS = 200;
  const MAX_UNSEEN = 500;
  const LONG_NAME = 16;
  const strangers = lib.closedShadow.meet(options.meet);
  if (strangers) return { rows: [], next: { e: options.e, c: options.c }, unseen: [], strangers };
  refs.begin(options.e, options.c);
  const brief = options.interactive && !options.hidden;
  /** @type {any[][]} */
  const rows = [];
  /** @type {{where: string, reason: string, text: string}[]} */
  const unseen = [];

  /** @type {{text: string, place: string, why: string, users: boolean, alarm: boolean}[]} */
  const odd = [];

  /** @param {string} text */
  const folded = (text) => text.replace(/\s+/g, " ").trim();

  /** @param {Record<string, any>} found @param {string} reason */
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

  /** @param {Element} element @param {string} heard @returns {string} Its name without the words in it that nobody sees. */
  const seenOf = (element, heard) => {
    if (!brief && !hiddenText.holds(element)) return heard;
    let name = heard;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      const text = folded(data(node));
      const parent = text.length < LONG_NAME ? null : tree.parent(node);
      if (parent && (brief ? visibility.reason(parent) : hiddenText.isLeft(node))) name = name.replace(text, " ");
    }
    return folded(name);
  };

  /** @param {Element} element @param {string} full @returns {string} Its name, or what is seen of it where its name speaks to a program behind one's back. */
  const called = (element, full) => {
    if (full.length < LONG_NAME) return full;
    const heard = seenOf(element, full);
    if (!hiddenText.isAddressed(heard)) return heard;
    const seen = lib.visibleContent.words(element);
    if (seen.includes(heard)) return heard;
    odd.push({ text: heard.slice(0, QUOTE_CHARS), place: "accessible", why: "accessible name", users: hiddenText.isByUsers(element), alarm: true });
    return seen;
  };

  /** @param {Element} element @param {string} role @param {number} depth @param {boolean} frame */
  const put = (element, role, depth, frame) => {
    const heard = names.of(element);
    const name = called(element, heard);
    const found = states.of(element, role);
    const operable = roles.INTERACTIVE.has(role);
    const value = found.value === undefined || found.value === name ? "" : folded(String(found.value)).toWellFormed();
    const flags = (visibility.onScreen(element) ? ON_SCREEN : 0) | (operable ? INTERACTIVE : 0) | (frame ? FRAME : 0);
    // Without refs, only what holds a document of its own has a number, by which it is reached.
    const number = options.refs || frame ? refs.show("e", element, role, heard) : 0;
    const row = [number, depth, role, name, "", value, flags];
    row[4] = marks(found, operable || name ? visibility.reason(element) : "");
    rows.push(row);
    return row;
  };

  /** @param {string} text @param {Element} parent @param {string} reason */
  const note = (text, parent, reason) => {
    if (!options.hidden || unseen.length >= MAX_UNSEEN) return;
    unseen.push({ where: roles.of(parent), reason, text: text.slice(0, QUOTE_CHARS).toWellFormed() });
  };

  /** @param {Text} node @param {number} depth @param {any[] | null} host @param {boolean} told */
  const putText = (node, depth, host, told) => {
    const text = folded(data(node)).toWellFormed();
    if (!text) return;
    const parent = tree.parent(node);
    if (parent && tree.hidden(parent)) return;
    const reason = parent ? visibility.reason(parent) || (hiddenText.isLeft(node) && hiddenText.why(node)) : "";
    if (parent && reason) note(text, parent, reason);
    else if (told || options.interactive) return;
    else if (host) host[5] = host[5] ? `${host[5]} ${text}` : text;
    else if (options.depth === null || depth <= options.depth) 
      rows.push([0, depth, "text", "", "", text, !parent || visibility.onScreen(parent) ? ON_SCREEN : 0]);
  };

  /** @param {Element} element @param {string} role @param {boolean} frame */
  const wanted = (element, role, frame) => frame || roles.INTERACTIVE.has(role) || (!options.interactive && !FLAT.has(role));

  const OPERATED = new Set("a area audio button details embed frame iframe input option select summary textarea video".split(" "));
  const MADE_SO = ["role", "tabindex", "contenteditable", "aria-activedescendant"];
  /** Whether an element can be one that is operated: on a large page few are, and the rest need no look. @param {Element} element */
  const possible = (element) => {
    if (OPERATED.has(tree.tag(element)) || lib.closedShadow.role(element)) return true;
    if (!hasAttributes.call(element)) return false;
    for (const name of MADE_SO) if (tree.has(element, name)) return true;
    return false;
  };

  // An explicit stack: pages nest deeper than the engine's own stack reaches.
  /** @typedef {{depth: number, host: any[] | null, told: boolean}} Place */
  /** @type {any[]} */
  const nodes = [];
  /** @type {Place[]} */
  const places = [];
  /** @param {Element} element @param {Place} place @returns {Place | null} Where its children stand; null to leave them out. */
  const visit = (element, place) => {
    if (brief && !possible(element)) return place;
    if (tree.hidden(element)) return tree.isCut(element) ? null : place;
    const role = roles.of(element);
    const frame = FRAMES.has(tree.tag(element));
    if (!wanted(element, role, frame)) return place;
    if (options.depth !== null && place.depth > options.depth) return null;
    const row = put(element, role, place.depth, frame);
    return { depth: place.depth + 1, host: row, told: lib.roleTables.NAMED_BY_CONTENT.has(role) && row[3] !== "" };
  };

  const start = root instanceof Document ? root.body || root.documentElement : root;
  if (start) {
    nodes.push(start);
    places.push({ depth: 0, host: null, told: false });
  }
  while (nodes.length) {
    const node = nodes.pop();
    const place = /** @type {Place} */ (places.pop());
    if (!brief && tree.isText(node)) putText(node, place.depth, place.host, place.told);
    const inner = brief || tree.isElement(node) ? visit(node, place) : null;
    if (!inner) continue;
    const children = brief ? tree.elements(node) : tree.children(node);
    for (let index = children.length - 1; index >= 0; index -= 1) {
      nodes.push(children[index]);
      places.push(inner);
    }
  }
  const kept = options.compact ? rows.filter((row) => row[6] & (INTERACTIVE | FRAME) || row[3] || row[5]) : rows;
  const clickable = options.cursor ? lib.clickable.find(root, options.listening) : [];
  for (const { element, reasons } of clickable) {
    const name = lib.clickable.name(element);
    const flags = CURSOR | INTERACTIVE | (visibility.onScreen(element) ? ON_SCREEN : 0);
    kept.push([refs.show("c", element, refs.CLICKABLE, name), 0, reasons.join(", "), name, "", "", flags]);
  }
  return { rows: kept, next: refs.next(), unseen, odd };
};
