/**
 * Tell the daemon which fields of the document a person uses: role and name of each, once, and never a value; or stop
 * it. Signals begin with `token`.
 * @param {Document | Element} _ @param {{token: string, on: boolean}} options @param {Lib} lib
 * @returns {boolean}
 */
export default (_, { token, on }, lib) => {
  if (on) lib.fieldUse.tell(token);
  else lib.fieldUse.stop(token);
  return on;
};
