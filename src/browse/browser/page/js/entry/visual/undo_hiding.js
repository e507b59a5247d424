/**
 * Takes back what was hidden or loosened: all of it, or only what was for one picture.
 * @param {Document | Element} _
 * @param {{brief: boolean}} options
 * @param {Lib} lib
 */
export default (_, { brief }, lib) => lib.styleEdits.undo(brief);
