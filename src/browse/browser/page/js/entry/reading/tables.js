/**
 * The tables of a document or of one element, and after them its lists of things that look alike: the one that
 * was asked for (`nth`, from 1), or the only one; else what there is to choose from. With `room`, of the chosen table
 * little more than so many characters.
 * @param {Document | Element} root
 * @param {{nth: number | null, room: number}} options
 * @param {Lib} lib
 */
export default (root, { nth, room }, lib) => {
  const { tableRows, repeatedItems } = lib;
  const tables = tableRows.all(root);
  const lists = () => {
    const pointedAt = root instanceof Element && !tables.length ? repeatedItems.within(root) : null;
    return pointedAt ? [pointedAt] : repeatedItems.all(root);
  };
  const isEnough = nth === null ? tables.length === 1 : nth <= tables.length;
  const found = [
    ...tables.map((it) => (most = 0) => ({ kind: "table", ...tableRows.read(it, undefined, most) })),
    ...(isEnough ? [] : lists()).map((it) => () => ({ kind: "list", ...it })),
  ];
  const chosen = nth ?? (isEnough || found.length === 1 ? 1 : 0);
  const summary = (/** @type {RowsOfWords} */ read) => ({ ...read, rows: [], count: read.rows.length });
  return {
    total: found.length,
    chosen: found[chosen - 1]?.(room) || null,
    all: chosen ? [] : found.map((read) => summary(read())),
  };
};
