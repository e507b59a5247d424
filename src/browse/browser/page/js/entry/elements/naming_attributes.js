/**
 * What the attributes of elements say about them, beside their names: placeholder, title, address and the like.
 * @param {Document | Element} _
 * @param {{doc: number, numbers: number[]}} options The numbers of refs, and the document that they belong to.
 * @param {Lib} lib
 * @returns {Record<string, string>[]} for each number, the attributes that it has
 */
export default (_, { doc, numbers }, lib) => {
  const NAMING = ["placeholder", "title", "alt", "aria-description", "data-testid", "id", "name", "href"];
  const MAX_CHARS = 200;
  return numbers.map((number) => {
    const element = lib.refs.seen(doc, number);
    const said = element ? NAMING.map((name) => [name, lib.tree.attr(element, name)]) : [];
    const kept = said.flatMap(([name, value]) => (value ? [[name, value.slice(0, MAX_CHARS).toWellFormed()]] : []));
    return Object.fromEntries(kept);
  });
};
