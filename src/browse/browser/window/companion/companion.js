// Tells browse which tab the person looks at. No event of the DevTools protocol does: to the driver
// every tab is visible, so that agents can work in those behind. `debugger` is needed only for
// `getTargets`, which knows the DevTools id of a tab; nothing is attached to.
"use strict";

/** The DevTools ids of the tabs that were activated and not told yet. @type {string[]} */
const activated = [];
/** @type {(() => void) | null} */
let wake = null;

/** @param {number} tabId */
const note = async (tabId) => {
  const targets = await chrome.debugger.getTargets();
  const target = targets.find((it) => it.tabId === tabId);
  if (!target) return;
  activated.push(target.id);
  wake?.();
};

chrome.tabs.onActivated.addListener(({ tabId }) => note(tabId));
chrome.windows.onFocusChanged.addListener(async (windowId) => {
  if (windowId === chrome.windows.WINDOW_ID_NONE) return;
  const [tab] = await chrome.tabs.query({ active: true, windowId });
  if (tab?.id !== undefined) await note(tab.id);
});

/** Called by browse: what was activated since the last call; waits until there is something. */
globalThis.nextActivated = async () => {
  while (!activated.length)
    await new Promise((resolve) => {
      wake = () => resolve(undefined);
    });
  return activated.splice(0);
};
