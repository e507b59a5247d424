/**
 * All rows of an earlier snapshot of which only a part was shown; null when it is not kept any more.
 * @param {Document | Element} _ @param {{number: number}} options @param {Lib} lib
 */
export default (_, { number }, lib) => lib.cutSnapshots.whole(number);
