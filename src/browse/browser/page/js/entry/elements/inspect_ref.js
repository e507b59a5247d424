/**
 * How things stand with a ref, and if it is asked for, how to find its element again and how it stands for its `use`.
 * @param {Document | Element} _
 * @param {{doc: number, kind: "e" | "c", number: number, again: boolean, anyway: boolean, use: ElementUse}} ref
 * @param {Lib} lib
 */
export default (_, { doc, kind, number, again, anyway, use }, lib) => {
  const { status, was, now, element } = lib.refs.inspect(doc, kind, number);
  if (element) lib.pressGuard.keep(element, () => lib.refs.find(doc, kind, number, anyway) === element);
  const address = again && element ? lib.selectors.describe(element) : null;
  const tag = element ? lib.tree.tag(element) : "";
  return { status, was, now, tag, address, ...lib.firstStep(use) };
};
