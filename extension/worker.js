// @ts-check
/**
 * The service worker: takes the daemon's port and ticket, opens the side panel, and tells pages how many refs their tab
 * has. It passes nothing that pages of others could use.
 */

import * as connections from "./shared/connection.js";
import { Daemon } from "./shared/daemon.js";
import { admitted, typeOf } from "./shared/gate.js";
import { Introductions } from "./shared/introductions.js";
import "./tabs/bridge.js";

const daemon = new Daemon();
const introductions = new Introductions(async (document) => {
  const { tab, count } = await daemon.request("GET", `/refs?document=${document}&count=1`);
  return { tab: Number(tab), count: Number(count) };
});
/** How many refs the daemon's tabs have, as the last events said. @type {Map<number, number>} */
const counts = new Map();

// The daemon that started this browser calls it, through the driver.
Object.assign(globalThis, {
  /** @param {number} port @param {string} ticket */
  browseConnect: (port, ticket) => connections.keep({ port, ticket, launched: true }),
});

chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (!admitted(message, sender, chrome.runtime.id)) {
    answer({ error: "unauthorized" });
    return false;
  }
  const type = typeOf(message);
  if (type === "open-panel") {
    const tabId = /** @type {number} */ (sender.tab?.id);
    chrome.sidePanel.open({ tabId }).then(
      () => answer({ ok: true }),
      () => answer({ ok: false }),
    );
    return true;
  }
  if (type === "document") void introduce(Number(sender.tab?.id), Number(message.document));
  answer({ ok: true });
  return false;
});

/** Learn which of the daemon's tabs a document is in, and show how many refs that has. @param {number} tab @param {number} document */
const introduce = async (tab, document) => {
  if (!daemon.launched || !Number.isFinite(document)) return;
  counts.clear();
  const found = await introductions.learn(tab, document);
  if (found) await show(tab, counts.get(found.tab) ?? found.count); // what was heard meanwhile is newer
};

/** @param {number} tab @param {number} count */
const show = (tab, count) => chrome.tabs.sendMessage(tab, { type: "refs", count }, { frameId: 0 }).catch(() => {});

chrome.tabs.onRemoved.addListener((tab) => introductions.forget(tab));

daemon.addEventListener("activity", (event) => {
  const { type, tabId, refs } = /** @type {CustomEvent} */ (event).detail;
  if (type !== "command_end" || typeof refs !== "number") return;
  counts.set(tabId, refs);
  for (const own of introductions.tabs(tabId)) void show(own, refs);
});

daemon.addEventListener("state", () => {
  chrome.action.setBadgeBackgroundColor({ color: "#f59e0b" });
  chrome.action.setBadgeText({ text: daemon.state === "connected" ? " " : "" });
});

// In a person's own browser the panel alone follows the daemon: a worker there is stopped when it is idle.
connections.onChange(begin);
let begun = false;
async function begin() {
  if (begun || !(await connections.read())?.launched) return;
  begun = true;
  await daemon.begin();
  // Pages that were there before the daemon said where it is have not been counted.
  for (const tab of await chrome.tabs.query({}))
    chrome.tabs.sendMessage(Number(tab.id), { type: "introduce" }, { frameId: 0 }).catch(() => {});
}
void begin();
