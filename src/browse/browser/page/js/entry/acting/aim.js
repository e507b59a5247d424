/**
 * Where to press the element that was found last, and whether it is disabled; from now on, only a press that arrives
 * there passes.
 * @param {Document | Element} _ @param {{guard: boolean}} options @param {Lib} lib
 */
export default (_, { guard }, lib) => lib.pressGuard.aim(guard);
