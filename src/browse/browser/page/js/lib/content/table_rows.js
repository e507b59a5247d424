/**
 * Tables as rows of words: spans filled in, headers told apart, tables inside cells kept out. HTML tables that
 * only place things are no tables; `role=table`, `grid` and `treegrid` are.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, visibility, visibleContent } = lib;
  const KINDS = new Set(["table", "grid", "treegrid"]);
  const TABLES = "table, [role=table], [role=grid], [role=treegrid]";
  const MAX_CELLS = 500_000;
  const MAX_COLUMNS = 1000;
  const MIN_ROOM = 10_000;

  /** @param {Element} element @returns {boolean} */
  const isTable = (element) => KINDS.has(roles.of(element)) && visibility.isRendered(element);

  /** @param {Document | Element} root @returns {Element[]} */
  const all = (root) => visibleContent.all(root, TABLES).filter(isTable);

  /** Parts of a table, not of one in it. @param {Element} table @param {string} selector @returns {Element[]} */
  const own = (table, selector) =>
    visibleContent
      .all(table, selector)
      .filter((part) => part !== table && owner(part) === table && visibility.isRendered(part));

  /** @param {Element} part @returns {Element | null} */
  const owner = (part) => {
    for (let node = tree.parent(part); node; node = tree.parent(node)) if (tree.fits(node, TABLES)) return node;
    return null;
  };

  /** Whether tables can be in tables at all. */
  const isAlone = tree.once(() => tree.list(document, TABLES).length < 2);
  /** @param {Element} cell @returns {string} */
  const wordsOf = (cell) => {
    const whole = !isAlone() && tree.all(cell, TABLES).some(isTable) ? ownWords(cell) : visibleContent.words(cell);
    return whole || instead(cell);
  };

  /** The words in a cell that are in no table inside it. @param {Element} cell @returns {string} */
  const ownWords = (cell) => {
    const parts = [];
    /** @type {(Text | Element)[]} */
    const stack = [cell];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (tree.isText(node)) parts.push(node.data);
      else if (node === cell || !isTable(node)) stack.push(...visibleContent.children(node).reverse());
    }
    return lib.renderedText.fold(parts.join(" ")).toWellFormed();
  };

  /**
   * What stands for the words of a cell where there are none: a picture, a field.
   * @param {Element} cell @returns {string}
   */
  const instead = (cell) => {
    const found = tree.all(cell, "img, svg, input, select, textarea, [role=checkbox], [role=img], [aria-label]");
    const said = found.map((it) => {
      const role = roles.of(it);
      const { checked } = lib.states.of(it, role);
      if (checked !== undefined) return checked === true ? "✓" : checked ? "–" : "✗";
      return lib.states.value(it, role) || lib.names.of(it);
    });
    return lib.renderedText.fold(said.filter(Boolean).join(" ")).toWellFormed();
  };

  /** @param {Element} cell @param {string} name @param {number} most */
  const span = (cell, name, most) => {
    const given = tree.attr(cell, name) ?? tree.attr(cell, `aria-${name}`);
    const number = parseInt(given || "1", 10);
    return number === 0 && name === "rowspan" ? most : Math.min(Math.max(number || 1, 1), most);
  };

  const CELLS = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";
  /** @param {Element} row @returns {Element[]} */
  const cellsOf = (row) => tree.elements(row).filter((it) => tree.fits(it, CELLS) && visibility.isRendered(it));

  /** The rows of a table, those of its foot last. @param {Element} table */
  const rowsOf = (table) => {
    const elements = own(table, "tr, [role=row]");
    const isFoot = (/** @type {Element} */ row) => tree.closest(row, "tfoot") !== null;
    return tree.list(table, "tfoot").length
      ? elements.sort((a, b) => Number(isFoot(a)) - Number(isFoot(b)))
      : elements;
  };

  /**
   * As many rows as will be shown, where the others cannot change how these are read: they are below a header, and
   * none is wider.
   * @param {Element[]} elements @param {number} room @returns {Element[]}
   */
  const shownRows = (elements, room) => {
    let left = 2 * Math.max(room, MIN_ROOM);
    const most = elements.findIndex((row) => {
      left -= (row.textContent || "").length;
      return left < 0;
    });
    const kept = elements.slice(0, most + 1);
    const head = kept.findIndex((row) => cellsOf(row).length && !isHeader(row));
    if (head < 1 || tree.closest(kept[kept.length - 1], "tfoot")) return elements;
    const width = Math.max(...kept.map((row) => row.childElementCount));
    return elements.some((row) => row.childElementCount > width) ? elements : kept;
  };
  /** @param {Element} row */
  const isHeader = (row) =>
    tree.closest(row, "thead") !== null || cellsOf(row).every((cell) => roles.of(cell) === "columnheader");

  /**
   * @param {Element[]} elements The rows. @param {(cell: Element) => string} say
   * @returns {{rows: string[][], heads: boolean[][], elements: Element[], cut: boolean}}
   */
  const grid = (elements, say) => {
    /** @type {string[][]} */
    const rows = elements.map(() => []);
    /** @type {boolean[][]} */
    const heads = elements.map(() => []);
    let cells = 0;
    let whole = 0;
    for (const [at, row] of elements.entries()) {
      let column = 0;
      for (const cell of cellsOf(row)) {
        while (rows[at][column] !== undefined) column += 1;
        const wide = span(cell, "colspan", MAX_COLUMNS - column);
        const high = span(cell, "rowspan", elements.length - at);
        const words = say(cell);
        const isHead = /^(column|row)header$/.test(roles.of(cell));
        for (let down = at; down < at + high && cells <= MAX_CELLS; down += 1)
          for (let across = column; across < column + wide; across += 1, cells += 1) {
            rows[down][across] = words;
            heads[down][across] = isHead;
          }
        column += wide;
      }
      if (cells > MAX_CELLS) break;
      whole += 1;
    }
    const kept = rows.slice(0, whole);
    const width = kept.reduce((most, row) => Math.max(most, row.length), 0);
    const filled = kept.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ""));
    return { rows: filled, heads, elements, cut: whole < rows.length };
  };

  const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;
  /** @param {Element} row */
  const isBold = (row) => cellsOf(row).every((cell) => Number(tree.style(cell).fontWeight) >= 600);

  /** Whether the first row, though made like the others, tells what is in the columns. */
  const isTitled = (/** @type {string[][]} */ rows, /** @type {Element[]} */ elements) => {
    const [first, ...rest] = rows;
    if (!rest.length || first.length < 2 || new Set(first).size < first.length) return false;
    if (first.some((words) => !words || NUMBER.test(words))) return false;
    if (isBold(elements[0]) && !isBold(elements[1])) return true;
    return first.some((_, column) => {
      const below = rest.map((row) => row[column]).filter(Boolean);
      return below.length > 0 && below.every((words) => NUMBER.test(words));
    });
  };

  /** How many rows are header. @param {Element[]} elements @param {boolean[][]} heads @param {string[][]} rows */
  const depth = (elements, heads, rows) => {
    let count = 0;
    const isHead = (/** @type {number} */ at) =>
      tree.closest(elements[at], "thead") !== null || (heads[at].length > 0 && heads[at].every(Boolean));
    while (count < rows.length && isHead(count)) count += 1;
    // A table of nothing but headers has names in its first column, not a header of many rows.
    if (count === rows.length) count = rows.length > 1 ? 1 : 0;
    return count || (heads.some((row) => row.some(Boolean)) || !isTitled(rows, elements) ? 0 : 1);
  };

  /**
   * @param {Element} table @param {(cell: Element) => string} [say]
   * @param {number} [room] How many characters will be shown; 0 for all. @returns {RowsOfWords}
   */
  const read = (table, say = wordsOf, room = 0) => {
    const all = rowsOf(table);
    const shown = room ? shownRows(all, room) : all;
    if (shown.length < all.length) lib.hiddenText.readUntil(shown[shown.length - 1]);
    const filled = shown.filter((row) => cellsOf(row).length);
    const { rows, heads, elements, cut } = grid(filled, say);
    const count = depth(elements, heads, rows);
    const above = rows.slice(0, count);
    const columns = (rows[0] || []).map((_, at) =>
      [...new Set(above.map((row) => row[at]).filter(Boolean))].join(" / "),
    );
    return {
      name: lib.names.of(table),
      columns: count ? columns : [],
      rows: rows.slice(count),
      width: columns.length,
      cut,
      isPart: shown.length < all.length,
    };
  };

  return { all, isTable, read };
};
