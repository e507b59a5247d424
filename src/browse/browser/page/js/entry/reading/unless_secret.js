/**
 * An element that shows a text, itself, unless it does so only with what a secret field holds.
 * @param {Document | Element} root
 * @param {{text: string}} options
 * @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, { text }, lib) => {
  const { shownValues, visibleContent, renderedText } = lib;
  if (!(root instanceof Element) || shownValues.isInSecret(root)) return undefined;
  if (!shownValues.isUntold(root)) return root;
  const plain = (/** @type {string} */ words) => renderedText.fold(words).toLowerCase();
  return plain(visibleContent.words(root)).includes(plain(text)) ? root : undefined;
};
