/**
 * Notices whether anything happened in a document between two calls: changes of the tree (open shadow
 * roots too), input, scrolling, the focus. Counts only; it keeps nothing of the page. That a press moves
 * the focus to what was pressed is no news, nor is the scrolling that brought it into view.
 * @param {Lib} lib
 */
export default (lib) => {
  const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
  let changes = 0;
  let scrolls = 0;
  /** @type {Element | null} */
  let pressed = null;
  /** Where what holds the pressed element was scrolled to. @type {Map<EventTarget | null, number[]>} */
  let scrolledTo = new Map();
  /** @type {MutationObserver | null} */
  let observer = null;

  const count = () => {
    changes += 1;
  };
  /** @param {EventTarget | null} target @returns {number[]} */
  const scrollPosition = (target) => {
    const element = target === document ? document.scrollingElement : target;
    return element instanceof Element ? [element.scrollLeft, element.scrollTop] : [0, 0];
  };
  /** @type {Record<string, (event: Event) => void>} */
  const LISTENERS = {
    input: count,
    change: count,
    toggle: count,
    scroll: (event) => {
      // The event of a scroll comes a frame later than the scroll.
      const [left, top] = scrolledTo.get(event.target) || [];
      const [nowLeft, nowTop] = scrollPosition(event.target);
      if (left !== nowLeft || top !== nowTop) scrolls += 1;
    },
    mousedown: (event) => {
      pressed = event.target instanceof Element ? event.target : null;
      scrolls = 0;
      scrolledTo = new Map([[document, scrollPosition(document)]]);
      for (let at = pressed; at; at = lib.tree.parent(at)) scrolledTo.set(at, scrollPosition(at));
      lib.cache.clear();
    },
    focusin: (event) => {
      const focused = event.target;
      if (!(pressed && focused instanceof Element && lib.tree.isWithin(pressed, focused))) count();
    },
  };

  const stop = () => {
    observer?.disconnect();
    observer = null;
    pressed = null;
    scrolledTo = new Map();
    for (const [event, listener] of Object.entries(LISTENERS)) document.removeEventListener(event, listener, true);
  };

  const start = () => {
    stop();
    changes = 0;
    scrolls = 0;
    observer = new MutationObserver((records) => {
      changes += records.length;
    });
    for (const root of lib.tree.roots()) observer.observe(root, OBSERVED);
    for (const [event, listener] of Object.entries(LISTENERS)) document.addEventListener(event, listener, true);
  };

  /** How many changes there were since the start. @returns {number} */
  const total = () => {
    changes += observer?.takeRecords().length ?? 0;
    return changes + scrolls;
  };

  return { start, stop, total };
};
