// @ts-check
/**
 * How things stand with a ref, and from now on whether anything happens in the document.
 * @param {Document | Element} _
 * @param {{kind: "e" | "c", number: number}} ref
 * @param {any} lib
 */
(_, { kind, number }, lib) => {
  const { status, was, now } = lib.refs.inspect(kind, number);
  return { status, was, now };
};
