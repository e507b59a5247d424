// @ts-check
/**
 * Takes a change of a style back.
 * @param {Document | Element} _
 * @param {{number: number}} options
 * @param {any} lib
 */
(_, { number }, lib) => lib.restyled.undo(number);
