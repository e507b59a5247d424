/**
 * Takes a change of a style back.
 * @param {Document | Element} _
 * @param {{number: number}} options
 * @param {Lib} lib
 */
export default (_, { number }, lib) => lib.styleChanges.undo(number);
