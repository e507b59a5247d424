// @ts-check
/** The pane with the state of the defences, and what they refused. */

import { el, said } from "./dom.js";

/** @typedef {import("../shared/daemon.js").Daemon} Daemon */

const WORDS = { protected: "Protected", degraded: "Partly protected", inactive: "Not protected" };

/** @type {Record<string, string>} */
const LAYERS = {
  envelope: "Words of pages are marked as such",
  hidden_content: "Hidden text is found",
  url_blocklist: "Dangerous addresses are refused",
  words: "Instructions in pages are looked for",
  transcript_classifier: "A model reads what agents were told",
};

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
  const status = /** @type {keyof typeof WORDS} */ (now.status);
  const outcomes = Object.entries(log.outcomes ?? {}).filter(([, count]) => count);
  /** @type {{name: string, count: number}[]} */
  const kinds = log.byKind ?? [];
  return [
    el("p", { class: `shield ${status}` }, WORDS[status] ?? String(status)),
    el("h2", {}, "Defences"),
    table(Object.entries(now.layers ?? {}).map(([name, state]) => [LAYERS[name] ?? spelled(name), isOn(state)])),
    el("h2", {}, `Refusals and warnings of the last ${Number(log.days)} days`),
    outcomes.length
      ? el("p", {}, outcomes.map(([name, count]) => `${count} ${name}`).join(", "))
      : el("p", { class: "quiet" }, "None."),
    ...(kinds.length ? [table(kinds.map(({ name, count }) => [spelled(name), String(count)]))] : []),
  ];
};

/** @param {string} name */
const spelled = (name) => name.replaceAll("_", " ");

/** @param {unknown} state */
const isOn = (state) => (state === true ? "on" : state === false ? "off" : String(state));

/** @param {string[][]} rows */
const table = (rows) =>
  el(
    "table",
    { class: "facts" },
    el(
      "tbody",
      {},
      ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))),
    ),
  );
