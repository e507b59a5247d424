// @ts-check
/**
 * How many things happened in the document since `begin_watch`; the watch goes on unless it is to stop.
 * @param {Document | Element} _ @param {{stop: boolean}} options @param {any} lib
 * @returns {number}
 */
(_, { stop }, lib) => {
  const seen = lib.watch.report();
  if (stop) lib.watch.stop();
  return seen;
};
