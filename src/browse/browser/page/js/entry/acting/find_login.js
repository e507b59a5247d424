/**
 * Which fields of a login the document has, and whether a login of this origin may go into them.
 * @param {Document | Element} _ @param {{origin: string}} options @param {Lib} lib
 */
export default (_, { origin }, lib) => lib.loginFields.look(origin);
