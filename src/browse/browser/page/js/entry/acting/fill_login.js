/**
 * Fill the fields of a login that the document has, if they are those of this origin.
 * @param {Document | Element} _
 * @param {{origin: string, values: {user?: string, password?: string, code?: string}}} options
 * @param {Lib} lib
 */
export default (_, { origin, values }, lib) => lib.loginFields.fill(origin, values);
