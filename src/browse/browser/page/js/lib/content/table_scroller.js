/**
 * Tables that keep only the rows near the window in the page: how many rows they have, and what scrolls them.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, tableParts } = lib;
  const SCROLLS = /^(auto|scroll|overlay)$/;
  const CONTENT = "img, svg, input, select, textarea, canvas, video, iframe";
  // A page that has more rows than this keeps them all.
  const MAX_VIRTUAL_ROWS = 2000;
  // Rows that are missing leave more room than this, in rows.
  const MIN_BLANK_ROWS = 1.5;
  const page = () => document.scrollingElement || document.documentElement;

  /** What scrolls something, down or across. @param {Element} element @param {boolean} isAcross @returns {Element} */
  const scrollerOf = (element, isAcross = false) => {
    for (let node = tree.composedParent(element); node && node !== page(); node = tree.composedParent(node)) {
      const isLong = isAcross ? node.scrollWidth > node.clientWidth + 1 : node.scrollHeight > node.clientHeight + 1;
      if (!isLong) continue;
      const { overflowX, overflowY } = tree.style(node);
      if (SCROLLS.test(isAcross ? overflowX : overflowY) && node !== document.body) return node;
    }
    return page();
  };

  /** Where the window of a scroller begins. @param {Element} scroller */
  const edge = (scroller) => (scroller === page() ? 0 : tree.box(scroller).top + scroller.clientTop);

  /** @param {Element} element */
  const isFilled = (element) => Boolean((element.textContent || "").trim()) || tree.list(element, CONTENT).length > 0;

  /**
   * How much height something has that nothing in it takes.
   * @param {Element} holder @param {boolean} isAround Whether it is around the table: then nothing else may be in it.
   */
  const blankIn = (holder, isAround) => {
    const boxes = tree.elements(holder).filter(isFilled).map(tree.box);
    const shown = boxes.filter(({ height }) => height > 0);
    if (!shown.length || (isAround && shown.length > 1) || !tree.box(holder).height) return 0;
    const top = Math.min(...shown.map((box) => box.top));
    return Math.max(holder.scrollHeight, tree.box(holder).height) - Math.max(...shown.map((box) => box.bottom)) + top;
  };

  /**
   * About how many rows are missing where the room for them is there, and they are not.
   * @param {Element} table @param {Element[]} rows @param {Element} scroller
   */
  const missing = (table, rows, scroller) => {
    const filled = rows.filter(isFilled);
    const boxes = filled.map(tree.box).filter(({ height }) => height > 0);
    if (!boxes.length) return 0;
    const high = boxes.reduce((sum, { height }) => sum + height, 0) / boxes.length;
    if (scroller.scrollHeight - scroller.clientHeight < high) return 0;
    let most = 0;
    let isAround = false;
    for (let node = tree.composedParent(rows[0]); node && node !== scroller; node = tree.composedParent(node)) {
      if (node === document.body) break;
      const blank = blankIn(node, isAround);
      // What is only as tall as the window at least, so that the page fills it, has no room for rows.
      if (!isAround || blank > scroller.clientHeight) most = Math.max(most, blank);
      isAround ||= node === table;
    }
    return most > MIN_BLANK_ROWS * high ? Math.round(most / high) : 0;
  };

  /**
   * The same rows without those at both ends that only take the room of others.
   * @param {Element[]} rows @returns {Element[]}
   */
  const withoutSpacers = (rows) => {
    const high = (/** @type {Element | undefined} */ row) => (row && isFilled(row) ? tree.box(row).height : 0);
    const isSpacer = (/** @type {Element} */ row, /** @type {Element | undefined} */ next) =>
      !isFilled(row) && high(next) > 0 && tree.box(row).height > MIN_BLANK_ROWS * high(next);
    const end = rows.length - 1;
    if (end < 1) return rows;
    return rows.slice(Number(isSpacer(rows[0], rows[1])), isSpacer(rows[end], rows[end - 1]) ? end : end + 1);
  };

  /** @param {Element} table @param {string} name */
  const told = (table, name) => Math.max(parseInt(tree.attr(table, name) || "", 10) || 0, 0);

  /**
   * How many rows and columns a table has where not all are in the page, else 0; whether the rows are only estimated.
   * @param {Element} table @param {RowsOfTable} read
   */
  const whole = (table, { headers, elements, count, width }) => {
    const columns = told(table, "aria-colcount");
    const found = { total: 0, isAbout: false, allColumns: columns > width ? columns : 0, scrolls: false };
    if (!elements.length || count > MAX_VIRTUAL_ROWS) return found;
    const scroller = scrollerOf(elements[elements.length - 1]);
    found.scrolls = scroller.scrollHeight > scroller.clientHeight + 1;
    const rows = told(table, "aria-rowcount");
    const numbered = headers.filter(tableParts.rowIndex).length;
    if (rows) found.total = rows - numbered > count ? rows - numbered : 0;
    else {
      const more = missing(table, elements, scroller);
      if (more) Object.assign(found, { total: count + more, isAbout: true });
    }
    return found;
  };

  /**
   * Where each row stands: its number if the page tells it, else 0, and its edges in what scrolls.
   * @param {Element[]} elements @returns {[number, number, number][]}
   */
  const places = (elements) => {
    if (!elements.length) return [];
    const scroller = scrollerOf(elements[elements.length - 1]);
    const offset = scroller.scrollTop - edge(scroller);
    return elements.map((row) => {
      const { top, bottom } = tree.box(row);
      return [tableParts.rowIndex(row), top + offset, bottom + offset];
    });
  };

  /** What scrolls the columns of a row; some of them may stay where they are. @param {Element} row */
  const acrossOf = (row) => {
    const scrollers = tableParts.cellsOf(row).map((cell) => scrollerOf(cell, true));
    return scrollers.find((it) => it !== page()) || page();
  };

  /** How far a scroller has come, how far it goes, and how much it shows. @param {Element} row */
  const position = (row) => {
    const [down, across] = [scrollerOf(row), acrossOf(row)];
    return {
      top: down.scrollTop,
      mostTop: down.scrollHeight - down.clientHeight,
      high: down.clientHeight,
      left: across.scrollLeft,
      mostLeft: across.scrollWidth - across.clientWidth,
      wide: across.clientWidth,
    };
  };

  /** @param {Element} row @param {number} top @param {number} left */
  const scrollTo = (row, top, left) => {
    const behavior = "instant";
    const across = acrossOf(row);
    scrollerOf(row).scrollTo({ top, behavior });
    across.scrollTo({ left, behavior });
  };

  return { places, position, scrollTo, whole, withoutSpacers };
};
