/**
 * The tables of a document or of one element, and after them its lists of things that look alike: the one that
 * was asked for (`nth`, from 1), or the only one; else what there is to choose from.
 * @param {Document | Element} root
 * @param {{nth: number | null}} options
 * @param {Lib} lib
 */
export default (root, { nth }, lib) => {
  const { tableRows, repeatedItems } = lib;
  const tables = tableRows.all(root);
  const lists = () => {
    const pointedAt = root instanceof Element && !tables.length ? repeatedItems.within(root) : null;
    return pointedAt ? [pointedAt] : repeatedItems.all(root);
  };
  const isEnough = nth === null ? tables.length === 1 : nth <= tables.length;
  const found = [
    ...tables.map((it) => () => ({ kind: "table", ...tableRows.read(it) })),
    ...(isEnough ? [] : lists()).map((it) => () => ({ kind: "list", ...it })),
  ];
  const chosen = nth ?? (isEnough || found.length === 1 ? 1 : 0);
  const summary = (/** @type {RowsOfWords} */ read) => ({ ...read, rows: [], count: read.rows.length });
  return {
    total: found.length,
    chosen: found[chosen - 1]?.() || null,
    all: chosen ? [] : found.map((read) => summary(read())),
  };
};
