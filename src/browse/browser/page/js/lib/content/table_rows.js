/**
 * Tables as rows of words: spans filled in, headers told apart, tables inside cells kept out.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, tableCells, tableParts } = lib;
  const { cellsOf, columnIndex, isHeader } = tableParts;
  const MAX_CELLS = 500_000;
  const MAX_COLUMNS = 1000;
  const MIN_ROOM = 10_000;
  const HEAD_ROLE = /^(column|row)header$/;

  /** @param {Element} cell @param {boolean} isHead @returns {string} */
  const wordsOf = (cell, isHead) => tableCells.words(cell, isHead, tableParts.innerTables(cell));

  /** Rows at both ends that only take room, below the header. @param {Element[]} rows */
  const withoutSpacers = (rows) => {
    const head = rows.findIndex((row) => !isHeader(row));
    if (head < 0) return rows;
    return [...rows.slice(0, head), ...lib.tableScroller.withoutSpacers(rows.slice(head))];
  };

  /** @param {Element} cell @param {string} name @param {number} most */
  const span = (cell, name, most) => {
    const given = tree.attr(cell, name) ?? tree.attr(cell, `aria-${name}`);
    const number = parseInt(given || "1", 10);
    return number === 0 && name === "rowspan" ? most : Math.min(Math.max(number || 1, 1), most);
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

  /**
   * Which column each number of a column means; of some columns only those near the window are in the page.
   * @param {Element[]} elements @returns {Map<number, number> | null} null where cells have no numbers
   */
  const numberedColumns = (elements) => {
    const first = elements.length ? cellsOf(elements[0])[0] : undefined;
    if (!first || !columnIndex(first)) return null;
    const numbers = elements.flatMap((row) => cellsOf(row).map(columnIndex));
    if (!numbers.every(Boolean)) return null;
    const sorted = [...new Set(numbers)].sort((a, b) => a - b);
    return new Map(sorted.map((number, at) => [number, at]));
  };

  /**
   * @param {Element[]} elements The rows. @param {(cell: Element, isHead: boolean) => string} say
   * @returns {{rows: string[][], heads: boolean[][], elements: Element[], cut: boolean}}
   */
  const grid = (elements, say) => {
    /** @type {string[][]} */
    const rows = elements.map(() => []);
    /** @type {boolean[][]} */
    const heads = elements.map(() => []);
    const columns = numberedColumns(elements);
    let cells = 0;
    let whole = 0;
    for (const [at, row] of elements.entries()) {
      let column = 0;
      for (const cell of cellsOf(row)) {
        column = columns?.get(columnIndex(cell)) ?? column;
        while (!columns && rows[at][column] !== undefined) column += 1;
        const wide = span(cell, "colspan", MAX_COLUMNS - column);
        const high = span(cell, "rowspan", elements.length - at);
        const role = roles.of(cell);
        const isHead = HEAD_ROLE.test(role);
        const words = say(cell, role === "columnheader");
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

  /**
   * How many rows are header.
   * @param {Element[]} elements @param {boolean[][]} heads @param {string[][]} rows @param {boolean} isHeaded Whether
   *   the header is another table.
   */
  const depth = (elements, heads, rows, isHeaded) => {
    let count = 0;
    const isHead = (/** @type {number} */ at) =>
      tree.closest(elements[at], "thead") !== null || (heads[at].length > 0 && heads[at].every(Boolean));
    while (count < rows.length && isHead(count)) count += 1;
    // A table of nothing but headers has names in its first column, not a header of many rows.
    if (count === rows.length) count = rows.length > 1 ? 1 : 0;
    if (count || isHeaded) return count;
    return heads.some((row) => row.some(Boolean)) || !isTitled(rows, elements) ? 0 : 1;
  };

  /** The names of columns, one below the other in each. @param {string[][]} above @param {number} width */
  const joined = (above, width) =>
    Array.from({ length: width }, (_, at) => [...new Set(above.map((row) => row[at]).filter(Boolean))].join(" / "));

  /**
   * @param {Element} table @param {typeof wordsOf} [say]
   * @param {number} [room] How many characters will be shown; 0 for all. @returns {RowsOfTable}
   */
  const read = (table, say = wordsOf, room = 0) => {
    const all = tableParts.rowsOf(table);
    const shown = room ? shownRows(all, room) : all;
    const isPart = shown.length < all.length;
    if (isPart) lib.hiddenText.readUntil(shown[shown.length - 1]);
    const filled = withoutSpacers(shown.filter((row) => cellsOf(row).length));
    const { rows, heads, elements, cut } = grid(filled, say);
    const apart = tableParts.headOf(table);
    const count = depth(elements, heads, rows, apart !== undefined);
    const width = rows[0]?.length || 0;
    const own = count ? joined(rows.slice(0, count), width) : [];
    const columns = own.some(Boolean) || !apart ? own : joined(grid(tableParts.rowsOf(apart), say).rows, width);
    return {
      name: lib.names.of(table) || (apart ? lib.names.of(apart) : ""),
      columns,
      rows: rows.slice(count),
      width,
      cut,
      isPart,
      count: (isPart ? all.length : filled.length) - count,
      headers: elements.slice(0, count),
      elements: elements.slice(count),
    };
  };

  return { read };
};
