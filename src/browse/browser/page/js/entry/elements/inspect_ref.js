/**
 * How things stand with a ref, and if it is asked for, how to find its element again.
 * @param {Document | Element} _
 * @param {{doc: number, kind: "e" | "c", number: number, again: boolean}} ref
 * @param {Lib} lib
 */
export default (_, { doc, kind, number, again }, lib) => {
  const { status, was, now, element } = lib.refs.inspect(doc, kind, number);
  const address = again && element ? lib.selectors.describe(element) : null;
  return { status, was, now, tag: element ? lib.tree.tag(element) : "", address };
};
