// @ts-check
/** The tab that the panel stands beside, and the document in it. */

/** The tab of this window that the person sees. @returns {Promise<number | null>} */
export const shownTab = async () => {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? null;
};

/** Ask the page of the shown tab; null where the extension may not be (pages of the browser). @param {object} message */
export const ask = async (message) => {
  const tab = await shownTab();
  if (tab === null) return null;
  try {
    return await chrome.tabs.sendMessage(tab, message, { frameId: 0 });
  } catch {
    return null;
  }
};

/** The number of the shown document, by which the daemon finds its tab. @returns {Promise<number>} */
export const shownDocument = async () => {
  const found = await ask({ type: "which-document" });
  if (typeof found?.document !== "number") throw new Error("The panel cannot look into this page.");
  return found.document;
};

/** Call back when another tab or another page is shown. @param {() => void} tell */
export const onShown = (tell) => {
  chrome.tabs.onActivated.addListener(() => tell());
  chrome.tabs.onUpdated.addListener((_, change, tab) => {
    if (change.status === "complete" && tab.active) tell();
  });
};
