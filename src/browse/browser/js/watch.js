// @ts-check
/**
 * Notices whether anything happened in a document between two calls: changes of the tree, input,
 * focus, scrolling. Counts only; it keeps nothing of the page.
 * @param {any} lib
 */
(lib) => {
  let changes = 0;
  /** @type {MutationObserver | null} */
  let observer = null;
  const count = () => {
    changes += 1;
  };
  const EVENTS = ["input", "change", "focusin", "scroll", "toggle"];

  const stop = () => {
    observer?.disconnect();
    observer = null;
    for (const event of EVENTS) document.removeEventListener(event, count, true);
  };

  const start = () => {
    stop();
    changes = 0;
    observer = new MutationObserver((records) => {
      changes += records.length;
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const event of EVENTS) document.addEventListener(event, count, true);
  };

  const report = () => {
    changes += observer?.takeRecords().length ?? 0;
    const seen = changes;
    stop();
    return seen;
  };

  return { start, report };
};
