/**
 * How many of the noted elements are new since the same was asked with `before`, and how many there are.
 * @param {Document | Element} _ @param {{run: number, token: string, before: boolean}} options @param {Lib} lib
 * @returns {{fresh: number, all: number}}
 */
export default (_, { run, token, before }, lib) => {
  const found = lib.noted.take(run);
  if (before) lib.noted.expect(token, found);
  return { fresh: lib.noted.countNew(token, found), all: found.length };
};
