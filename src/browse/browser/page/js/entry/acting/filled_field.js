/**
 * What the field that was found last holds now. With `fire`, the page is told that it has changed.
 * @param {Document | Element} _ @param {{fire: boolean}} options @param {Lib} lib
 */
export default (_, { fire }, lib) => lib.textGuard.finish(fire);
