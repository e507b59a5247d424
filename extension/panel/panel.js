// @ts-check
/** The side panel: its panes, the connection to the daemon, and the buttons. */

import * as connections from "../shared/connection.js";
import { Daemon } from "../shared/daemon.js";
import { mountActivity } from "./activity.js";
import { byId, el, said } from "./dom.js";
import { mountInspector } from "./inspector.js";
import { mountMemory } from "./memory.js";
import { mountNotes } from "./notes.js";
import { Panes } from "./panes.js";
import { Picking } from "./picking.js";
import { mountRefs } from "./refs.js";
import { mountSecurity } from "./security.js";
import { mountSharing } from "./sharing.js";
import { mountTerminalPane } from "./terminal_pane.js";
import { ask } from "./this_tab.js";
import { mountToolbar } from "./toolbar.js";

const daemon = new Daemon();
const picking = new Picking();
const panes = new Panes(byId("tabs"), byId("panes"), /** @type {HTMLButtonElement} */ (byId("more")));

const terminal = mountTerminalPane(panes.add("terminal", "Terminal"), daemon);
/** @typedef {{connected?: () => Promise<unknown>, shown?: () => unknown}} Pane */
/** @type {Record<string, Pane>} */
const mounted = {
  notes: mountNotes(panes.add("notes", "Notes"), daemon, picking),
  activity: mountActivity(panes.add("activity", "Activity", { more: true }), daemon),
  refs: mountRefs(panes.add("refs", "Refs", { more: true }), daemon, () => panes.shows("refs")),
  inspector: mountInspector(panes.add("inspector", "Inspector", { more: true }), daemon, picking, deliver),
  security: mountSecurity(panes.add("security", "Security", { more: true }), daemon, () => panes.shows("security")),
  memory: mountMemory(byId("memory"), byId("heavy"), daemon),
};
mountToolbar(daemon, terminal);
mountSharing(byId("sharing"), daemon);
panes.onShow((name) => void mounted[name]?.shown?.());
void ask({ type: "panel-opened" });

/**
 * Hand a text to the agent: into the terminal if one runs, and into the inbox, where it stays.
 * @param {string} text @param {object} note
 */
async function deliver(text, note) {
  await daemon.request("POST", "/inbox", { message: text.slice(0, 4000), ...note });
  const typed = await terminal.inject(text);
  return typed ? "Sent to the terminal, and left as a note." : "Left as a note for the agent.";
}

const WORDS = {
  unpaired: "Not connected to a daemon.",
  connecting: "Connecting…",
  lost: "The connection to the daemon is lost. Trying again…",
  connected: "",
};

const drawState = () => {
  const { state } = daemon;
  const banner = byId("banner");
  banner.hidden = state === "connected";
  banner.className = state;
  banner.replaceChildren(el("span", {}, WORDS[state]));
  if (state === "lost") banner.append(el("button", { type: "button", click: () => daemon.retry() }, "Reconnect"));
  if (state === "unpaired") banner.append(pairing());
  byId("connection").textContent = daemon.port ? `${state} · port ${daemon.port}` : state;
  byId("connection").className = state;
  document.body.dataset.state = state;
  if (state === "connected") for (const it of Object.values(mounted)) it.connected?.().catch(report);
};

/** The form for a person's own browser, where nobody hands over port and ticket. */
const pairing = () => {
  const port = el("input", { id: "port", type: "number", min: 1, max: 65535, required: true });
  const code = el("input", { id: "code", required: true, autocomplete: "off", spellcheck: "false" });
  const problem = el("p", { class: "problem", role: "alert" });
  const form = el(
    "form",
    { class: "pairing" },
    el("p", {}, "Type `browse extension pair` in your project. It prints a port and a code."),
    el("label", { for: "port" }, "Port"),
    port,
    el("label", { for: "code" }, "Code"),
    code,
    el("button", { type: "submit", class: "main" }, "Connect"),
    problem,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await connections.pair(Number(port.value), code.value.trim());
    } catch (error) {
      problem.textContent = said(error);
    }
  });
  return form;
};

/** @param {unknown} error */
const report = (error) => {
  byId("connection").textContent = said(error);
};

daemon.addEventListener("state", drawState);
drawState();
await daemon.begin();
drawState();
