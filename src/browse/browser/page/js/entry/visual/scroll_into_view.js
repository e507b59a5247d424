/**
 * Scrolls an element into what can be seen of the boxes around it, as little as needed, and remembers
 * where they were. The top document itself stays: a picture reaches beyond the window. A document only has
 * its place remembered.
 * @param {Document | Element} root
 * @param {{top: boolean}} options whether this is the top document
 * @param {Lib} lib
 */
export default (root, { top }, lib) => {
  const page = document.scrollingElement;
  if (root instanceof Document) {
    lib.scrollPositions.save(page);
    return true;
  }

  /**
   * How far to scroll along one axis.
   * @param {number} start @param {number} end @param {number} from @param {number} to
   */
  const distance = (start, end, from, to) => {
    if (start < from) return start - from;
    return end > to ? Math.min(end - to, start - from) : 0;
  };

  /**
   * What an element is painted in, which `aria-owns` does not change.
   * @param {Element} element @returns {Element | null}
   */
  const around = (element) => {
    const slot = element.assignedSlot;
    const node = slot instanceof HTMLSlotElement ? slot : lib.tree.parentNode(element);
    return node instanceof ShadowRoot ? node.host : node instanceof Element ? node : null;
  };

  for (let box = around(root); box; box = around(box)) {
    const whole = box === page;
    const style = getComputedStyle(box);
    const scrolls = whole ? !top : style.overflowX !== "visible" || style.overflowY !== "visible";
    lib.scrollPositions.save(box);
    if (!scrolls || (box === document.body && !whole)) continue;
    const {
      left,
      top: above,
      right,
      bottom,
    } = whole ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : lib.tree.rect(box);
    const at = lib.tree.rect(root);
    const x = distance(at.left, at.right, left, right);
    const y = distance(at.top, at.bottom, above, bottom);
    if (!x && !y) continue;
    lib.scrollPositions.move(box, box.scrollLeft + x, box.scrollTop + y);
  }
  return true;
};
