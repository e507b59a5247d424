/**
 * The text that a person sees of a document, in parts: what stands before, between and after its frames,
 * which are noted for the daemon to read.
 * @param {Document | Element} root
 * @param {{run: number}} options
 * @param {Lib} lib
 * @returns {string[]}
 */
export default (root, { run }, lib) => {
  // Also where there is no frame: those of an earlier run are not meant.
  lib.noted.begin(run);
  return lib.pageText(root, (frame) => lib.noted.add(run, frame));
};
