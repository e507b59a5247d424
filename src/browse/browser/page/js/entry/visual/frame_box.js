/**
 * Where the document inside a frame's host begins, from the host's own corner, and how large a pixel of it is drawn.
 * @param {Element} host
 */
export default (host) => {
  const { paddingLeft, paddingTop } = getComputedStyle(host);
  const { width } = Element.prototype.getBoundingClientRect.call(host);
  const { clientLeft, clientTop, offsetWidth, clientWidth, clientHeight } = /** @type {HTMLElement} */ (host);
  const [left, top] = [parseFloat(paddingLeft), parseFloat(paddingTop)];
  return {
    x: clientLeft + left,
    y: clientTop + top,
    width: clientWidth - left,
    height: clientHeight - top,
    scale: offsetWidth ? width / offsetWidth : 1,
  };
};
