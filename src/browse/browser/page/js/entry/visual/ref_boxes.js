/**
 * Where the elements of refs are in this document's window, in CSS pixels; those without a size are left out.
 * @param {Document | Element} _
 * @param {{doc: number, e: number[], c: number[]}} numbers
 * @param {Lib} lib
 */
export default (_, numbers, lib) => {
  const found = [];
  for (const kind of /** @type {("e" | "c")[]} */ (["e", "c"]))
    for (const number of numbers[kind]) {
      const element = lib.refs.find(numbers.doc, kind, number, true);
      if (!element) continue;
      const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
      if (width && height) found.push({ ref: `@${kind}${number}`, x, y, width, height });
    }
  return found;
};
