/**
 * From now on, note what happens in the document, for an action that signals name by `token`. With `patient`, a new
 * value of a field is no answer yet.
 * @param {Document | Element} _ @param {{token: string, patient: boolean}} options @param {Lib} lib
 * @returns {boolean}
 */
export default (_, { token, patient }, lib) => {
  lib.actionWatch.start(token, patient);
  return true;
};
