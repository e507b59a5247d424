/**
 * What becomes of the form that a tool is, when it is called: "sent", "filled", or "" if it is no form.
 * @param {Document | Element} _ @param {{name: string}} options @param {Lib} lib
 */
export default (_, { name }, lib) => lib.pageTools.form(name);
