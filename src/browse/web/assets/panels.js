// @ts-check
// The parts of the dashboard beside tabs and feed: each takes its facts and shows them.
import { colours, dayChart } from "./chart.js";
import { button, byId, el, keyed, say, size, span } from "./dom.js";

const MAX_ROWS = 12;

/** @param {any} facts */
export function showHealth(facts) {
  say(byId("project"), facts.project);
  byId("state").className = `badge ${facts.status === "healthy" ? "good" : "bad"}`;
  say(byId("state"), facts.status);
  const layers = Object.entries(facts.defences.layers);
  const on = layers.filter(([, active]) => active).length;
  say(byId("defences"), `Defences: ${facts.defences.status}; ${on} of ${layers.length} layers are on.`);
}

/** @param {Record<string, any>} facts */
export function showTiles(facts) {
  const { health, tabs, agents, steps, security, memory } = facts;
  const waiting = steps.length + facts.handoffs.filter((/** @type {any} */ it) => it.askedBy).length;
  const up = (Date.now() - Date.parse(health.started)) / 1000;
  const total = memory?.daemon && memory.daemon.rss + (memory.driver?.rss ?? 0) + sum(memory.processes);
  const tunnel = health.tunnel.open ? "tunnel open" : "no tunnel";
  const rows = [
    ["Daemon", `up ${span(up)}`, `${health.mode}, ${tunnel}`],
    ["Tabs", tabs.length, tabs.some((/** @type {any} */ tab) => tab.busy) ? "a command runs" : "idle"],
    ["Agents", agents.length, `${facts.pairings.length} paired`],
    ["Waiting for you", waiting, health.automation.on ? "automation is on" : "automation is off"],
    ["Refused", security.outcomes?.refused ?? 0, `in ${security.days} days`],
    ["Memory", total ? size(total) : "–", memory?.daemon ? `${memory.processes.length + 2} processes` : "no browser"],
  ];
  keyed(byId("tiles"), rows, ([name]) => name, tile);
}

/** @param {any[]} first */
function tile([name]) {
  const value = el("p", "value");
  const about = el("p", "muted");
  const node = el("li", "card", el("p", "name muted", name), value, about);
  return {
    node,
    fill: (/** @type {any[]} */ row) => {
      say(value, String(row[1]));
      say(about, row[2]);
    },
  };
}

/** @param {any[]} steps */
export function showSteps(steps) {
  keyed(
    byId("steps"),
    steps,
    (step) => step.id,
    (step) => ({
      node: el(
        "li",
        "",
        el(
          "p",
          "",
          el("strong", "", step.client === "root" ? "Your agent" : step.client),
          " wants: ",
          el("code", "", step.step),
          step.host ? ` on ${step.host}` : "",
        ),
        el("p", "muted words", step.page.target),
        el(
          "p",
          "",
          el("code", "command", `browse confirm ${step.id}`),
          " or ",
          el("code", "command", `browse deny ${step.id}`),
        ),
      ),
      fill: () => {},
    }),
  );
}

/** @param {any[]} handoffs */
export function showHandoffs(handoffs) {
  const asked = handoffs.filter((it) => it.askedBy);
  keyed(
    byId("handoffs"),
    asked,
    (it) => String(it.tab),
    (it) => {
      const reason = el("p", "words");
      const who = it.askedBy === "root" ? "Your agent" : it.askedBy;
      const how = el("p", "", el("code", "command", "browse view"), " shows it to you, with a button to give it back");
      const node = el("li", "", el("p", "", el("strong", "", who), ` gave you tab ${it.tab}`), reason, how);
      return { node, fill: (row) => say(reason, row.page.reason) };
    },
  );
}

/**
 * Show what waits for the person, if anything does; the title counts it.
 * @param {Record<string, any>} facts
 */
export function showWaiting(facts) {
  const count = facts.steps.length + facts.handoffs.filter((/** @type {any} */ it) => it.askedBy).length;
  byId("waiting-part").hidden = !count;
  document.title = count ? `(${count}) browse` : "browse";
}

/** @type {Record<string, string>} */
const KINDS = {
  owner: "unnamed",
  terminal: "a terminal of yours",
  agent: "an agent of yours",
  skill: "a skill",
  paired: "a paired agent",
};

/** @param {any[]} agents */
export function showAgents(agents) {
  keyed(
    byId("agents"),
    agents.map((it) => ({
      key: `${it.session}/${it.name}`,
      name: it.kind === "owner" ? "you, or your agent" : it.name,
      about: `${KINDS[it.kind]}, tab ${it.tab}`,
      after: it.idleSeconds < 5 ? "now" : `${span(it.idleSeconds)} ago`,
    })),
    (row) => row.key,
    line,
    "Nobody uses a tab.",
  );
}

