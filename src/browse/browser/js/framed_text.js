// @ts-check
/**
 * The text that a person sees of a document, in parts: what stands before, between and after its frames,
 * which are noted for the daemon to read.
 * @param {Document | Element} root
 * @param {{run: number}} options
 * @param {any} lib
 * @returns {string[]}
 */
(root, { run }, lib) => {
  // Also where there is none: those of an earlier run are not meant.
  lib.found.note(run, null);
  return lib.pageText(root, (/** @type {Element} */ frame) => lib.found.note(run, frame));
};
