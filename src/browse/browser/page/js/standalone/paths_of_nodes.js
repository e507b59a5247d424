/**
 * Where nodes are in the top document: indices of children from the document down, -1 for a step into a shadow root;
 * null for those of other documents. Nothing is compared: Chromium at times gives a node as another world has it, and
 * a node of one world is never equal to the same node of another.
 * @param {...Node} nodes
 * @returns {(number[] | null)[]}
 */
export default (...nodes) => {
  /** @param {Node} node @returns {Node | null} */
  const above = (node) => node.parentNode || /** @type {Partial<ShadowRoot>} */ (node).host || null;

  return nodes.map((start) => {
    const path = [];
    let node = start;
    for (let next = above(node); next; node = next, next = above(node)) {
      let index = node.parentNode ? 0 : -1;
      for (let before = node.previousSibling; before; before = before.previousSibling) index++;
      path.unshift(index);
    }
    const view = /** @type {Partial<Document>} */ (node).defaultView;
    return view && view === view.parent ? path : null;
  });
};
