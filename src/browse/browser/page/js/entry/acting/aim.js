/**
 * Where to press the element that was found last; from now on, only a press that arrives there passes.
 * @param {Document | Element} _ @param {{guard: boolean}} options @param {Lib} lib
 */
export default (_, { guard }, lib) => {
  const point = lib.pressGuard.aim();
  if (point && guard) lib.pressGuard.arm();
  return point;
};
