/**
 * What became of a press that was aimed: "hit", "missed", "armed" when none came, "" in another document.
 * @param {Document | Element} _ @param {unknown} __ @param {Lib} lib
 * @returns {string}
 */
export default (_, __, lib) => lib.pressGuard.disarm();
