/**
 * The text that a person sees of a document, in parts: what stands before, between and after its frames,
 * which are noted for the daemon to read. With `room`, only about so many characters, and whether there are more.
 * @param {Document | Element} root
 * @param {{run: number, room: number}} options
 * @param {Lib} lib
 * @returns {[parts: string[], isCut: boolean]}
 */
export default (root, { run, room }, lib) => {
  // Also where there is no frame: those of an earlier run are not meant.
  lib.noted.begin(run);
  const { parts, isCut } = lib.pageText(root, (frame) => lib.noted.add(run, frame), room);
  return [parts, isCut];
};
