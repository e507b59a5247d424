/**
 * What happened in the document since `start_watching`; it goes on counting unless it is to stop.
 * @param {Document | Element} _ @param {{stop: boolean}} options @param {Lib} lib
 * @returns {{changes: number, loading: boolean}}
 */
export default (_, { stop }, lib) => {
  const { total, isLoading } = lib.changeCounter;
  const seen = { changes: total(), loading: isLoading() };
  if (stop) lib.changeCounter.stop();
  return seen;
};
