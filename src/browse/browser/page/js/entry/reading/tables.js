/**
 * The tables of a document or of one element, and after them its lists of things that look alike: the one that
 * was asked for (`nth`, from 1), or the only one; else what there is to choose from. With `room`, of the chosen table
 * little more than so many characters; with `placed`, where each of its rows stands.
 * @param {Document | Element} root
 * @param {{nth: number | null, room: number, placed: boolean}} options
 * @param {Lib} lib
 */
export default (root, { nth, room, placed }, lib) => {
  const { tableParts, tableRows, tableScroller, repeatedItems } = lib;
  // Of a table that is only listed, its first rows tell what its columns are.
  const FIRST = 1;
  const tables = tableParts.all(root);
  const lists = () => {
    const pointedAt = root instanceof Element && !tables.length ? repeatedItems.within(root) : null;
    return pointedAt ? [pointedAt] : repeatedItems.all(root);
  };

  /** @param {Element} table @param {number} most */
  const read = (table, most) => {
    const found = tableRows.read(table, undefined, most);
    const { headers, elements, ...words } = found;
    const last = elements[elements.length - 1];
    const place =
      placed && last
        ? { places: tableScroller.places(elements), position: tableScroller.position(last) }
        : { places: [], position: null };
    return { kind: "table", ...words, ...tableScroller.whole(table, found), ...place };
  };

  const isEnough = nth === null ? tables.length === 1 : nth <= tables.length;
  const found = [
    ...tables.map((it) => (/** @type {number} */ most) => read(it, most)),
    ...(isEnough ? [] : lists()).map((it) => () => ({ kind: "list", ...it })),
  ];
  const chosen = nth ?? (isEnough || found.length === 1 ? 1 : 0);
  return {
    total: found.length,
    chosen: found[chosen - 1]?.(room) || null,
    all: chosen ? [] : found.map((it) => ({ ...it(FIRST), rows: [] })),
  };
};
