// @ts-check
/** How much memory the browser uses, and a warning with the tabs that use most of it. */

import { el, redraw, said, short } from "./dom.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */
/** @typedef {{id: number, used: number | null, nodes: number, listeners: number, page: {url: string}}} TabUse */

const GB = 2 ** 30;
const EVERY_MS = 30_000;
const WARN = { bytes: 2 * GB, tabs: 50 };
const BAD = { bytes: 8 * GB, tabs: 200 };
const HEAVY_TAB_BYTES = 4 * GB;
const OFFERED = 5;

/** @param {number} bytes */
export const size = (bytes) => (bytes >= GB ? `${(bytes / GB).toFixed(2)} GB` : `${Math.round(bytes / 2 ** 20)} MB`);

/** @param {number} bytes @param {number} tabs @returns {"" | "warn" | "bad"} */
export const levelOf = (bytes, tabs) => {
  if (bytes > BAD.bytes || tabs > BAD.tabs) return "bad";
  return bytes > WARN.bytes || tabs > WARN.tabs ? "warn" : "";
};

/** How much a tab weighs, also where its heap is not known. @param {TabUse} tab */
export const weightOf = (tab) => Math.max(tab.used ?? 0, tab.nodes * 1024 + tab.listeners * 200);

/**
 * The tabs to offer for closing; none while all is well. `snoozed` is what the person has accepted.
 * @param {TabUse[]} tabs @param {{tabs: number, bytes: number}} snoozed
 */
export const heavyTabs = (tabs, snoozed) => {
  const limit = Math.max(HEAVY_TAB_BYTES, snoozed.bytes);
  const heavy = tabs.some((tab) => (tab.used ?? 0) > limit) || tabs.length >= Math.max(BAD.tabs, snoozed.tabs);
  return heavy ? [...tabs].sort((one, other) => weightOf(other) - weightOf(one)).slice(0, OFFERED) : [];
};

/**
 * Whether a tab that is offered is to be closed unless the person says no: the heavy ones, or where there are too many.
 * @param {TabUse} tab @param {number} tabs
 */
export const isTicked = (tab, tabs) => (tab.used ?? 0) > HEAVY_TAB_BYTES || tabs >= BAD.tabs;

/** @param {HTMLElement} readout @param {HTMLElement} toast @param {Daemon} daemon */
export const mountMemory = (readout, toast, daemon) => {
  const snoozed = { tabs: 0, bytes: 0 };
  /** Which tabs the person has ticked or not, by number. @type {Map<number, boolean>} */
  const chosen = new Map();
  let last = 0;

  const refresh = async () => {
    if (daemon.state !== "connected" || document.hidden || Date.now() - last < EVERY_MS) return;
    last = Date.now();
    try {
      show(await daemon.request("GET", "/memory"));
    } catch {
      readout.hidden = true;
    }
  };

  /** @param {Record<string, any>} seen */
  const show = (seen) => {
    const all = [seen.daemon, seen.driver, ...(seen.processes ?? [])];
    const bytes = all.reduce((sum, it) => sum + (it?.rss ?? 0), 0);
    readout.textContent = `${size(bytes)} · ${seen.tabs.length} ${seen.tabs.length === 1 ? "tab" : "tabs"}`;
    readout.className = levelOf(bytes, seen.tabs.length);
    readout.hidden = false;
    redraw(() => warn(heavyTabs(seen.tabs, snoozed), seen.tabs));
  };

  /** @param {TabUse[]} heavy @param {TabUse[]} tabs */
  const warn = (heavy, tabs) => {
    toast.hidden = !heavy.length;
    if (!heavy.length) return;
    const boxes = heavy.map((tab) => {
      const checked = chosen.get(tab.id) ?? isTicked(tab, tabs.length);
      const box = el("input", { type: "checkbox", id: `close-${tab.id}`, value: tab.id, checked });
      box.addEventListener("change", () => chosen.set(tab.id, box.checked));
      return box;
    });
    const close = async () => {
      const wanted = boxes.filter((it) => it.checked).map((it) => it.value);
      try {
        for (const id of wanted) await daemon.command("closetab", [id]);
        toast.hidden = true;
        last = 0;
        await refresh();
      } catch (error) {
        toast.append(el("p", { class: "problem" }, said(error)));
      }
    };
    const snooze = () => {
      snoozed.tabs = tabs.length + 50;
      snoozed.bytes = Math.max(...tabs.map((tab) => tab.used ?? 0)) + 2 * GB;
      toast.hidden = true;
    };
    toast.replaceChildren(
      el("p", {}, "The browser uses much memory. Close these tabs?"),
      el(
        "ul",
        {},
        ...heavy.map((tab, at) =>
          el(
            "li",
            {},
            boxes[at],
            el("label", { for: `close-${tab.id}` }, ` ${size(weightOf(tab))} ${short(tab.page.url, 60)}`),
          ),
        ),
      ),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", class: "main", click: close }, "Close these tabs"),
        el("button", { type: "button", click: snooze }, "Not now"),
      ),
    );
  };

  daemon.addEventListener("activity", () => void refresh());
  return { connected: refresh };
};
