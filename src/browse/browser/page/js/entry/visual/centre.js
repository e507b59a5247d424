/**
 * Scrolls an element into the middle of the window.
 * @param {Document | Element} root
 */
export default (root) => {
  if (root instanceof Element)
    Element.prototype.scrollIntoView.call(root, { block: "center", inline: "nearest", behavior: "instant" });
  return true;
};
