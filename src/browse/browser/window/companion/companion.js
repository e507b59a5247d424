// Tells browse which tab the person looks at. No event of the DevTools protocol does: to the driver
// every tab is visible, so that agents can work in those behind. `debugger` is needed only for
// `getTargets`, which knows the DevTools id of a tab; nothing is attached to.
"use strict";

/** Whether another tab may be in front than was told last. */
let isNews = false;
/** @type {(() => void) | null} */
let wake = null;

const note = () => {
  isNews = true;
  wake?.();
};

chrome.tabs.onActivated.addListener(note);
chrome.windows.onFocusChanged.addListener((windowId) => {
  if (windowId !== chrome.windows.WINDOW_ID_NONE) note();
});

/**
 * Called by browse: the DevTools id of the tab in front, and when it was seen there, once there is news of it. Not
 * of each that was: on a busy machine the news come late, when another is there.
 */
globalThis.nextActivated = async () => {
  for (;;) {
    while (!isNews)
      await new Promise((resolve) => {
        wake = () => resolve(undefined);
      });
    isNews = false;
    const seen = Date.now();
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const target = (await chrome.debugger.getTargets()).find((it) => it.tabId === tab?.id);
    if (target) return { target: target.id, seen };
  }
};
