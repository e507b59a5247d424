// @ts-check
/**
 * The option that a word means.
 * @param {Element} root @param {{word: string}} options @param {any} lib
 * @returns {Element | undefined}
 */
(root, { word }, lib) => lib.options.matching(lib.options.list(root), word)[0];
