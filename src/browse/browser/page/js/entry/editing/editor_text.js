/**
 * The text of an editor: what it shows, or what it gives to be copied of what is selected in it. Null where it is
 * shown elsewhere than in the element.
 * @param {Element} root @param {{copied: boolean}} options @param {Lib} lib
 * @returns {string | null}
 */
export default (root, { copied }, lib) => {
  lib.textGuard.disarm();
  const text = copied ? lib.editors.selected(root) : lib.editors.shown(root);
  return text === null ? null : text.toWellFormed();
};
