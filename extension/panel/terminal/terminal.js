// @ts-check
/** The pane with the terminal: the screen (xterm.js), what it says about itself, and its buttons. */

import { put, scan } from "./scanned_text.js";
import { TerminalSession } from "./session.js";

/** @typedef {import("./session.js").Daemon & Partial<EventTarget> & {state?: string}} Daemon */

// They are not part of this project: `tools/xterm.py` gets them from npm.
const XTERM = "../../vendor/xterm/xterm.mjs";
const FIT = "../../vendor/xterm/addon-fit.mjs";
const KEPT = "terminal-session";
const SCREEN_READER = "terminal-screen-reader";
const SCROLLBACK_LINES = 5_000;
// The key that leaves the terminal, which takes all others.
const LEAVE_KEY = "F6";

/** @type {Record<import("./session.js").State, string>} */
const WORDS = {
  IDLE: "Waiting for the daemon.",
  CONNECTING: "Starting the terminal…",
  LIVE: "",
  NO_AGENT: "",
  RECONNECTING: "The connection is lost. Trying to come back…",
  ENDED: "",
};

/**
 * Show the terminal of a daemon in an element. `inject` puts a text into it after a scan, and tells whether it did.
 * @param {HTMLElement} root @param {Daemon} daemon
 */
export const mountTerminal = async (root, daemon) => {
  const page = build(root);
  const screen = await openScreen(page);
  if (!screen) return {};
  const session = new TerminalSession(daemon, memory());
  wire(session, screen, page);
  const begin = () => {
    if (daemon.port && (daemon.state ?? "connected") === "connected" && session.state === "IDLE")
      void session.connect();
  };
  daemon.addEventListener?.("state", begin);
  begin();
  page.again.addEventListener("click", () => void session.connect());
  return {
    session,
    restart: async () => {
      await session.restart();
      screen.terminal.focus();
    },
    /** @param {string} text @param {string} [origin] @returns {Promise<boolean>} */
    inject: async (text, origin = "") => {
      if (!session.isOpen) return false;
      const scanned = await scan(text, () => session.scan(text, origin), person(page));
      if (!scanned || !session.isOpen) return false;
      put(screen.terminal, scanned);
      screen.terminal.focus();
      return true;
    },
  };
};

/** @typedef {ReturnType<typeof build>} Page */

/** @param {HTMLElement} root */
const build = (root) => {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("terminal.css", import.meta.url).href;
  const box = make("div", "terminal-pane");
  const notice = make("div", "terminal-notice");
  notice.setAttribute("role", "status");
  const words = make("p");
  const again = /** @type {HTMLButtonElement} */ (make("button"));
  again.type = "button";
  const dismiss = /** @type {HTMLButtonElement} */ (make("button", "", "Close"));
  dismiss.type = "button";
  notice.append(words, again, dismiss);
  const shown = make("div", "terminal-screen");
  const question = /** @type {HTMLDialogElement} */ (make("dialog", "terminal-question"));
  const foot = make("p", "terminal-foot", `${LEAVE_KEY} leaves the terminal. `);
  const reader = /** @type {HTMLButtonElement} */ (make("button", "", "Screen reader"));
  reader.type = "button";
  foot.append(reader);
  box.append(notice, shown, foot, question);
  root.replaceChildren(style, box);
  dismiss.addEventListener("click", () => {
    notice.hidden = true;
  });
  return { root, box, notice, words, again, dismiss, shown, question, reader };
};

/** @param {string} tag @param {string} [name] @param {string} [text] */
const make = (tag, name = "", text = "") => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
};

/** Open the screen; null if it is not installed, which is said. @param {Page} page */
const openScreen = async (page) => {
  /** @type {any} */
  let terminal;
  /** @type {any} */
  let fit;
  try {
    const [{ Terminal }, { FitAddon }] = await Promise.all([import(XTERM), import(FIT)]);
    const reads = localStorage.getItem(SCREEN_READER) === "on";
    terminal = new Terminal({
      fontSize: 13,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: 4.5,
      screenReaderMode: reads,
    });
    fit = new FitAddon();
  } catch (error) {
    console.warn("xterm.js could not be loaded", error);
    tell(page, "The terminal's display is not installed (xterm.js). In the checkout of browse, with npm: ");
    page.words.append(make("code", "", "python3 tools/xterm.py"), ", then reload the extension.");
    page.box.dataset.state = "MISSING";
    return null;
  }
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("../../vendor/xterm/xterm.css", import.meta.url).href;
  const styled = new Promise((resolve) => {
    style.onload = style.onerror = resolve;
  });
  page.root.prepend(style);
  await styled;
  terminal.loadAddon(fit);
  terminal.open(page.shown);
  paint(terminal, page.shown);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(terminal, page.shown));
  new ResizeObserver(() => page.shown.clientWidth && fit.fit()).observe(page.shown);
  return { terminal, fit };
};

