/**
 * What was typed into a document's fields, and how far it and its parts are scrolled.
 * @param {Document | Element} _ @param {{}} __ @param {Lib} lib
 * @returns {{fields: TypedField[], files: number, scrolled: ScrolledPart[]}}
 */
export default (_, __, lib) => {
  const { tree, paths, scrollPositions } = lib;
  const MAX_PARTS = 200;
  const moved = tree
    .roots()
    .flatMap((root) => tree.all(root, "*"))
    .filter((it) => scrollPositions.of(it).some((distance) => distance !== 0))
    .slice(0, MAX_PARTS);
  const scrolled = moved.flatMap((element) => {
    const way = paths.of(element);
    const [left, top] = scrollPositions.of(element);
    return way ? [{ way, left, top }] : [];
  });
  return { ...lib.typedFields.read(), scrolled };
};
