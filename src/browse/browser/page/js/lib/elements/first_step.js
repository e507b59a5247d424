/**
 * The first step of an action on the element that was found last, in the run of the script that found it: where to
 * press it or to point at it, or the field made ready for text.
 * @param {Lib} lib
 */
export default (lib) =>
  /** @param {ElementUse} use */
  (use) => ({
    aim: use === "press" || use === "point" ? lib.pressGuard.aim(use === "press") : null,
    field: use === "text" ? lib.textGuard.prepare() : null,
  });
