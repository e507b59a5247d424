/**
 * Presses the element that was found last and no other: tells where to press it, and lets the press through only if it
 * arrives at that element while it still is what was shown. The driver's own check waits for two frames without
 * movement first; here nothing may be animated, and what moves all the same makes the press miss.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const PRESSES = "pointerdown,mousedown,pointerup,mouseup,click,auxclick,dblclick,contextmenu".split(",");
  const isConnected = tree.getter(Node.prototype, "isConnected");

  /** @typedef {{element: WeakRef<Element>, isSame: () => boolean}} Found */
  /** @type {Found | null} */
  let found = null;
  /** @type {"" | "armed" | "hit" | "missed"} */
  let verdict = "";

  /**
   * Keep what was found, and how to tell whether it still is that.
   * @param {Element} element @param {() => boolean} isSame
   */
  const keep = (element, isSame) => {
    found = { element: new WeakRef(element), isSame };
  };
  /** The element that was found, if it still is what it was. @returns {Element | null} */
  const kept = () => {
    const element = found?.element.deref();
    return element && isConnected(element) && found?.isSame() ? element : null;
  };

  /** The same, whatever it has become; null if it is gone. @returns {Element | null} */
  const lastFound = () => {
    const element = found?.element.deref();
    return element && isConnected(element) ? element : null;
  };

  /** @param {Event} event */
  const onPress = (event) => {
    if (!event.isTrusted) return;
    if (verdict === "armed") {
      const [target] = event.composedPath();
      const element = kept();
      verdict = element && target instanceof Element && tree.isWithin(target, element) ? "hit" : "missed";
      lib.cache.clear();
    }
    if (verdict !== "missed") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** Stop checking. @returns {string} What became of the press; "" where none was to come. */
  const disarm = () => {
    for (const type of PRESSES) removeEventListener(type, onPress, true);
    const last = verdict;
    verdict = "";
    return last;
  };
  const arm = () => {
    disarm();
    verdict = "armed";
    for (const type of PRESSES) addEventListener(type, onPress, true);
  };

  /** @param {Element} element */
  const isAnimated = (element) =>
    document.getAnimations().some(({ playState, effect }) => {
      const target = playState === "running" && effect instanceof KeyframeEffect ? effect.target : null;
      return target !== null && tree.isWithin(element, target);
    });

  /**
   * The middle of what can be seen of an element.
   * @param {Element} element @returns {{x: number, y: number} | null}
   */
  const middle = (element) => {
    const box = [...element.getClientRects()].find((it) => it.width >= 1 && it.height >= 1);
    if (!box) return null;
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    return right - left < 1 || bottom - top < 1 ? null : { x: (left + right) / 2, y: (top + bottom) / 2 };
  };

  /** The innermost element at a point. @param {number} x @param {number} y @returns {Element | null} */
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let root = hit && tree.shadowRoot(hit); hit && root; root = tree.shadowRoot(hit)) {
      const deeper = root.elementFromPoint(x, y);
      if (!deeper || deeper === hit) break;
      hit = deeper;
    }
    return hit;
  };

  /**
   * Where to press the element that was found; null where anything is in doubt.
   * @param {Element | null} element @returns {{x: number, y: number} | null}
   */
  const placeOf = (element) => {
    if (!element || window !== window.top || window.visualViewport?.scale !== 1) return null;
    if (isAnimated(element) || lib.documentChanges.isMoving(element)) return null;
    let point = middle(element);
    if (!point) {
      element.scrollIntoView({ behavior: "instant", block: "center", inline: "center" });
      point = middle(element);
    }
    const hit = point && hitAt(point.x, point.y);
    return hit && tree.isWithin(hit, element) ? point : null;
  };

  /**
   * Where to press the element that was found, and whether it is disabled; an option is chosen, not pressed. With
   * `guard`, only a press that arrives there passes from now on.
   * @param {boolean} guard
   */
  const aim = (guard) => {
    const element = kept();
    const disabled = guard && element !== null && tree.fits(element, ":disabled");
    const isOption = element !== null && tree.tag(element) === "option";
    const point = disabled || isOption ? null : placeOf(element);
    if (point && guard) arm();
    return { point, disabled };
  };

  return { aim, disarm, found: lastFound, hitAt, keep, kept };
};