/** Take the colours of the panel. @param {any} terminal @param {HTMLElement} beside */
const paint = (terminal, beside) => {
  const { backgroundColor, color } = getComputedStyle(beside);
  const selection = { selectionBackground: color, selectionForeground: backgroundColor };
  terminal.options.theme = { background: backgroundColor, foreground: color, cursor: color, ...selection };
};

/** @param {TerminalSession} session @param {{terminal: any, fit: any}} screen @param {Page} page */
const wire = (session, { terminal, fit }, page) => {
  const encoder = new TextEncoder();
  terminal.onData((/** @type {string} */ typed) => session.type(encoder.encode(typed)));
  terminal.onBinary((/** @type {string} */ typed) => session.type(Uint8Array.from(typed, (it) => it.charCodeAt(0))));
  terminal.onResize((/** @type {{cols: number, rows: number}} */ { cols, rows }) => session.resize(cols, rows));
  terminal.attachCustomKeyEventHandler((/** @type {KeyboardEvent} */ event) => stays(event, terminal, page));
  session.addEventListener("output", (event) => {
    const { detail } = /** @type {CustomEvent<Uint8Array>} */ (event);
    terminal.write(detail, () => session.shown(detail.length));
  });
  session.addEventListener("reset", () => terminal.reset());
  session.addEventListener("state", () => {
    draw(session, page);
    if (session.state === "CONNECTING") terminal.reset();
  });
  draw(session, page);
  if (page.shown.clientWidth) fit.fit();
  session.size = { cols: terminal.cols, rows: terminal.rows };
  followTabs(session);
  const reader = () => page.reader.setAttribute("aria-pressed", String(Boolean(terminal.options.screenReaderMode)));
  page.reader.addEventListener("click", () => {
    terminal.options.screenReaderMode = !terminal.options.screenReaderMode;
    localStorage.setItem(SCREEN_READER, terminal.options.screenReaderMode ? "on" : "off");
    reader();
  });
  reader();
};

/** Whether a key is the terminal's. @param {KeyboardEvent} event @param {any} terminal @param {Page} page */
const stays = (event, terminal, page) => {
  if (event.key !== LEAVE_KEY || event.ctrlKey || event.altKey || event.metaKey) return true;
  if (event.type === "keydown") {
    terminal.blur();
    page.reader.focus();
    event.preventDefault();
  }
  return false;
};

/** @param {TerminalSession} session @param {Page} page */
const draw = (session, page) => {
  const { state } = session;
  page.box.dataset.state = state;
  page.again.hidden = state !== "ENDED";
  page.again.textContent = session.words.includes("another panel") ? "Use it here" : "Start again";
  page.dismiss.hidden = state !== "NO_AGENT";
  tell(page, WORDS[state] || (state === "LIVE" ? "" : firstLine(session.words)));
};

/** @param {string} words */
const firstLine = (words) => words.split("\n")[0].replace(/^browse: (.)/, (_, first) => first.toUpperCase());

/** @param {Page} page @param {string} words */
const tell = (page, words) => {
  page.words.textContent = words;
  page.notice.hidden = !words;
};

/** The person before the pane, who is asked and told. @param {Page} page @returns {import("./scanned_text.js").Person} */
const person = (page) => ({
  agrees: (text, reasons) => {
    const { question } = page;
    const yes = /** @type {HTMLButtonElement} */ (make("button", "", "Put it in"));
    const no = /** @type {HTMLButtonElement} */ (make("button", "", "Drop it"));
    const title = make("h2", "", "Put this text into the terminal?");
    title.id = "terminal-question-title";
    question.setAttribute("aria-labelledby", title.id);
    const why = make("p", "", `It looks suspicious: ${reasons.join("; ") || "no reason was given"}.`);
    question.replaceChildren(title, why, make("pre", "", text), no, yes);
    return new Promise((resolve) => {
      yes.addEventListener("click", () => question.close("yes"));
      no.addEventListener("click", () => question.close("no"));
      question.addEventListener("close", () => resolve(question.returnValue === "yes"), { once: true });
      question.returnValue = "";
      question.showModal();
      no.focus();
    });
  },
  hears: (reasons) => tell(page, `A text was not put into the terminal: ${reasons.join("; ")}.`),
});

/** Where the terminal's name is kept while the browser runs. @returns {import("./session.js").Memory} */
const memory = () => {
  const session = globalThis.chrome?.storage?.session;
  if (!session)
    return {
      get: async () => sessionStorage.getItem(KEPT) ?? "",
      set: async (name) => sessionStorage.setItem(KEPT, name),
    };
  return {
    get: async () => String((await session.get(KEPT))[KEPT] ?? ""),
    set: (name) => session.set({ [KEPT]: name }),
  };
};

/** Tell the daemon when the person looks at another tab. @param {TerminalSession} session */
const followTabs = (session) => {
  const tabs = globalThis.chrome?.tabs;
  tabs?.onActivated?.addListener(() => session.tabsChanged("activated"));
  tabs?.onRemoved?.addListener(() => session.tabsChanged("removed"));
  tabs?.onUpdated?.addListener((_, change) => {
    if (change.status === "complete") session.tabsChanged("updated");
  });
};
