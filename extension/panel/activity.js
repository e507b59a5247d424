// @ts-check
/** The pane with the commands as they run. */

import { el, short } from "./dom.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */
/** @typedef {Record<string, any>} ActivityEvent */

const KEPT = 300;
const NAVIGATING = new Set(["goto", "back", "forward", "reload", "newtab", "load-html"]);
const ACTING = new Set(["click", "fill", "type", "press", "select", "check", "uncheck", "hover", "scroll", "upload"]);

/** What an entry is about: its colour. @param {ActivityEvent} event */
export const kindOf = (event) => {
  if (event.type === "command_start") return "pending";
  if (event.type === "error" || event.status === "error") return "error";
  if (NAVIGATING.has(event.command)) return "nav";
  return ACTING.has(event.command) ? "interaction" : "observe";
};

/** The words of an entry that is no command. @param {ActivityEvent} event @returns {string} */
export const wordsOf = (event) => {
  if (event.gap) return `Missed ${event.availableFrom - event.gapFrom} events`;
  if (event.type === "message") return `${event.clientId} says: ${event.page?.message ?? ""}`;
  if (event.type === "security") return `Security: ${String(event.what).replaceAll("_", " ")}`;
  if (event.type === "window") return event.mode === "headed" ? "In a window now" : "Without a window now";
  if (event.type === "inbox") return `Note ${event.message}: ${event.state}`;
  const known = new Set(["id", "timestamp", "type", "clientId", "gap", "page"]);
  const rest = Object.entries(event).filter(([name, value]) => !known.has(name) && value);
  return [event.type, ...rest.map(([name, value]) => `${name}: ${short(value, 80)}`)].join("  ");
};

/** The history, and what it does not have yet. @param {ActivityEvent[]} history @param {ActivityEvent[]} heard */
export const merged = (history, heard) => {
  const last = history.at(-1)?.id ?? 0;
  return [...history, ...heard.filter((event) => event.gap || event.id > last)];
};

/** @param {HTMLElement} root @param {Daemon} daemon */
export const mountActivity = (root, daemon) => {
  const list = el("ol", { class: "feed", "aria-label": "Commands, the newest first" });
  const empty = el("p", { class: "quiet" }, "Commands appear here as they run.");
  root.append(empty, list);
  /** Entries of commands that have begun, by caller and command. @type {Map<string, HTMLElement[]>} */
  const pending = new Map();

  /** @param {ActivityEvent} event */
  const add = (event) => {
    if (event.command === "activity") return;
    empty.hidden = true;
    const key = `${event.clientId} ${event.command} ${JSON.stringify(event.args ?? "")}`;
    const isCommand = ["command_start", "command_end", "error"].includes(event.type);
    if (isCommand && event.type !== "command_start") pending.get(key)?.shift()?.remove();
    const entry = isCommand ? commandEntry(event) : el("li", { class: "plain" }, wordsOf(event));
    if (event.type === "command_start") pending.set(key, [...(pending.get(key) ?? []), entry]);
    list.prepend(entry);
    while (list.children.length > KEPT) list.lastElementChild?.remove();
  };

  /** What came while the history was asked for. @type {ActivityEvent[] | null} */
  let meanwhile = null;
  daemon.addEventListener("activity", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (meanwhile) meanwhile.push(detail);
    else add(detail);
  });
  return {
    connected: async () => {
      /** @type {ActivityEvent[]} */
      const heard = [];
      meanwhile = heard;
      try {
        const { entries } = await daemon.request("GET", "/activity/history?limit=50");
        list.replaceChildren();
        pending.clear();
        for (const event of merged(entries, heard)) add(event);
      } catch (error) {
        for (const event of heard) add(event);
        throw error;
      } finally {
        if (meanwhile === heard) meanwhile = null;
      }
    },
  };
};

/** @param {ActivityEvent} event */
const commandEntry = (event) => {
  const kind = kindOf(event);
  const ended = event.type === "command_start" ? "…" : `${event.duration} ms`;
  const args = Array.isArray(event.args) ? event.args.join(" ") : (event.args ?? "");
  return el(
    "li",
    { class: kind },
    el("time", {}, String(event.timestamp).slice(11, 19)),
    el("b", {}, String(event.command)),
    el("span", { class: "args", title: String(args) }, short(args, 200)),
    el("span", { class: "ended" }, ended),
    event.error ? el("span", { class: "problem" }, short(event.error, 300)) : null,
  );
};
