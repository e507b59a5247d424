/**
 * The field in which the open list of a combobox is searched.
 * @param {Element} root @param {unknown} _ @param {Lib} lib
 * @returns {Element | undefined}
 */
export default (root, _, lib) => {
  const list = lib.chosen.open(root, true);
  return list && lib.chosen.searchField(root, list);
};
