/**
 * What a control of choices shows, and whether these are chosen now; null for each where nothing tells.
 * @param {Element} root @param {{words: string[], before: string}} options @param {Lib} lib
 */
export default (root, { words, before }, lib) => {
  const { chosen, options, states, tree } = lib;
  const isConnected = tree.getter(Node.prototype, "isConnected");
  const MAX_CHARS = 200;
  const isSelect = tree.tag(root) === "select";
  const all = isSelect ? options.list(root) : [];
  /** @param {string} word */
  const isChosen = (word) =>
    isSelect ? options.matching(all, word).some(options.isSelected) : chosen.is(root, word, before);
  const isList = lib.roles.of(root) === "listbox";
  const shows = isSelect || isList ? states.held(root, "listbox") : chosen.shown(root);
  return {
    connected: isConnected(root),
    several: chosen.takesSeveral(root),
    shows: states.isSecret(root) ? "" : shows.slice(0, MAX_CHARS).toWellFormed(),
    chosen: words.map(isChosen),
  };
};
