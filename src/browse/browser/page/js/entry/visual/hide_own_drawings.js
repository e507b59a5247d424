/**
 * Hides what browse itself draws on pages of a window (the line at the top, the pill, boxes), or shows it again: our
 * style sheets ask for this property. An animation sets it, because that changes no attribute of the page.
 * @param {Document | Element} _
 * @param {{hidden: boolean}} options
 */
export default (_, { hidden }) => {
  const ID = "browse-no-drawings";
  const LONGEST_MS = 60_000; // then they are there again, whatever happened
  const page = document.documentElement;
  for (const animation of page?.getAnimations() ?? []) if (animation.id === ID) animation.cancel();
  if (hidden) page?.animate({ "--browse-no-drawings": ["yes", "yes"] }, { id: ID, duration: LONGEST_MS });
  return true;
};
