// @ts-check
/** The pane with the state of the defences, and what they refused. */

import { el, said } from "./dom.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */

const WORDS = { protected: "Protected", degraded: "Partly protected", inactive: "Not protected" };

/** @param {HTMLElement} root @param {Daemon} daemon @param {() => boolean} isShown */
export const mountSecurity = (root, daemon, isShown) => {
  const body = el("div");
  root.append(body);

  const refresh = async () => {
    if (!isShown() || daemon.state !== "connected") return;
    try {
      const [now, log] = await Promise.all([daemon.request("GET", "/security"), daemon.command("log", ["security"])]);
      body.replaceChildren(...report(now, log));
    } catch (error) {
      body.replaceChildren(el("p", { class: "problem" }, said(error)));
    }
  };

  daemon.addEventListener("activity", (event) => {
    // An attempt is noted when a command is refused.
    if (/** @type {CustomEvent} */ (event).detail.error) void refresh();
  });
  return { connected: refresh, shown: refresh };
};

/** @param {Record<string, any>} now @param {Record<string, any>} log @returns {HTMLElement[]} */
const report = (now, log) => {
  const layers = Object.entries(now.layers ?? {});
  const status = /** @type {keyof typeof WORDS} */ (now.status);
  const counts = Object.entries(log).filter(([, value]) => typeof value === "number");
  return [
    el("p", { class: `shield ${status}` }, WORDS[status] ?? String(status)),
    el("h2", {}, "Layers"),
    table(layers.map(([name, state]) => [name, typeof state === "object" ? JSON.stringify(state) : String(state)])),
    el("h2", {}, "Refusals and warnings"),
    counts.length ? table(counts.map(([name, value]) => [name, String(value)])) : el("p", { class: "quiet" }, "None."),
  ];
};

/** @param {string[][]} rows */
const table = (rows) =>
  el(
    "table",
    {},
    el(
      "tbody",
      {},
      ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))),
    ),
  );
