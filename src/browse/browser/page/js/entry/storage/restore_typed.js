/**
 * Puts back what `read_typed.js` read. What was scrolled is scrolled again even if the page is too short for it yet.
 * @param {Document | Element} _ @param {{fields: TypedField[], scrolled: ScrolledPart[]}} saved @param {Lib} lib
 * @returns {{fields: number[], scrolled: number[]}} The numbers of those that are not there yet.
 */
export default (_, { fields, scrolled }, lib) => {
  /** @param {boolean[]} done */
  const missing = (done) => done.flatMap((it, at) => (it ? [] : [at]));
  const filled = fields.map((field) => lib.typedFields.restore(field));
  const moved = scrolled.map(({ way, left, top }) => {
    const element = lib.paths.find(way);
    if (!element) return false;
    lib.scrollPositions.move(element, left, top);
    const [nowLeft, nowTop] = lib.scrollPositions.of(element);
    return Math.abs(nowTop - top) <= 1 && Math.abs(nowLeft - left) <= 1;
  });
  return { fields: missing(filled), scrolled: missing(moved) };
};
