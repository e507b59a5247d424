// @ts-check
/** Whether the person lets the agent work in tabs of theirs: asked once in a run of the browser, kept nowhere else. */

const KEY = "sharing";

/** @typedef {{shares: boolean, tabs: number, problem: string}} Sharing */

/** @param {unknown} value @returns {Sharing} */
const checked = (value) => {
  const found = /** @type {Partial<Sharing>} */ (typeof value === "object" && value !== null ? value : {});
  return { shares: found.shares === true, tabs: Number(found.tabs ?? 0), problem: String(found.problem ?? "") };
};

/** @returns {Promise<Sharing>} */
export const read = async () => checked((await chrome.storage.session.get(KEY))[KEY]);

/** @param {Partial<Sharing>} changed */
export const change = async (changed) => chrome.storage.session.set({ [KEY]: { ...(await read()), ...changed } });

/** @param {(now: Sharing, before: Sharing) => void} tell */
export const onChange = (tell) => {
  chrome.storage.session.onChanged.addListener((changes) => {
    if (changes[KEY]) tell(checked(changes[KEY].newValue), checked(changes[KEY].oldValue));
  });
};
