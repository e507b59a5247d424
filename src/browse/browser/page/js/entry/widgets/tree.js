/**
 * How far a path leads in the trees of an element, how its end stands, and what is below it.
 * @param {Element} root @param {{path: string[], most: number, numbers: RefNumbers}} options @param {Lib} lib
 */
export default (root, { path, most, numbers }, lib) => {
  const { refs, roles, names, trees, tree } = lib;
  const MAX_CHARS = 80;
  refs.begin(numbers);
  const { trees: count, found, many, last, inner } = trees.walk(root, path);
  /** @param {string} text */
  const cut = (text) => text.slice(0, MAX_CHARS).toWellFormed();
  const shown = last && (tree.tag(last.element) === "details" ? tree.all(last.element, "summary")[0] : last.element);
  const role = shown ? roles.of(shown) : "";
  const name = shown ? names.of(shown) : "";
  return {
    trees: count,
    found,
    many,
    state: last ? trees.standing(last, inner) : "",
    busy: !!last && trees.isLoading(last, inner),
    count: inner.length,
    names: inner.slice(0, most).map((it) => cut(trees.nameOf(it.element))),
    item: shown && { number: refs.show("e", shown, role, name), role, name: cut(name) },
    next: refs.next(),
  };
};
