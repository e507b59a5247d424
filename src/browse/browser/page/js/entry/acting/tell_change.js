/**
 * Signal the next change of the document, or that it is quiet. Whether it is loading or changing just now.
 * @param {Document | Element} _ @param {{token: string}} options @param {Lib} lib
 * @returns {boolean}
 */
export default (_, { token }, lib) => lib.documentChanges.tellNext(token);
