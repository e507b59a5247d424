/**
 * The element at a point of this document's window, with a ref to it; in the innermost open shadow root. Of a frame
 * it also tells the point inside its document.
 * @param {Document | Element} _
 * @param {{numbers: RefNumbers, x: number, y: number}} options
 * @param {Lib} lib
 */
export default (_, { numbers, x, y }, lib) => {
  const { tree, roles, names, refs, selectors } = lib;
  const MAX_NAME_CHARS = 200;
  refs.begin(numbers);
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot instanceof ShadowRoot) {
    const deeper = hit.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  if (!hit) return { found: null, next: refs.next() };
  const [role, name, tag] = [roles.of(hit), names.of(hit), tree.tag(hit)];
  const box = tree.rect(hit);
  const number = refs.show("e", hit, role, name);
  return {
    found: {
      number,
      tag,
      role,
      name: name.slice(0, MAX_NAME_CHARS).toWellFormed(),
      selector: selectors.of(hit).toWellFormed(),
      isFrame: ["iframe", "frame"].includes(tag),
      box: [box.left, box.top, box.width, box.height],
    },
    next: refs.next(),
  };
};
