/**
 * Finds an element of another visit again: what its selector found just now (`run`), if that is of the same kind, else
 * by role and name. Where it is to be acted on (`strict`), it must also be called the same. What was found gets a ref;
 * where nothing or several were, it returns how many. What only the selector found is in `near`.
 * @param {Document | Element} _
 * @param {{numbers: RefNumbers, run: number, tag: string, role: string, name: string, strict: boolean}} wanted
 * @param {Lib} lib
 */
export default (_, { numbers, run, tag, role, name, strict }, lib) => {
  const { tree, roles, names, refs } = lib;
  const MAX_NAME_CHARS = 80;
  const MAX_LOOKED = 20_000;
  refs.begin(numbers);

  /** @param {Element} element */
  const nameOf = (element) => names.of(element).slice(0, MAX_NAME_CHARS).toWellFormed();
  /** @param {Element} element */
  const withRef = (element) => {
    const number = refs.show("e", element, roles.of(element), names.of(element));
    return { number, role: roles.of(element), name: nameOf(element) };
  };
  /** @param {number} count @param {Element | null} element @param {Element | null} near */
  const answer = (count, element, near) => ({
    count,
    found: element && withRef(element),
    near: near && withRef(near),
    next: refs.next(),
  });

  /** What was shown as clickable was called otherwise. @param {Element} element */
  const isAlike = (element) =>
    role === refs.CLICKABLE
      ? tree.tag(element) === tag && lib.clickable.name(element).slice(0, MAX_NAME_CHARS).toWellFormed() === name
      : roles.of(element) === role && nameOf(element) === name;
  const selected = lib.noted.take(run);
  const one = selected.length === 1 ? selected[0] : null;
  if (one && tree.tag(one) === tag && (!strict || isAlike(one))) return answer(1, one, null);
  /** @type {Element[]} */
  const alike = [];
  let looked = 0;
  for (const root of name ? tree.roots() : [])
    for (const element of tree.all(root, "*")) {
      looked += 1;
      if (alike.length > 1 || looked > MAX_LOOKED) break;
      if (!tree.hidden(element) && isAlike(element)) alike.push(element);
    }
  return alike.length === 1 ? answer(1, alike[0], null) : answer(alike.length, null, one);
};
