/**
 * What tells controls apart that are called alike: the heading of the row or section that each is in, else the first
 * words there. It is shown beside a name and is no part of it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, renderedText, visibility } = lib;
  const { contains } = Node.prototype;
  const { querySelector } = Element.prototype;
  const CURSOR = 8;
  const MAX_CHARS = 40;
  const MAX_PARTS = 3;
  const MAX_TEXTS = 60;
  const MAX_HEIGHT = 60;
  const MAX_BEFORE = 12;
  const HEADING = "h1, h2, h3, h4, h5, h6, [role=heading], th[scope=row], [role=rowheader], legend, caption, summary";
  const SILENT = "script, style, noscript, template, textarea, select, datalist, [contenteditable]";

  /** @param {Element} outer @param {Element} inner */
  const holds = (outer, inner) => (tree.isSimple() ? contains.call(outer, inner) : tree.isWithin(inner, outer));

  /**
   * How many steps up from an element something begins that another one is in as well.
   * @param {Element} element @param {Element | undefined} other
   */
  const stepsApart = (element, other) => {
    let steps = 0;
    for (let node = tree.parent(element); node && steps < MAX_HEIGHT; node = tree.parent(node), steps += 1)
      if (other && holds(node, other)) break;
    return steps;
  };

  /**
   * The largest thing around an element that none of its neighbours are in.
   * @param {Element} element @param {(Element | undefined)[]} neighbours
   */
  const itemOf = (element, neighbours) => {
    let left = Math.min(...neighbours.map((it) => stepsApart(element, it)));
    let item = element;
    for (let node = tree.parent(element); node && left > 0; node = tree.parent(node), left -= 1) {
      if (node === document.body) break;
      item = node;
    }
    return item;
  };

  /** @param {Text} node */
  const isSeen = (node) => {
    const holder = tree.parent(node);
    if (!holder || tree.hidden(holder) || tree.closest(holder, SILENT)) return false;
    return !visibility.reason(holder) && !lib.states.isSecret(holder);
  };

  /** The first texts that are seen in a node. @param {Node} start @param {Set<string>} repeated */
  const textsIn = (start, repeated) => {
    /** @type {Set<string>} */
    const found = new Set();
    const walker = document.createTreeWalker(start, NodeFilter.SHOW_TEXT);
    for (let looked = 0; looked < MAX_TEXTS && found.size < MAX_PARTS && walker.nextNode(); looked += 1) {
      const node = /** @type {Text} */ (walker.currentNode);
      const text = renderedText.withoutGlyphs(renderedText.fold(tree.data(node)));
      if (/[\p{L}\p{N}]/u.test(text) && !repeated.has(text) && isSeen(node)) found.add(text);
    }
    return [...found];
  };

  /** What an element is headed by, or the first texts in it. @param {Element} item @param {Set<string>} repeated */
  const wordsIn = (item, repeated) => {
    const named = tree.has(item, "aria-label") || tree.has(item, "aria-labelledby") ? lib.names.of(item) : "";
    if (named && !repeated.has(named)) return [named];
    const heading = querySelector.call(item, HEADING);
    const headed = heading ? textsIn(heading, repeated).slice(0, 1) : [];
    const others = textsIn(item, repeated).filter((it) => it !== headed[0]);
    return [...headed, ...others].slice(0, MAX_PARTS);
  };

  /**
   * The last words before an element, but not before the one that is called like it.
   * @param {Element} item @param {Element | undefined} before @param {Set<string>} repeated @returns {string[]}
   */
  const wordsBefore = (item, before, repeated) => {
    let node = item.previousSibling;
    for (let looked = 0; node && looked < MAX_BEFORE; node = node.previousSibling, looked += 1) {
      if (before && (node === before || (tree.isElement(node) && holds(node, before)))) return [];
      const texts = tree.isElement(node) && tree.hidden(node) ? [] : ownTexts(node, repeated);
      if (texts.length) return texts.slice(-1);
    }
    return [];
  };
  /** @param {Node} node @param {Set<string>} repeated */
  const ownTexts = (node, repeated) => {
    if (!tree.isText(node)) return textsIn(node, repeated);
    const text = renderedText.fold(tree.data(node));
    return /[\p{L}\p{N}]/u.test(text) && !repeated.has(text) && isSeen(node) ? [text] : [];
  };

  /** @param {string[]} parts */
  const joined = (parts) => {
    const text = parts.join(" · ");
    return (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1).trimEnd()}…` : text).toWellFormed();
  };

  /** Whether links lead to one and the same place, so that it does not matter which. @param {Element[]} alike */
  const isOnePlace = (alike) => {
    const place = tree.attr(alike[0], "href");
    return (
      place !== null && !/^(#|javascript:)?$/i.test(place) && alike.every((it) => tree.attr(it, "href") === place)
    );
  };

  /** @typedef {{element: Element, row: SnapshotRow}} Operated An element that is shown, and its row. */
  /** What a row calls its element. @param {SnapshotRow} row */
  const called = ([, , role, name, marks, , flags]) => {
    const kind = flags & CURSOR ? "" : role;
    return `${kind} ${name || (marks.match(/\[hint=.*$/) || [""])[0]}`;
  };

  /** Those that are called alike, each in the order of the tree. @param {Operated[]} shown @returns {Operated[][]} */
  const groups = (shown) => {
    /** @type {Map<string, Operated[]>} */
    const found = new Map();
    for (const it of shown) {
      if (tree.tag(it.element) === "option") continue; // it stands below its select
      const words = called(it.row);
      const others = found.get(words);
      if (others) others.push(it);
      else found.set(words, [it]);
    }
    return [...found.values()].filter((alike) => alike.length > 1 && !isOnePlace(alike.map((it) => it.element)));
  };

  /**
   * What there is to say of each of some elements that are called alike: the best first.
   * @param {Element[]} alike @param {(item: Element) => string[]} inside @param {Set<string>} repeated
   */
  const said = (alike, inside, repeated) =>
    alike.map((element, at) => {
      const item = itemOf(element, [alike[at - 1], alike[at + 1]]);
      const words = item === element ? [] : inside(item);
      return words.length ? words : wordsBefore(item, alike[at - 1], repeated);
    });

  /** Add words to the rows of elements that are called like another. @param {Operated[]} shown */
  const add = (shown) => {
    const alike = groups(shown);
    const repeated = new Set(alike.map(([{ row }]) => row[3]));
    /** @type {Map<Element, string[]>} */
    const known = new Map();
    /** @param {Element} item */
    const inside = (item) => {
      const found = known.get(item) || wordsIn(item, repeated);
      known.set(item, found);
      return found;
    };
    for (const group of alike) {
      const words = said(
        group.map((it) => it.element),
        inside,
        repeated,
      );
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const [first] of words) counts.set(first, (counts.get(first) || 0) + 1);
      for (const [at, parts] of words.entries())
        if (parts.length) group[at].row[7] = joined(counts.get(parts[0]) === 1 ? parts.slice(0, 1) : parts);
    }
  };

  return { add };
};
