/**
 * Paste a text into an element that has the focus, without the clipboard; of a document, into what has it there.
 * @param {Document | Element} root @param {{text: string, lines: boolean}} options With `lines`, only into what takes
 * several lines. @param {Lib} lib
 * @returns {string} "taken" by the page, "left" to be typed; "lost" where the focus is elsewhere, "frame" where it is
 * in a frame, "line" where it is in a field of one line, "nothing" where nothing takes text
 */
export default (root, { text, lines }, lib) => {
  const { editors, tree } = lib;
  const area = root instanceof Element ? root : editors.focused();
  if (["iframe", "frame"].includes(tree.tag(area))) return "frame";
  if (lines && !editors.takesLines(area)) return "line";
  return editors.paste(area, text);
};
