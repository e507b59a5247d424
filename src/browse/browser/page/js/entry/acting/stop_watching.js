/**
 * Watch no more, unless another action has begun.
 * @param {Document | Element} _ @param {{token: string}} options @param {Lib} lib
 * @returns {boolean}
 */
export default (_, { token }, lib) => lib.actionWatch.stop(token);
