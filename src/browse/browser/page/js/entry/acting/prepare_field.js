/**
 * Focus the field that was found last and select its text, so that the driver can type over it.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 */
export default (_, __, lib) => lib.textGuard.prepare();
