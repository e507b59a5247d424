/**
 * Scrolls what keeps only some rows of a table in the page; false where there is no such table any more.
 * @param {Document | Element} root
 * @param {{nth: number | null, top: number, left: number}} options
 * @param {Lib} lib
 */
export default (root, { nth, top, left }, lib) => {
  const table = lib.tableParts.all(root)[(nth ?? 1) - 1];
  const row = table && lib.tableParts.rowsOf(table).pop();
  if (!row) return false;
  lib.tableScroller.scrollTo(row, top, left);
  return true;
};
