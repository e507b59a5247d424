// @ts-check
/**
 * What an element is: its tag, and its role and name as a snapshot would show them.
 * @param {Document | Element} element @param {unknown} _ @param {any} lib
 */
(element, _, lib) => {
  if (!(element instanceof Element)) return { tag: "document", role: "document", name: "" };
  lib.fresh();
  return { tag: lib.tree.tag(element), role: lib.roles.of(element), name: lib.names.of(element).slice(0, 80) };
};
