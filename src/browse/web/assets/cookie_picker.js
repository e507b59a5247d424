// @ts-check
// The cookie picker: browsers, profiles and domains on the left, what was imported on the right.
// It knows domains and counts. Values of cookies never reach it.
import { button, byId, el, keyed, say } from "./dom.js";
import { banner, explained } from "./messages.js";
import { openSession, Refused } from "./session.js";

// So many domains are imported at a time, so that the bar moves.
const AT_ONCE = 25;
const AGAIN = "Type `browse cookie-import-browser` in a terminal: it prints a new address.";

/** @typedef {{ domain: string, count: number }} Counted */
/** @typedef {{ name: string, domain: string, why: string }} RefusedCookie */

const asked = new URLSearchParams(location.search);
const target = asked.get("session") ?? "";
let browser = "";
let profile = "";
/** What was pressed last: the next thing that is pressed waits for it. */
let last = Promise.resolve();
/** @type {Counted[]} */
let theirs = [];
/** @type {Counted[]} */
let ours = [];

/** @param {import("./session.js").Session} session */
async function run(session) {
  /** @param {string} name */
  async function chooseBrowser(name) {
    browser = name;
    press(byId("browsers"), name);
    const found = await session.get(`/cookie-picker/profiles?${new URLSearchParams({ browser })}`);
    pills(byId("profiles"), found.profiles, "folder", (folder) => attempt(() => chooseProfile(folder)));
    const folders = found.profiles.map((/** @type {any} */ it) => it.folder);
    await chooseProfile(folders.includes(asked.get("profile")) ? asked.get("profile") : (folders[0] ?? ""));
  }

  /** @param {string} folder */
  async function chooseProfile(folder) {
    profile = folder;
    press(byId("profiles"), folder);
    theirs = [];
    show();
    const found = await session.get(`/cookie-picker/domains?${new URLSearchParams({ browser, profile })}`);
    theirs = found.page.domains;
    show();
  }

  async function readOurs() {
    const found = await session.get(`/cookie-picker/imported?${new URLSearchParams({ session: target })}`);
    ours = found.page.domains;
    show();
  }

  /**
   * Import some domains, a few at a time.
   * @param {{ browser: string, profile: string }} from
   * @param {string[]} domains
   */
  async function take(from, domains) {
    const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
    /** @type {RefusedCookie[]} */
    const refused = [];
    /** @type {unknown} */
    let problem = null;
    let count = 0;
    bar.max = domains.length;
    byId("progress").hidden = false;
    for (let at = 0; at < domains.length; at += AT_ONCE) {
      bar.value = at;
      say(byId("said"), `Importing ${at + 1} of ${domains.length} …`);
      try {
        const done = await takeSome(from, domains.slice(at, at + AT_ONCE));
        count += done.cookies;
        refused.push(...done.page.refused);
      } catch (failure) {
        problem = failure;
        if (!(failure instanceof Refused) || failure.reason !== "no_cookies") break;
      }
    }
    byId("progress").hidden = true;
    say(byId("said"), `${cookies(count)} imported.`);
    showRefused(refused);
    await readOurs();
    if (problem) throw problem;
  }

  /**
   * @param {{ browser: string, profile: string }} from
   * @param {string[]} domains
   */
  function takeSome(from, domains) {
    return session.post("/cookie-picker/import", { ...from, domains, session: target });
  }

  /** @param {string} domain */
  async function remove(domain) {
    const done = await session.post("/cookie-picker/remove", { domains: [domain], session: target });
    say(byId("said"), `${cookies(done.removed)} removed.`);
    await readOurs();
    byId("ours").focus();
  }

  function show() {
    const words = /** @type {HTMLInputElement} */ (byId("search")).value.trim().toLowerCase();
    const shown = theirs.filter((row) => row.domain.includes(words));
    const from = { browser, profile };
    const mine = new Set(ours.map((row) => row.domain));
    keyed(
      byId("theirs"),
      shown,
      (row) => row.domain,
      (row) => line(row, "+", `Import ${row.domain}`, () => attempt(() => take(from, [row.domain]))),
      theirs.length ? "No domain has these letters." : "There are no cookies in this profile.",
    );
    for (const item of byId("theirs").children) {
      item.classList.toggle("there", mine.has(item.getAttribute("data-domain") ?? ""));
    }
    keyed(
      byId("ours"),
      ours,
      (row) => row.domain,
      (row) => line(row, "Remove", `Remove ${row.domain}`, () => attempt(() => remove(row.domain)), "danger"),
      "Nothing was imported yet.",
    );
    say(byId("theirs-count"), total(shown));
    say(byId("ours-count"), total(ours));
    const all = /** @type {HTMLButtonElement} */ (byId("import-all"));
    say(all, words ? `Import ${shown.length} found` : "Import all");
    all.disabled = !shown.length;
    all.onclick = () =>
      attempt(() =>
        take(
          from,
          shown.map((row) => row.domain),
        ),
      );
  }

  byId("search").addEventListener("input", show);
  const here = await session.get("/cookie-picker/browsers");
  pills(byId("browsers"), here.browsers, "name", (name) => attempt(() => chooseBrowser(name)));
  await readOurs();
  const names = here.browsers.map((/** @type {any} */ it) => it.name);
  const first = names.includes(asked.get("browser")) ? asked.get("browser") : names[0];
  byId("board").hidden = false;
  say(byId("session"), `session ${target}`);
  byId("session").hidden = !target;
  if (first) await chooseBrowser(first);
  else banner(byId("banner"), "No browser with cookies was found on this machine.");
}

