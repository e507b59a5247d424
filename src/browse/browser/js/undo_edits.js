// @ts-check
/**
 * Takes back what was hidden or loosened: all of it, or only what was for one picture.
 * @param {Document | Element} _
 * @param {{brief: boolean}} options
 * @param {any} lib
 */
(_, { brief }, lib) => lib.edits.undo(brief);
