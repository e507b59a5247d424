/**
 * What lies over an element at the point where it would be pressed, with a ref to it: the outermost thing
 * around that point that means something and does not hold the element too. In the frame around the
 * element's own document, `at` is the point inside the frame.
 * @param {Element} root @param {{numbers: RefNumbers, at: [number, number] | null}} options @param {Lib} lib
 */
export default (root, { numbers, at }, lib) => {
  const { tree, roles, names, refs } = lib;
  const FLAT = new Set(["generic", "none", "presentation", ""]);
  const MAX_NAME_CHARS = 80;
  refs.begin(numbers);

  /** @returns {[number, number]} */
  const point = () => {
    const outer = tree.rect(root);
    if (at) return [outer.left + root.clientLeft + at[0], outer.top + root.clientTop + at[1]];
    const box = [...root.getClientRects()].find((it) => it.width * it.height >= 1) || outer;
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    return [(left + right) / 2, (top + bottom) / 2];
  };

  /** The element at a point, in the innermost open shadow root. @param {number} x @param {number} y */
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot instanceof ShadowRoot) {
      const deeper = hit.shadowRoot.elementFromPoint(x, y);
      if (!deeper || deeper === hit) break;
      hit = deeper;
    }
    return hit;
  };

  const spot = point();
  const hit = hitAt(...spot);
  if (!hit || tree.isWithin(hit, root)) return { point: spot, cover: null, next: refs.next() };
  let outermost = hit;
  /** @type {Element | null} */
  let meant = null;
  for (let node = /** @type {Element | null} */ (hit); node && !tree.isWithin(root, node); node = tree.parent(node)) {
    outermost = node;
    if (!FLAT.has(roles.of(node))) meant = node;
  }
  const shown = meant || outermost;
  const [role, name] = [roles.of(shown), names.of(shown)];
  const number = refs.show("e", shown, role, name);
  return {
    point: spot,
    cover: { number, role, name: name.slice(0, MAX_NAME_CHARS).toWellFormed() },
    next: refs.next(),
  };
};
