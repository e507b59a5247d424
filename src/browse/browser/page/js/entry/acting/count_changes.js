/**
 * How many things happened in the document since `start_watching`; it goes on counting unless it is to stop.
 * @param {Document | Element} _ @param {{stop: boolean}} options @param {Lib} lib
 * @returns {number}
 */
export default (_, { stop }, lib) => {
  const total = lib.changeCounter.total();
  if (stop) lib.changeCounter.stop();
  return total;
};
