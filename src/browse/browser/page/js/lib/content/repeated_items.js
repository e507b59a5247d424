/**
 * Lists of things that look alike (results, products, posts) as rows: at least three siblings of one kind,
 * and what stands at the same place in each is a column, named by the author's own names where there are any.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, visibility, visibleContent } = lib;
  const MIN_ITEMS = 3;
  const MAX_LISTS = 20;
  const MAX_COLUMNS = 30;
  const MAX_DEPTH = 30;
  const CONTAINERS = "div, ul, ol, dl, section, main, article, [role=list], [role=feed], body, form, fieldset, tbody";
  const APART = "table, [role=table], [role=grid], [role=treegrid], select, nav, svg, pre";
  const BY_TAG = new Map([
    ["time", "time"],
    ["img", "image"],
    ["a", "link"],
    ["p", "text"],
  ]);
  // Names that tell how something looks or which tool made it, not what it is.
  const UTILITIES =
    "m|p|w|h|min|max|gap|grid|flex|text|bg|border|rounded|font|leading|items|justify|space|col|row|d|align|float|" +
    "shadow|overflow|hover|focus|sm|md|lg|xl|css|sc|jsx|js|is|has|style";
  const STYLING = new RegExp(`^(-?(${UTILITIES})([-_:].*|\\d*)|.*\\d{3,}.*|[a-z]{1,2}|.*[:/[\\]].*)$`, "i");

  /** @param {Element} element @returns {string[]} */
  const classes = (element) => (tree.attr(element, "class") || "").split(/\s+/).filter(Boolean);
  /** @param {Element} element */
  const kind = (element) => `${tree.tag(element)}.${classes(element)[0] || ""}`;

  /**
   * @param {Element} element @param {string} card What the card itself is called, which its parts often repeat.
   * @returns {string}
   */
  const nameOf = (element, card) => {
    const said =
      tree.attr(element, "itemprop") || tree.attr(element, "data-label") || tree.attr(element, "data-field");
    if (said) return said.split(/\s+/)[0];
    const given = classes(element).find((name) => !STYLING.test(name));
    if (!given) return "";
    const bare = card && given.startsWith(card) ? given.slice(card.length) : given;
    return bare.replace(/^.*__/, "").replace(/--.*$/, "").replace(/[-_]+/g, " ").trim() || given;
  };

  /** @param {Element} element @param {string} card @param {string} outer The name of what it is in. */
  const columnName = (element, card, outer) => {
    const tag = tree.tag(element);
    return nameOf(element, card) || (/^h[1-6]$/.test(tag) ? "title" : outer || BY_TAG.get(tag) || "");
  };

  /** @typedef {{key: string, name: string, words: string}} Part */
  /** @param {Element} card @returns {Part[]} */
  const partsOf = (card) => {
    const base = classes(card)[0] || "";
    /** @type {Part[]} */
    const parts = [];
    /** @param {Element} element @param {string} key @param {string} name @param {number} depth */
    const walk = (element, key, name, depth) => {
      if (tree.tag(element) === "button" || depth > MAX_DEPTH) return;
      const inside = visibleContent.children(element);
      const elements = inside.filter(tree.isElement);
      const hasText = inside.some((node) => tree.isText(node) && node.data.trim());
      const isPlain = (/** @type {Element} */ it) => lib.renderedText.isInline(tree.style(it)) && !nameOf(it, base);
      const flows = hasText || elements.every(isPlain);
      if (flows || !elements.length) {
        const words = visibleContent.words(element);
        if (words) parts.push({ key, name: name || "text", words });
        return;
      }
      for (const child of elements) walk(child, `${key}>${kind(child)}`, columnName(child, base, name), depth + 1);
    };
    walk(card, "", "", 0);
    return parts.concat(addressOf(card), pictureOf(card));
  };

  /** @param {Element} card @returns {Part[]} */
  const addressOf = (card) => {
    const link = visibleContent.all(card, "a[href]")[0] || tree.closest(card, "a[href]");
    return link ? [{ key: "@href", name: "href", words: visibleContent.address(tree.attr(link, "href") || "") }] : [];
  };
  /** @param {Element} card @returns {Part[]} */
  const pictureOf = (card) => {
    const [alt] = visibleContent.all(card, "img[alt]").flatMap((it) => tree.attr(it, "alt") || []);
    return alt ? [{ key: "@alt", name: "image", words: lib.renderedText.fold(alt).toWellFormed() }] : [];
  };

  /** @param {Element[]} cards @returns {RowsOfWords & {isList: boolean}} */
  const rowsOf = (cards) => {
    /** @type {Map<string, string>} */
    const columns = new Map();
    let parts = 0;
    const found = cards.map((card) => {
      /** @type {Map<string, string>} */
      const row = new Map();
      for (const { key, name, words } of partsOf(card)) {
        parts += 1;
        if (!columns.has(key) && columns.size < MAX_COLUMNS) columns.set(key, name);
        row.set(key, row.has(key) ? `${row.get(key)}, ${words}` : words);
      }
      return row;
    });
    // A picture's words that only repeat another column are no column.
    const keys = [...columns.keys()].filter((key) => key !== "@alt" || found.some((row) => isNews(row, key)));
    const filled = found.reduce((sum, row) => sum + row.size, 0);
    return {
      // Cards that have little in common, or that hold lists themselves, are the sections of a page.
      isList: filled >= 0.4 * keys.length * cards.length && parts <= 2.5 * filled,
      name: "",
      columns: keys.map((key) => columns.get(key) || ""),
      rows: found.map((row) => keys.map((key) => row.get(key) || "")),
      width: keys.length,
      cut: false,
      isPart: false,
      count: found.length,
    };
  };
  /** Whether a column of a row says what no other does. @param {Map<string, string>} row @param {string} key */
  const isNews = (row, key) =>
    row.has(key) && [...row].every(([other, words]) => other === key || words !== row.get(key));

  /** The largest set of children of one kind. @param {Element} container @returns {Element[]} */
  const alike = (container) => {
    /** @type {Map<string, Element[]>} */
    const kinds = new Map();
    for (const child of tree.children(container)) {
      if (!tree.isElement(child) || !visibility.isRendered(child)) continue;
      const others = kinds.get(kind(child));
      if (others) others.push(child);
      else kinds.set(kind(child), [child]);
    }
    return [...kinds.values()].reduce((best, next) => (next.length > best.length ? next : best), []);
  };

  /**
   * The first container, from an element inwards, that holds a list.
   * @param {Element} element @returns {Element | null}
   */
  const listIn = (element) => {
    let node = /** @type {Element | null} */ (element);
    while (node && alike(node).length < MIN_ITEMS) {
      const inside = visibleContent.children(node).filter(tree.isElement);
      node = inside.length === 1 ? inside[0] : null;
    }
    return node;
  };

  /** About how much cards say: to read them all for that would be slow. @param {Element[]} cards */
  const sizeOf = (cards) => {
    const chars = cards.slice(0, MIN_ITEMS).reduce((sum, card) => sum + (card.textContent || "").length, 0);
    return chars * cards.length;
  };

  /**
   * Lists of at least two columns of words, the largest first.
   * @param {Document | Element} root @returns {RowsOfWords[]}
   */
  const all = (root) => {
    /** @type {{cards: Element[], size: number}[]} */
    const found = [];
    for (const container of visibleContent.all(root, CONTAINERS)) {
      if (tree.closest(container, APART) || !visibility.isRendered(container)) continue;
      const cards = alike(container);
      if (cards.length >= MIN_ITEMS) found.push({ cards, size: sizeOf(cards) });
    }
    found.sort((one, two) => two.size - one.size);
    /** @type {{cards: Element[], read: RowsOfWords}[]} */
    const lists = [];
    for (const { cards } of found.slice(0, 3 * MAX_LISTS)) {
      const read = rowsOf(cards);
      const worded = read.columns.filter((name) => name !== "href" && name !== "image");
      if (read.isList && worded.length >= 2 && lists.length < MAX_LISTS) lists.push({ cards, read });
    }
    // The parts of a card are often alike as well.
    const isPart = (/** @type {Element[]} */ cards) =>
      lists.some((it) => it.cards !== cards && it.cards.some((card) => tree.isWithin(cards[0], card)));
    return lists.filter(({ cards }) => !isPart(cards)).map(({ read }) => read);
  };

  /** The list in an element. @param {Element} element @returns {RowsOfWords | null} */
  const within = (element) => {
    const container = listIn(element);
    return container && rowsOf(alike(container));
  };

  return { all, within };
};
