/**
 * Shows one element to another isolated world, or takes it back. Elements do not pass between worlds, but an animation
 * that moves nothing can be found from each of them by its name, and it leaves the DOM as it is.
 * @param {Document | Element} element
 * @param {{name: string, back: boolean}} options
 */
export default (element, { name, back }) => {
  if (!(element instanceof Element)) return false;
  if (!back) Element.prototype.animate.call(element, [], { id: name, duration: 1e9 });
  else for (const it of Element.prototype.getAnimations.call(element)) if (it.id === name) it.cancel();
  return true;
};
