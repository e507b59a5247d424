/**
 * Sliders that are no inputs: where they stand, and by what they are moved.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles } = lib;
  const KNOB =
    "[class*=slider i][class*=handle i], [class*=slider i][class*=thumb i], [class*=slider i][class*=knob i]";

  /** Whether an element is moved, and says nothing of where it stands. @param {Element} it */
  const isKnob = (it) => tree.fits(it, KNOB) && roles.isFocusable(it) && !tree.has(it, "aria-valuenow");
  /** @param {Element} it */
  const isSlider = (it) => roles.of(it) === "slider" || isKnob(it);

  /**
   * What is moved of the slider that an element is; undefined if it is none, or has several.
   * @param {Element} element @returns {Element | undefined}
   */
  const handleOf = (element) => {
    if (isSlider(element)) return element;
    const inner = tree.all(element, `[role~=slider i], input[type=range], ${KNOB}`);
    const shown = inner.filter((it) => !tree.hidden(it) && isSlider(it));
    return shown.length === 1 ? shown[0] : undefined;
  };

  /** How far a knob is on its track, in percent. @param {Element} knob */
  const part = (knob) => {
    const placed = knob instanceof HTMLElement ? knob.style.left || knob.style.bottom : "";
    if (placed.endsWith("%")) return Math.round(parseFloat(placed) * 1_000) / 1_000;
    const track = tree.parent(knob);
    if (!track) return null;
    const [own, around] = [knob.getBoundingClientRect(), track.getBoundingClientRect()];
    const isTall = around.height > around.width;
    const along = isTall
      ? (around.bottom - own.top - own.height / 2) / around.height
      : (own.left + own.width / 2 - around.left) / around.width;
    return Number.isFinite(along) ? Math.round(along * 1_000) / 10 : null;
  };

  /** Where a slider stands, and from where to where it goes. @param {Element} slider */
  const state = (slider) => {
    if (isKnob(slider)) return { now: part(slider), low: 0, high: 100, percent: true };
    /** @param {string} name @returns {number | null} */
    const number = (name) => {
      const said = (tree.attr(slider, name) || "").trim();
      return said && Number.isFinite(Number(said)) ? Number(said) : null;
    };
    if (slider instanceof HTMLInputElement) {
      const [low, high] = [number("min") ?? 0, number("max") ?? 100];
      const step = tree.attr(slider, "step") === "any" ? null : number("step") || 1;
      return { now: slider.valueAsNumber, low, high: Math.max(low, high), percent: false, step };
    }
    const [low, high] = [number("aria-valuemin"), number("aria-valuemax")];
    return { now: number("aria-valuenow"), low, high, percent: false };
  };

  return { handleOf, state };
};
