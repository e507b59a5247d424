// @ts-check
/**
 * The accessibility tree of a document or of one element, as rows for the daemon to print:
 * [number, depth, role, name, marks, text, flags].
 * @param {Document | Element} root
 * @param {{e: number, c: number, interactive: boolean, compact: boolean, depth: number | null,
 *   cursor: boolean, listening: number[][], hidden: boolean, refs: boolean}} options
 * @param {any} lib
 */
(root, options, lib) => {
  const { tree, roles, names, states, visibility, refs } = lib;
  const data = tree.getter(CharacterData.prototype, "data");
  const ON_SCREEN = 1;
  const INTERACTIVE = 2;
  const FRAME = 4;
  const CURSOR = 8;
  const FLAT = new Set(["generic", "none", "presentation", "", "rowgroup"]);
  const QUOTE_CHARS = 200;
  const MAX_UNSEEN = 500;
  refs.begin(options.e, options.c);
  visibility.look(!options.interactive || options.hidden);
  /** @type {any[][]} */
  const rows = [];
  /** @type {{where: string, reason: string, text: string}[]} */
  const unseen = [];

  /** @param {string} text */
  const folded = (text) => text.replace(/\s+/g, " ").trim();

  /** @param {Record<string, any>} found @param {string} reason */
  const marks = (found, reason) => {
    const said = [];
    for (const [key, value] of Object.entries(found)) {
      if (key === "value" || value === false || value === undefined) continue;
      said.push(value === true ? `[${key}]` : `[${key}=${value}]`);
    }
    if (reason) said.push(`[${reason}]`);
    return said.join(" ");
  };

  /** @param {Element} element @param {string} role @param {number} depth @param {boolean} frame */
  const put = (element, role, depth, frame) => {
    const name = names.of(element);
    const found = states.of(element, role);
    const operable = roles.INTERACTIVE.has(role);
    const value = found.value === undefined || found.value === name ? "" : folded(String(found.value)).toWellFormed();
    const flags = (visibility.onScreen(element) ? ON_SCREEN : 0) | (operable ? INTERACTIVE : 0) | (frame ? FRAME : 0);
    // Without refs, only what holds a document of its own has a number, by which it is reached.
    const number = options.refs || frame ? refs.show("e", element, role, name) : 0;
    const row = [number, depth, role, name, "", value, flags];
    row[4] = marks(found, operable ? visibility.reason(element) : "");
    rows.push(row);
    return row;
  };

  /** @param {string} text @param {Element} parent */
  const note = (text, parent) => {
    if (!options.hidden || unseen.length >= MAX_UNSEEN) return;
    const reason = visibility.reason(parent);
    unseen.push({ where: roles.of(parent), reason, text: text.slice(0, QUOTE_CHARS).toWellFormed() });
  };

  /** @param {Text} node @param {number} depth @param {any[] | null} host @param {boolean} told */
  const putText = (node, depth, host, told) => {
    if (options.interactive && !options.hidden) return;
    const text = folded(data(node)).toWellFormed();
    if (!text) return;
    const parent = tree.parent(node);
    if (parent && tree.hidden(parent)) return;
    if (parent && visibility.reason(parent)) note(text, parent);
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
  const possible = (element) => OPERATED.has(tree.tag(element)) || MADE_SO.some((name) => tree.has(element, name));

  // An explicit stack: pages nest deeper than the engine's own stack reaches.
  /** @type {{node: any, depth: number, host: any[] | null, told: boolean}[]} */
  const stack = [];
  const start = root instanceof Document ? root.body || root.documentElement : root;
  if (start) stack.push({ node: start, depth: 0, host: null, told: false });
  while (stack.length) {
    const { node, depth, host, told } = /** @type {any} */ (stack.pop());
    if (tree.isText(node)) {
      putText(node, depth, host, told);
      continue;
    }
    if (!tree.isElement(node)) continue;
    let [row, inner, named] = [host, depth, told];
    const passing = options.interactive && !options.hidden && !possible(node);
    if (!passing && tree.isCut(node)) continue;
    if (!passing && !tree.hidden(node)) {
      const role = roles.of(node);
      const frame = /^i?frame$/.test(tree.tag(node));
      if (wanted(node, role, frame)) {
        if (options.depth !== null && depth > options.depth) continue;
        row = put(node, role, depth, frame);
        inner = depth + 1;
        named = lib.tables.NAMED_BY_CONTENT.has(role) && row[3] !== "";
      }
    }
    const children = tree.children(node);
    for (let index = children.length - 1; index >= 0; index -= 1)
      stack.push({ node: children[index], depth: inner, host: row, told: named });
  }
  const kept = options.compact ? rows.filter((row) => row[6] & (INTERACTIVE | FRAME) || row[3] || row[5]) : rows;
  const clickable = options.cursor ? lib.cursor.find(root, options.listening) : [];
  for (const { element, reasons } of clickable) {
    const name = lib.cursor.name(element);
    const flags = CURSOR | INTERACTIVE | (visibility.onScreen(element) ? ON_SCREEN : 0);
    kept.push([refs.show("c", element, refs.CLICKABLE, name), 0, reasons.join(", "), name, "", "", flags]);
  }
  return { rows: kept, next: refs.next(), unseen };
};
