// @ts-check
/**
 * How things stand with a ref.
 * @param {Document | Element} _
 * @param {{kind: "e" | "c", number: number}} ref
 * @param {any} lib
 */
(_, { kind, number }, lib) => {
  const { status, was, now, element } = lib.refs.inspect(kind, number);
  return { status, was, now, tag: element ? lib.tree.tag(element) : "" };
};
