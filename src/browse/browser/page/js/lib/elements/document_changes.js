/**
 * Observes the document from the first page script on: changes of the tree, shadow roots too. It keeps nothing
 * of the page. Places that change at even intervals without an action change by themselves, such as a clock.
 *
 * The daemon is told through a binding of the DevTools protocol that exists in this world only
 * (browser/page/signals.py).
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const SIGNAL = "browseSignal";
  const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
  // A place changes by itself until it misses two intervals. A busy machine makes some intervals uneven.
  const MOMENT_MS = 50;
  const MOMENTS = 3;
  const MOST_MOMENTS = 12;
  const UNEVEN = 1.5;
  const LATE = 2.5;
  const LATE_MS = 1000;
  // A document that has not changed for so long is quiet.
  const STILL_MS = 150;
  const EVENTS = ["load", "transitionend", "animationend"];

  /**
   * When a place changed last, after how long, and how often after as long.
   * @type {WeakMap<Node, {at: number, every: number, count: number}>}
   */
  const moments = new WeakMap();
  /** @type {MutationObserver | null} */
  let observer = null;
  /**
   * Who is called with the changes of an action: of places that do not change by themselves, and how many others.
   * @type {((others: MutationRecord[], ticks: number) => void) | null}
   */
  let follower = null;
  let changedAt = Number.NEGATIVE_INFINITY;
  /** Who is told of the next change. @type {string} */
  let waiting = "";

  /** @param {string} token @param {string} word */
  const signal = (token, word) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, SIGNAL)?.value;
    if (token && typeof own === "function") own(`${token} ${word}`);
  };

  /** Note that a place has changed by itself. @param {Node} target @param {number} now */
  const tick = (target, now) => {
    const known = moments.get(target);
    if (!known) {
      moments.set(target, { at: now, every: 0, count: 0 });
      return;
    }
    const passed = now - known.at;
    if (passed < MOMENT_MS) return;
    const isEven = passed < known.every * UNEVEN && passed * UNEVEN > known.every;
    known.count = isEven ? Math.min(known.count + 1, MOST_MOMENTS) : Math.max(1, known.count - MOMENTS);
    known.at = now;
    known.every = passed;
  };
  /** @param {Node} target @param {number} now */
  const isTicking = (target, now) => {
    const known = moments.get(target);
    return known !== undefined && known.count >= MOMENTS && now - known.at < Math.max(known.every * LATE, LATE_MS);
  };

  const tellNow = () => {
    for (const event of EVENTS) removeEventListener(event, tellNow, true);
    const token = waiting;
    waiting = "";
    signal(token, "change");
  };

  /** @param {MutationRecord[]} records */
  const onMutations = (records) => {
    if (!records.length) return;
    const now = performance.now();
    const others = records.filter(({ target }) => !isTicking(target, now));
    const mine = new Set(follower ? others : []);
    if (document.readyState === "complete") for (const it of records) if (!mine.has(it)) tick(it.target, now);
    if (others.length) changedAt = now;
    follower?.(others, records.length - others.length);
    if (waiting) tellNow();
  };

  const observe = () => {
    observer ||= new MutationObserver(onMutations);
    observer.observe(document, OBSERVED);
  };
  const observeAll = () => {
    observe();
    for (const root of tree.roots()) if (root !== document) observer?.observe(root, OBSERVED);
  };
  /** Take in what has changed until now. */
  const flush = () => onMutations(observer?.takeRecords() || []);

  /** @param {NonNullable<typeof follower>} next */
  const follow = (next) => {
    observeAll();
    flush();
    follower = next;
  };
  const unfollow = () => {
    flush();
    follower = null;
  };

  const isRestless = () => document.readyState !== "complete" || performance.now() - changedAt < STILL_MS;
  const tellWhenStill = () => {
    if (!waiting) return;
    if (isRestless()) setTimeout(tellWhenStill, STILL_MS);
    else tellNow();
  };

  /**
   * Tell the daemon of the next change, or when the document is quiet; of nothing if it is told already.
   * @param {string} token @returns {boolean} Whether the document is loading or changing just now.
   */
  const tellNext = (token) => {
    observeAll();
    flush();
    if (!waiting) for (const event of EVENTS) addEventListener(event, tellNow, true);
    waiting = token;
    const restless = isRestless();
    if (restless) setTimeout(tellWhenStill, STILL_MS);
    return restless;
  };

  return { flush, follow, observe, signal, tellNext, unfollow };
};