/** A row: a name, what it is, and a word at its end. */
function line() {
  const name = el("strong");
  const about = el("span", "muted words");
  const after = el("span", "muted after");
  return {
    node: el("li", "line", el("div", "", name, " ", about), after),
    fill: (/** @type {any} */ row) => {
      say(name, row.name);
      say(about, row.about);
      say(after, row.after);
    },
  };
}

/**
 * @param {any[]} pairings
 * @param {(client: string) => void} revoke
 */
export function showPairings(pairings, revoke) {
  keyed(
    byId("pairings"),
    pairings,
    (grant) => `${grant.clientId}/${grant.kind}/${grant.createdAt}`,
    (grant) => {
      const shown = line();
      const pressed = button("Revoke", "danger", () => revoke(grant.clientId));
      pressed.setAttribute("aria-label", `Revoke ${grant.clientId}`);
      shown.node.append(pressed);
      const fill = (/** @type {any} */ row) => {
        const where = row.domains.length ? row.domains.join(", ") : "any site";
        const state = row.pending ? "has not connected yet" : `${row.commandCount} commands`;
        shown.fill({ name: row.clientId, about: `${row.scopes.join(", ")}; ${where}; ${state}`, after: "" });
      };
      return { node: shown.node, fill };
    },
    "No agent is paired.",
  );
}

/** @param {any[]} skills */
export function showSkills(skills) {
  const rows = skills.slice(0, MAX_ROWS).map((it) => ({
    key: `${it.tier}/${it.name}`,
    name: it.name,
    about: it.page.description,
    after: it.usable ? it.tier : "cannot be used",
  }));
  keyed(byId("skills"), withRest(rows, skills.length, "browse skill list"), (row) => row.key, line, "No skill yet.");
}

/** @param {any[]} notes */
export function showNotes(notes) {
  const rows = notes.slice(0, MAX_ROWS).map((it) => ({
    key: `${it.scope}/${it.host}`,
    name: it.host,
    about: it.why ?? `used ${it.uses} times`,
    after: it.scope === "global" ? `${it.state}, all projects` : it.state,
  }));
  const shown = withRest(rows, notes.length, "browse domain-skill list");
  keyed(byId("notes"), shown, (row) => row.key, line, "No note yet.");
}

/**
 * @param {any[]} rows
 * @param {number} count
 * @param {string} command
 */
function withRest(rows, count, command) {
  const left = count - rows.length;
  return left > 0 ? [...rows, { key: "rest", name: `${left} more`, about: command, after: "" }] : rows;
}

/** @param {any} facts */
export function showSecurity(facts) {
  const { refused, warned, noted } = facts.outcomes;
  const words = `In the last ${facts.days} days: ${refused} refused, ${warned} passed on with a warning, ${noted} noted.`;
  say(byId("security-about"), words);
  byId("security-chart").replaceChildren(dayChart(facts));
  const classes = colours(facts.byKind);
  keyed(
    byId("security-kinds"),
    facts.byKind,
    (it) => it.name,
    (it) => {
      const count = el("strong");
      const key = el("span", `key ${classes.get(it.name) ?? "kind-other"}`);
      return {
        node: el("li", "", key, `${it.name.replaceAll("_", " ")} `, count),
        fill: (row) => say(count, row.count),
      };
    },
  );
}

/**
 * @param {any} facts
 * @param {(tab: any) => void} close
 */
export function showMemory(facts, close) {
  if (!facts) {
    say(byId("memory-about"), "There is no browser now.");
    keyed(byId("memory"), [], () => "", line);
    return;
  }
  const browser = size(sum(facts.processes));
  say(
    byId("memory-about"),
    `Daemon ${size(facts.daemon.rss)}, driver ${size(facts.driver?.rss)}, Chromium ${browser}.`,
  );
  const top = Math.max(1, ...facts.tabs.map((/** @type {any} */ tab) => tab.used ?? 0));
  const rows = facts.tabs.map((/** @type {any} */ tab) => ({ ...tab, share: (tab.used ?? 0) / top }));
  keyed(
    byId("memory"),
    rows,
    (tab) => String(tab.id),
    (tab) => heap(tab, close),
  );
}

/**
 * @param {any} first
 * @param {(tab: any) => void} close
 */
function heap(first, close) {
  let tab = first;
  const name = el("span", "mono url");
  const used = el("strong");
  const bar = el("div", "fill");
  const pressed = button("Close", "danger", () => close(tab));
  pressed.setAttribute("aria-label", `Close tab ${tab.id}, which uses memory`);
  return {
    node: el("li", "line", el("div", "", el("div", "line", name, used), el("div", "bar", bar)), pressed),
    fill: (/** @type {any} */ row) => {
      tab = row;
      say(name, `${row.id} · ${row.page.url}`);
      say(used, row.used === null ? "does not answer" : size(row.used));
      bar.style.width = `${Math.round(row.share * 100)}%`;
    },
  };
}

/** @param {{ rss: number | null }[]} processes */
function sum(processes) {
  return processes.reduce((total, it) => total + (it.rss ?? 0), 0);
}
