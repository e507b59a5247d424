/**
 * The first field of a document that shows a text: what it holds, what is chosen in it, what is written on it.
 * @param {Document | Element} root
 * @param {{text: string}} options
 * @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, { text }, lib) => {
  const { shownValues, visibleContent, renderedText } = lib;
  const plain = (/** @type {string} */ words) => renderedText.fold(words).toLowerCase();
  const wanted = plain(text);
  return visibleContent
    .all(root, "input, select, textarea")
    .find((field) => plain(shownValues.of(field)).includes(wanted));
};
