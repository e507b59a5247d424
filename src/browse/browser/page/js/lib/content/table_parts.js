/**
 * What belongs to a table: its rows in the order in which a person sees them, their cells, and the header that stands
 * in a table of its own above it. HTML tables that only place things are no tables; `role=table`, `grid` and
 * `treegrid` are.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, visibility, visibleContent } = lib;
  const KINDS = new Set(["table", "grid", "treegrid"]);
  const TABLES = "table, [role=table], [role=grid], [role=treegrid]";
  const ROWS = "tr, [role=row]";
  const HEADS = "[role=columnheader]";
  const CELLS = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";
  const MAX_HEAD_ROWS = 4;
  // Where rows have numbers, some of so many have one.
  const MAX_LOOKED_AT = 50;

  /** @param {Element} element @returns {boolean} */
  const isTable = (element) => KINDS.has(roles.of(element)) && visibility.isRendered(element);

  /** Whether tables can be in tables at all. */
  const isAlone = tree.once(() => tree.roots().length === 1 && tree.list(document, TABLES).length < 2);

  /** A test for tables in this cell; null where there are none. @param {Element} cell */
  const innerTables = (cell) => (!isAlone() && visibleContent.all(cell, TABLES).some(isTable) ? isTable : null);

  /** @param {Element} part @param {string} selector @returns {Element | null} */
  const nearest = (part, selector) => {
    for (let node = tree.parent(part); node; node = tree.parent(node)) if (tree.fits(node, selector)) return node;
    return null;
  };

  /** All that is in an element, with what it owns from elsewhere. @param {Element} start @returns {Element[]} */
  const inside = (start) => {
    const found = [];
    const stack = [start];
    for (let node = stack.pop(); node; node = stack.pop()) {
      found.push(node);
      stack.push(...tree.elements(node).reverse());
    }
    return found;
  };

  /** Parts of a table, not of one in it. @param {Element} table @param {string} selector @returns {Element[]} */
  const own = (table, selector) => {
    const owns = tree.tag(table) !== "table" && tree.census().owners.length > 0;
    const all = owns ? inside(table).filter((it) => tree.fits(it, selector)) : visibleContent.all(table, selector);
    const isOwn = (/** @type {Element} */ part) => isAlone() || nearest(part, TABLES) === table;
    return all.filter((part) => part !== table && isOwn(part) && visibility.isRendered(part));
  };

  /** @param {Element} element @param {string} name */
  const indexOf = (element, name) => {
    const number = parseInt(tree.attr(element, name) || "", 10);
    return number > 0 ? number : 0;
  };
  const rowIndex = (/** @type {Element} */ row) => indexOf(row, "aria-rowindex");
  const columnIndex = (/** @type {Element} */ cell) => indexOf(cell, "aria-colindex");

  /** The other parts of rows that are built of several: one for columns that stay, one for those that scroll. */
  /** @type {WeakMap<Element, Element[]>} */
  const otherParts = new WeakMap();

  // Apart from what else is remembered of elements, where a fact that few are asked for takes its room in all.
  const known = tree.once(() => /** @type {Map<Element, Element[]>} */ (new Map()));
  /** @param {Element} row @returns {Element[]} */
  const cellsIn = (row) => {
    const before = known().get(row);
    if (before) return before;
    const found = [];
    for (const it of tree.elements(row))
      if (tree.fits(it, CELLS)) {
        if (visibility.isRendered(it)) found.push(it);
      } else if (tree.tag(row) !== "tr" && tree.list(it, CELLS).length && !isTable(it)) found.push(...cellsIn(it));
    known().set(row, found);
    return found;
  };

  /** The cells of a row, in the order of its columns. @param {Element} row @returns {Element[]} */
  const cellsOf = (row) => {
    const others = otherParts.get(row);
    const cells = others ? [row, ...others].flatMap(cellsIn) : cellsIn(row);
    if (cells.length < 2 || !columnIndex(cells[0]) || !cells.every(columnIndex)) return cells;
    return [...cells].sort((a, b) => columnIndex(a) - columnIndex(b));
  };

  /** @param {Element} row */
  const isHeader = (row) =>
    tree.closest(row, "thead") !== null || cellsOf(row).every((cell) => roles.of(cell) === "columnheader");

  /** Whether rows have no column in common. @param {Element} row @param {Element} other */
  const areParts = (row, other) => {
    const taken = cellsOf(row).map(columnIndex);
    const cells = cellsIn(other).map(columnIndex);
    return taken.every(Boolean) && cells.every((at) => at > 0 && !taken.includes(at));
  };

  /** Rows that say which number they have, in that order, their parts put together. @param {Element[]} rows */
  const numbered = (rows) => {
    /** @type {Map<number, Element>} */
    const first = new Map();
    for (const row of rows) otherParts.delete(row);
    const whole = rows.filter((row) => {
      const at = rowIndex(row);
      const before = at ? first.get(at) : undefined;
      if (!before || !areParts(before, row)) {
        if (at && !before) first.set(at, row);
        return true;
      }
      otherParts.set(before, [...(otherParts.get(before) || []), row]);
      return false;
    });
    const place = new Map(whole.map((row) => [row, rowIndex(row) || (isHeader(row) ? 0 : -1)]));
    if ([...place.values()].includes(-1)) return whole;
    return whole.sort((a, b) => (place.get(a) || 0) - (place.get(b) || 0));
  };

  /** The rows of a table, those of its foot last. @param {Element} table @returns {Element[]} */
  const rowsOf = (table) => {
    const rows = own(table, ROWS);
    if (tree.list(table, "tfoot").length) {
      const isFoot = (/** @type {Element} */ row) => tree.closest(row, "tfoot") !== null;
      return rows.sort((a, b) => Number(isFoot(a)) - Number(isFoot(b)));
    }
    if (tree.tag(table) !== "table") rows.unshift(...looseHeads(table));
    return rows.slice(0, MAX_LOOKED_AT).some(rowIndex) ? numbered(rows) : rows;
  };

  /** What holds column headers that are in no row. @param {Element} table @returns {Element[]} */
  const looseHeads = (table) => {
    const loose = own(table, HEADS).filter((head) => !nearest(head, `${ROWS}, ${TABLES}`)?.matches(ROWS));
    return [...new Set(loose.map((head) => tree.parent(head)))].filter((it) => it !== null);
  };

  /** @param {Element | undefined} row */
  const width = (row) => (row ? cellsOf(row).reduce((sum, cell) => sum + (indexOf(cell, "colspan") || 1), 0) : 0);

  /** @param {Element} table */
  const isOnlyHeader = (table) => {
    const rows = own(table, ROWS);
    return (
      rows.length > 0 && rows.length <= MAX_HEAD_ROWS && rows.every((row) => cellsOf(row).length && isHeader(row))
    );
  };

  /**
   * Whether no other table stands with a header and what may be its table.
   * @param {Element} head @param {Element} body
   */
  const areTogether = (head, body) => {
    let around = tree.parent(head);
    while (around && !tree.isWithin(body, around)) around = tree.parent(around);
    const both = around ? visibleContent.all(around, TABLES).filter(visibility.isRendered) : [];
    if (both.length !== 2 || isOnlyHeader(body)) return false;
    // Where what is below scrolls, the header has a column for the scroll bar.
    const more = width(own(head, ROWS).pop()) - width(own(body, ROWS).find((row) => cellsOf(row).length));
    return more === 0 || more === 1;
  };

  /** The tables that are only the header of the next one, which scrolls below them: by that one. */
  const heads = tree.once(() => {
    /** @type {Map<Element, Element>} */
    const found = new Map();
    // What is below has no header of its own, so it may look like a table that only places things.
    const tables = visibleContent.all(document, TABLES).filter(visibility.isRendered);
    tables.slice(0, -1).forEach((table, at) => {
      const below = tables[at + 1];
      if (isTable(table) && isOnlyHeader(table) && areTogether(table, below)) found.set(below, table);
    });
    return found;
  });

  /** The header of a table that is a table of its own. @param {Element} table */
  const headOf = (table) => (isAlone() ? undefined : heads().get(table));

  /** @param {Document | Element} root @returns {Element[]} */
  const all = (root) => {
    const tables = visibleContent.all(root, TABLES);
    if (isAlone()) return tables.filter(isTable);
    const apart = new Set(heads().values());
    return tables.filter((table) => (isTable(table) && !apart.has(table)) || heads().has(table));
  };

  return { all, cellsOf, columnIndex, headOf, innerTables, isHeader, isTable, rowIndex, rowsOf };
};