/**
 * Do one thing after the other, and say what went wrong.
 * @param {() => Promise<void>} work
 */
function attempt(work) {
  last = last.then(() => doNow(work));
}

/** @param {() => Promise<void>} work */
async function doNow(work) {
  document.body.setAttribute("aria-busy", "true");
  banner(byId("banner"), "");
  try {
    await work();
  } catch (problem) {
    failed(problem);
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

/** @param {unknown} problem */
function failed(problem) {
  const gone = problem instanceof Refused && problem.status === 401;
  banner(byId("banner"), gone ? `This page was opened too long ago. ${AGAIN}` : explained(problem), "bad");
}

/**
 * Show a pill for each thing that can be chosen.
 * @param {HTMLElement} place
 * @param {any[]} rows
 * @param {string} key
 * @param {(chosen: string) => void} choose
 */
function pills(place, rows, key, choose) {
  place.replaceChildren(
    ...rows.map((row) => {
      const pill = button(row.title, "", () => choose(row[key]));
      pill.dataset.key = row[key];
      if (row[key] !== row.title) pill.title = row[key];
      return pill;
    }),
  );
}

/**
 * @param {HTMLElement} place
 * @param {string} key
 */
function press(place, key) {
  for (const pill of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("button"))) {
    pill.setAttribute("aria-pressed", String(pill.dataset.key === key));
  }
}

/**
 * @param {Counted} row
 * @param {string} label
 * @param {string} about
 * @param {() => void} pressed
 * @param {string} [name]
 */
function line(row, label, about, pressed, name = "") {
  const count = el("span", "muted");
  const act = button(label, name, pressed);
  act.setAttribute("aria-label", about);
  const node = el("li", "", el("span", "domain mono", row.domain), count, act);
  node.dataset.domain = row.domain;
  return { node, fill: (/** @type {Counted} */ now) => say(count, String(now.count)) };
}

/** @param {RefusedCookie[]} rows */
function showRefused(rows) {
  byId("refused-part").hidden = !rows.length;
  say(byId("refused-title"), `${cookies(rows.length)} did not come`);
  byId("refused").replaceChildren(
    ...rows.map((it) => el("li", "", el("span", "mono", `${it.name} of ${it.domain}`), `: ${it.why}`)),
  );
}

/** @param {Counted[]} rows */
function total(rows) {
  return `${rows.length} domains, ${cookies(rows.reduce((sum, row) => sum + row.count, 0))}`;
}

/** @param {number} count */
function cookies(count) {
  return count === 1 ? "1 cookie" : `${count} cookies`;
}

openSession("cookie-picker").then(
  (session) => {
    if (session) run(session).catch(failed);
    else banner(byId("banner"), `This page shows nothing without its address. ${AGAIN}`, "bad");
  },
  (problem) => {
    const words = problem instanceof Refused ? problem.message : "The daemon does not answer.";
    banner(byId("banner"), `${words} ${AGAIN}`, "bad");
  },
);
