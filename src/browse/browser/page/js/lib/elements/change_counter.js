/**
 * Notices whether anything happened in a document between two calls: changes of the tree (open shadow
 * roots too), input, scrolling, the focus. Counts only; it keeps nothing of the page. That a press moves
 * the focus to what was pressed is no news, nor is the scrolling that brought it into view.
 * Notices too whether a link was followed or a form sent: what comes of it (a download most of all) may
 * take as long as the server does, and no change of the document tells of it.
 * @param {Lib} lib
 */
export default (lib) => {
  const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
  const LOADED = new Set(["http:", "https:", "file:", "blob:", "data:"]);
  let changes = 0;
  let scrolls = 0;
  /** What loads something unless the page prevents it, which is known only after it. @type {Event[]} */
  let loading = [];
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
  /**
   * Whether following a link loads something: to go to the place in the document where one is does not.
   * @param {HTMLAnchorElement | HTMLAreaElement} link
   */
  const loads = (link) => {
    return LOADED.has(link.protocol) && !(link.hash && link.href === location.href);
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
    click: (event) => {
      const link = event.composedPath().find((at) => at instanceof Element && at.matches("a, area"));
      if (link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) {
        if (link.href && loads(link)) loading.push(event);
      }
    },
    submit: (event) => {
      if (event.target instanceof HTMLFormElement && event.target.method !== "dialog") loading.push(event);
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
    loading = [];
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

  /** Whether a link was followed or a form sent since the start, which the page did not prevent. */
  const isLoading = () => loading.some((event) => !event.defaultPrevented);

  return { start, stop, total, isLoading };
};
