// @ts-check
/** Whether the person lets the agent work in tabs of theirs: asked once in a run of the browser, kept nowhere else. */

// One entry for each fact: the panel and the worker write them, and neither may undo what the other wrote.
const KEYS = Object.freeze({ shares: "sharing.shares", tabs: "sharing.tabs", problem: "sharing.problem" });

/** @typedef {{shares: boolean, tabs: number, problem: string}} Sharing */
/** @typedef {keyof Sharing} Fact */

const FACTS = /** @type {Fact[]} */ (Object.keys(KEYS));

/** @param {(key: string) => unknown} value @returns {Sharing} */
const checked = (value) => ({
  shares: value(KEYS.shares) === true,
  tabs: Number(value(KEYS.tabs) ?? 0),
  problem: String(value(KEYS.problem) ?? ""),
});

/** @returns {Promise<Sharing>} */
export const read = async () => {
  const found = await chrome.storage.session.get(Object.values(KEYS));
  return checked((key) => found[key]);
};

/** @param {Partial<Sharing>} changed */
export const change = async (changed) => {
  const given = FACTS.filter((fact) => fact in changed);
  await chrome.storage.session.set(Object.fromEntries(given.map((fact) => [KEYS[fact], changed[fact]])));
};

/** @param {(now: Sharing, before: Sharing) => void} tell */
export const onChange = (tell) => {
  chrome.storage.session.onChanged.addListener(async (changes) => {
    if (!FACTS.some((fact) => changes[KEYS[fact]])) return;
    const found = await chrome.storage.session.get(Object.values(KEYS));
    tell(
      checked((key) => (changes[key] ? changes[key].newValue : found[key])),
      checked((key) => (changes[key] ? changes[key].oldValue : found[key])),
    );
  });
};
