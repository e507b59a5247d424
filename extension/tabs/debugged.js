// @ts-check
/**
 * The tabs that the agent may use: those in the group "browse", and those that it opened, which are put there. A tab
 * that leaves the group is let go at once.
 */

const GROUP = "browse";
const BADGE = "agent";
// A group gets its name letter by letter: "browser" is none of ours.
const NAMED_MS = 1_000;
const CANCELLED = "canceled_by_user";

/** @typedef {Record<string, any>} Facts */

/** @param {number} group */
const titleOf = async (group) => {
  try {
    return (await chrome.tabGroups.get(group)).title;
  } catch {
    return ""; // it is closed
  }
};

/** Debugs the shared tabs, and tells `say` what happens in them. */
export class DebuggedTabs {
  /** @type {Map<number, Facts | null>} */
  #tabs = new Map();
  /** Tabs that we put into the group just now. @type {Set<number>} */
  #ours = new Set();
  /** Tabs that were opened for the agent, and are still in the group. @type {Set<number>} */
  #opened = new Set();
  /** @type {(event: Facts) => void} */
  #say;
  #shares = true;

  /**
   * @param {(event: Facts) => void} say
   * @param {() => void} cancelled Told when the person presses Cancel on the bar that the browser shows.
   */
  constructor(say, cancelled) {
    this.#say = say;
    chrome.tabs.onUpdated.addListener((_, change, tab) => {
      if ("groupId" in change) void this.#review(tab);
    });
    chrome.tabGroups.onUpdated.addListener(({ id, title }) => {
      if (title === GROUP) setTimeout(() => void this.#reviewGroup(id), NAMED_MS);
      else void this.#reviewGroup(id);
    });
    chrome.tabs.onRemoved.addListener((id) => void this.#letGo(id));
    chrome.tabs.onCreated.addListener((tab) => {
      if (this.#tabs.has(Number(tab.openerTabId))) void this.#add(Number(tab.id));
    });
    chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
      if (reason === CANCELLED && this.#tabs.has(Number(tabId))) cancelled();
      void this.#letGo(Number(tabId));
    });
    chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
      if (this.#tabs.get(Number(tabId)))
        this.#say({ event: "cdp", tab: tabId, child: sessionId ?? "", method, params: params ?? {} });
    });
  }

  get count() {
    return this.#tabs.size;
  }

  /** Attach to all tabs of the group. */
  async begin() {
    for (const tab of await chrome.tabs.query({})) await this.#review(tab);
  }

  /** Let go of all tabs; close those that were opened for the agent if that has gone. @param {boolean} closing */
  async end(closing) {
    this.#shares = false;
    const opened = [...this.#opened];
    for (const id of [...this.#tabs.keys()]) await this.#letGo(id);
    if (closing) for (const id of opened) await chrome.tabs.remove(id).catch(() => {}); // it is closed
  }

  /** @param {number} groupId */
  async #reviewGroup(groupId) {
    for (const tab of await chrome.tabs.query({ groupId })) await this.#review(tab);
  }

  /** @param {chrome.Tab} tab */
  async #review(tab) {
    const id = Number(tab.id);
    const inGroup = tab.groupId >= 0 && (await titleOf(tab.groupId)) === GROUP;
    if (inGroup) this.#ours.delete(id);
    if (this.#shares && (inGroup || this.#ours.has(id))) await this.#attach(id);
    else await this.#letGo(id);
  }

  /** @param {number} id */
  async #attach(id) {
    if (this.#tabs.has(id)) return;
    this.#tabs.set(id, null);
    try {
      await chrome.debugger.attach({ tabId: id }, "1.3");
      const { targetInfo } = await chrome.debugger.sendCommand({ tabId: id }, "Target.getTargetInfo", {});
      if (!this.#tabs.has(id)) return void (await this.#detach(id)); // it left meanwhile
      this.#tabs.set(id, targetInfo);
      this.#say({ event: "attached", tab: id, info: targetInfo });
      await chrome.action.setBadgeText({ tabId: id, text: BADGE });
    } catch {
      this.#tabs.delete(id); // a page of the browser itself, or DevTools are open there
    }
  }

  /** @param {number} id */
  async #letGo(id) {
    this.#ours.delete(id);
    this.#opened.delete(id);
    if (!this.#tabs.delete(id)) return;
    this.#say({ event: "detached", tab: id });
    await this.#detach(id);
    await chrome.action.setBadgeText({ tabId: id, text: "" }).catch(() => {});
  }

  /** @param {number} id */
  async #detach(id) {
    await chrome.debugger.detach({ tabId: id }).catch(() => {}); // it is closed
  }

  /** Put a tab that the agent opened into the group, and attach to it. @param {number} id */
  async #add(id) {
    this.#ours.add(id);
    this.#opened.add(id);
    const [group] = await chrome.tabGroups.query({ title: GROUP });
    const made = await chrome.tabs.group({ tabIds: [id], ...(group ? { groupId: group.id } : {}) });
    if (!group) await chrome.tabGroups.update(made, { title: GROUP, color: "yellow" });
    await this.#attach(id);
  }

  /** @param {Facts} asked */
  async open({ url }) {
    const tab = await chrome.tabs.create({ url, active: false });
    await this.#add(Number(tab.id));
    return { tab: tab.id };
  }

  /** @param {Facts} asked */
  async close({ tab }) {
    this.#require(tab);
    await chrome.tabs.remove(tab);
  }

  /** @param {Facts} asked */
  async activate({ tab }) {
    this.#require(tab);
    await chrome.tabs.update(tab, { active: true });
  }

  /** @param {Facts} asked */
  async send({ tab, child, method, params }) {
    this.#require(tab);
    const to = child ? { tabId: tab, sessionId: child } : { tabId: tab };
    return chrome.debugger.sendCommand(to, method, params);
  }

  /** @param {number} tab */
  #require(tab) {
    if (!this.#tabs.get(tab)) throw new Error("Target closed: this tab is not shared any more");
  }
}
