/**
 * Where to press the element that was found last, and whether it is disabled; from now on, only a press that arrives
 * there passes.
 * @param {Document | Element} _ @param {{guard: boolean}} options @param {Lib} lib
 */
export default (_, { guard }, lib) => {
  const element = lib.pressGuard.kept();
  const disabled = guard && element !== null && lib.tree.fits(element, ":disabled");
  const point = disabled ? null : lib.pressGuard.aim(element);
  if (point && guard) lib.pressGuard.arm();
  return { point, disabled };
};
