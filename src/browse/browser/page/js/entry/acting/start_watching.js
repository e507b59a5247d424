/**
 * From now on, note what happens in the document, for an action that signals name by `token`. With `patient`, a new
 * value of a field is no answer yet; `first` is how many milliseconds a first sign may take.
 * @param {Document | Element} _ @param {{token: string, patient: boolean, first: number}} options @param {Lib} lib
 * @returns {boolean}
 */
export default (_, { token, patient, first }, lib) => {
  lib.actionWatch.start(token, patient, first);
  return true;
};
