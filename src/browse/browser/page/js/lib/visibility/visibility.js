/**
 * Why a person cannot see an element that is in the accessibility tree: the first reason that holds,
 * or "". Looks at style and geometry only.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, appearance } = lib;
  const TINY_PX = 1;

  /** Asking the window takes as long as measuring an element. */
  const view = tree.once(() => ({ x: scrollX, y: scrollY, width: innerWidth, height: innerHeight }));

  const reason = tree.remembered((/** @type {Element} */ element) => {
    if (appearance.writing(element).tiny) return "tiny text";
    const veil = appearance.veil(element);
    if (veil) return veil;
    const { right, bottom, width, height } = appearance.box(element);
    // Fields cut off what they hold although no author said so.
    if ((width <= TINY_PX || height <= TINY_PX) && appearance.isShut(element)) return "clipped";
    const { x, y } = view();
    return (right + x <= 0 || bottom + y <= 0) && (width || height) ? "off-screen" : "";
  });

  /** Whether any part of an element is in the viewport now. @param {Element} element */
  const onScreen = (element) => {
    const { top, left, right, bottom } = appearance.box(element);
    return bottom > 0 && right > 0 && top < view().height && left < view().width;
  };

  return { reason, onScreen };
};
