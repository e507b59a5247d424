/**
 * Which element this is and what it is called; of a document, what has the focus in it.
 * @param {Document | Element} root @param {unknown} _ @param {Lib} lib
 */
export default (root, _, lib) => {
  const MAX_NAME_CHARS = 200;
  const { identity, roles, names, states, clickable, tree } = lib;
  const element = root instanceof Element ? root : states.focused().at(-1);
  const document = identity.documentId;
  if (!element) return { document };
  const tag = tree.tag(element);
  const words = clickable.name(element);
  return {
    document,
    host: location.host,
    number: identity.of(element),
    role: roles.of(element),
    name: names.of(element).slice(0, MAX_NAME_CHARS).toWellFormed(),
    words: words === tag ? "" : words, // it has none then
    secret: states.isSecret(element),
    frame: ["iframe", "frame"].includes(tag),
  };
};
