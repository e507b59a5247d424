/**
 * Counts elements as shown that a snapshot has only looked at.
 * @param {Document | Element} _
 * @param {{doc: number, refs: [RefKind, number][]}} options
 * @param {Lib} lib
 */
export default (_, { doc, refs }, lib) => {
  lib.refs.confirm(doc, refs);
  return refs.length;
};
