// @ts-check
// The dashboard: reads the facts once, then again what an event says has changed.
import { byId, say } from "./dom.js";
import { Feed } from "./feed.js";
import { explained, banner as showBanner } from "./messages.js";
import * as panels from "./panels.js";
import { openSession, Refused } from "./session.js";
import { TabCards } from "./tab_cards.js";

const SOON_MS = 250;
const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15_000];
// Nothing tells when memory changes, so it is measured from time to time, while somebody looks.
const MEMORY_MS = 30_000;
const QUICK = ["tabs", "agents", "pairings", "steps", "handoffs", "health"];
// What the title of the page counts.
const TITLED = new Set(["steps", "handoffs"]);
/** @type {Record<string, string[]>} the parts that an event, or the end of a command, makes stale */
const STALE = {
  command_start: ["tabs"],
  command_end: QUICK,
  error: QUICK,
  step: ["steps"],
  tunnel: ["health", "pairings"],
  security: ["security"],
  tabs_changed: ["tabs", "memory"],
  handoffs_changed: ["handoffs", "tabs"],
  gap: [...QUICK, "security"],
  skill: ["skills"],
  "domain-skill": ["notes"],
  closetab: ["memory"],
  newtab: ["memory"],
};
const AGAIN = "Type `browse dashboard` in a terminal: it prints a new address.";

/** @type {Record<string, any>} */
const facts = {};
/** @type {Set<string>} */
const stale = new Set();
let reading = false;

/** @param {import("./session.js").Session} session */
async function run(session) {
  const feed = new Feed(byId("activity"));
  const cards = new TabCards(session, closeTab);
  let tries = 0;

  /** @param {string[]} parts */
  async function read(parts) {
    const found = await session.get(`/dashboard/facts?parts=${parts.join(",")}`);
    Object.assign(facts, found);
    show(Object.keys(found));
  }

  /** @param {string[]} parts */
  function show(parts) {
    /** @type {Record<string, (it: any) => void>} */
    const how = {
      health: panels.showHealth,
      tabs: (it) => cards.show(it, facts.handoffs),
      agents: panels.showAgents,
      pairings: (it) => panels.showPairings(it, revoke),
      steps: panels.showSteps,
      handoffs: panels.showHandoffs,
      activity: (it) => {
        for (const event of it.events) feed.add(event);
      },
      skills: panels.showSkills,
      notes: panels.showNotes,
      security: panels.showSecurity,
      memory: (it) => panels.showMemory(it, closeTab),
    };
    for (const part of parts) if (!facts[part]?.problem) how[part](facts[part]);
    panels.showWaiting(facts);
    panels.showTiles(facts);
  }

  /** Read what is stale, a little later, so that a burst of events costs one call. */
  async function readSoon() {
    if (reading) return;
    reading = true;
    try {
      while (wanted().length) {
        await new Promise((resolve) => setTimeout(resolve, SOON_MS));
        const parts = wanted();
        for (const part of parts) stale.delete(part);
        await read(parts);
      }
    } catch {
      // The stream of events breaks as well, and says so.
    } finally {
      reading = false;
    }
  }

  /** @param {any} event */
  function onEvent(event) {
    if (event.id || event.type === "gap") feed.add(event);
    const ended = event.type === "command_end" || event.type === "error";
    for (const part of STALE[event.type] ?? []) stale.add(part);
    for (const part of (ended && STALE[event.command]) || []) stale.add(part);
    if (ended && event.tabId) cards.want(event.tabId);
    readSoon();
  }

  async function follow() {
    await read([]);
    byId("board").hidden = false;
    await session.follow(`/dashboard/events?after=${feed.last}`, (_, event) => onEvent(event), {
      opened: () => {
        tries = 0;
        banner("");
      },
    });
  }

  /**
   * @param {{ id: number, heldBy?: string[], page: { url: string } }} tab
   */
  async function closeTab(tab) {
    const row = facts.tabs.find((/** @type {any} */ it) => it.id === tab.id);
    const held = (row?.heldBy ?? []).filter((/** @type {string} */ name) => name !== "root").join(", ");
    const about = [row?.page.title || tab.page.url, held && `${held} works in it.`].filter(Boolean).join(" — ");
    if (!(await asked(`Close tab ${tab.id}?`, about, "Close the tab"))) return;
    await act("/dashboard/close-tab", { tab: tab.id }, `Tab ${tab.id} is closed.`);
  }

  /** @param {string} client */
  async function revoke(client) {
    const about = "Its commands end at once, and its tabs become yours. It has to be paired again.";
    if (!(await asked(`Revoke ${client}?`, about, "Revoke it"))) return;
    await act("/dashboard/revoke", { client }, `${client} is revoked.`);
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {string} done
   */
  async function act(path, body, done) {
    try {
      await session.post(path, body);
      say(byId("said"), done);
    } catch (problem) {
      banner(explained(problem), "bad");
    }
    for (const part of [...QUICK, "memory"]) stale.add(part);
    readSoon();
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    cards.refresh();
    readSoon();
  });
  setInterval(() => {
    if (document.hidden || !facts.health) return;
    stale.add("memory").add("agents");
    readSoon();
  }, MEMORY_MS);

  for (;;) {
    try {
      await follow();
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 401) {
        lost(`The daemon was restarted, and this page was opened by the one before. ${AGAIN}`);
        return;
      }
    }
    lost(`The daemon has ended, or does not answer. If it was restarted: ${AGAIN} This page tries again by itself.`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]));
    tries += 1;
  }
}

/** List what to read now; while nobody looks, only what the title shows. */
function wanted() {
  return [...stale].filter((part) => !document.hidden || TITLED.has(part));
}

/** @param {string} words */
function lost(words) {
  byId("state").className = "badge bad";
  say(byId("state"), "not connected");
  banner(words, "bad");
}

/**
 * Show a message above everything, or take it away.
 * @param {string} words
 * @param {string} [name]
 */
function banner(words, name = "") {
  showBanner(byId("banner"), words, name);
}

/**
 * Ask the person, and return whether they agree.
 * @param {string} title
 * @param {string} about
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
function asked(title, about, yes) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("question"));
  say(byId("question-title"), title);
  say(byId("question-about"), about);
  say(byId("question-yes"), yes);
  byId("question-yes").onclick = () => dialog.close("yes");
  byId("question-no").onclick = () => dialog.close("");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

openSession("dashboard").then(
  (session) => {
    if (session) run(session);
    else lost(`This page shows nothing without its address. ${AGAIN}`);
  },
  (problem) => lost(`${problem instanceof Refused ? problem.message : "The daemon does not answer."} ${AGAIN}`),
);
