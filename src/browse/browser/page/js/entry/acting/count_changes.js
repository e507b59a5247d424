/**
 * How many things happened in the document since `begin_watch`; the watch goes on unless it is to stop.
 * @param {Document | Element} _ @param {{stop: boolean}} options @param {Lib} lib
 * @returns {number}
 */
export default (_, { stop }, lib) => {
  const seen = lib.changeCounter.report();
  if (stop) lib.changeCounter.stop();
  return seen;
};
