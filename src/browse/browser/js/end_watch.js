// @ts-check
/**
 * How many things happened in the document since `begin_watch`.
 * @param {Document | Element} _ @param {unknown} __ @param {any} lib
 * @returns {number}
 */
(_, __, lib) => lib.watch.report();
