// @ts-check
// The live view: shows the frames of a running tab and passes a person's mouse and keys to it. What
// the page wrote (titles, addresses, dialogs) is only ever shown as text.
import { openSession } from "./session.js";
import { sendFiles } from "./view_files.js";
import { listenToPerson } from "./view_input.js";
import { pointWithNotes } from "./view_notes.js";

const PROTOCOL = "browse-view";
const ALIVE_MS = 2000;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 5000;
const SAID_AFTER = 3;
const SILENT =
  "The daemon does not answer: it has ended, or the network is down. Trying again… If it has ended, type this:";
const ENDED =
  "The daemon was started again since this page was opened: its tabs are new ones. Type this for a new address:";
const NOTICE_MS = 8000;
const MAX_NOTICES = 4;

/** @template {Element} T @param {string} id @param {new () => T} kind @returns {T} */
const part = (id, kind) => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`${id} is missing`);
  return found;
};
const canvas = part("picture", HTMLCanvasElement);
const stage = part("stage", HTMLElement);
const address = part("url", HTMLInputElement);
const context = canvas.getContext("2d");

/** @type {WebSocket | null} */
let socket = null;
let shown = Number(new URLSearchParams(location.search).get("tab")) || 0;
let retries = 0;
let isOver = false;

/** @param {string} type @param {object} [facts] */
const send = (type, facts = {}) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...facts }));
};
const isInControl = () => stage.dataset.control === "you";

/** Frames are drawn one after the other; only when one is drawn, another is asked for. */
let drawing = Promise.resolve();
/** @param {ArrayBuffer} data */
const draw = async (data) => {
  const number = new DataView(data).getUint32(0);
  try {
    const image = await createImageBitmap(new Blob([new Uint8Array(data, 4)], { type: "image/jpeg" }));
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width;
      canvas.height = image.height;
    }
    context?.drawImage(image, 0, 0);
    image.close();
    part("waiting", HTMLElement).hidden = true;
  } finally {
    send("drawn", { frame: number });
    document.dispatchEvent(new CustomEvent("frame", { detail: number }));
  }
};

/** @param {string} words @param {string} [page] what the page wrote */
const notice = (words, page = "") => {
  const line = document.createElement("p");
  line.append(words);
  if (page) {
    const quote = document.createElement("q");
    quote.textContent = page;
    line.append(" ", quote);
  }
  const log = part("notices", HTMLElement);
  log.append(line);
  while (log.childElementCount > MAX_NOTICES) log.firstElementChild?.remove();
  setTimeout(() => line.remove(), NOTICE_MS);
};

const WHO = {
  agent: "The agent has control",
  you: "You have control",
  other: "Another viewer has control",
  open: "Nobody has control",
};

/** @typedef {{id: number, title: string, url: string, session: string, held: boolean, waits: boolean}} TabRow */
/**
 * @typedef {{tabs: TabRow[], shown: number, control: keyof typeof WHO, asked: boolean, reason: string,
 *   viewers: number, crashed: boolean, notes: import("./view_notes.js").LeftNote[]}} State
 */

/** @param {State} state */
const onState = (state) => {
  const now = state.tabs.find((tab) => tab.id === state.shown);
  const had = stage.dataset.control;
  shown = state.shown;
  stage.dataset.control = state.control;
  const isYours = state.control === "you";
  const others = state.viewers > 1 ? ` · ${state.viewers} viewers` : "";
  const who = part("who", HTMLElement);
  if (who.textContent !== WHO[state.control] + others) who.textContent = WHO[state.control] + others;
  who.classList.toggle("plain", !isYours);
  part("take", HTMLElement).hidden = isYours;
  part("giving", HTMLElement).hidden = !isYours;
  part("asked", HTMLElement).hidden = !(state.asked && state.reason);
  part("reason", HTMLElement).textContent = state.reason;
  for (const id of ["back", "forward", "reload"]) part(id, HTMLButtonElement).disabled = !isYours;
  address.disabled = part("keys", HTMLTextAreaElement).disabled = !isYours;
  if (document.activeElement !== address) address.value = now?.url ?? "";
  const label = `Picture of the page${now?.title ? `: ${now.title}` : ""}`;
  canvas.setAttribute("aria-label", label);
  document.title = `${now?.title || "Live view"} · browse`;
  showTabs(state.tabs);
  notes.show(state.notes);
  if (state.crashed) notice("This page has crashed. Reload brings it back.");
  if (isYours && had !== "you") part("keys", HTMLTextAreaElement).focus({ preventScroll: true });
};

/** @type {Set<number>} the tabs that an agent handed over, and that nobody has yet */
let waiting = new Set();

/** @param {TabRow[]} tabs */
const showTabs = (tabs) => {
  const now = new Set(tabs.filter((tab) => tab.waits).map((tab) => tab.id));
  for (const id of now) if (id !== shown && !waiting.has(id)) notice(`The agent asks for your help in tab ${id}.`);
  waiting = now;
  const list = part("tabs", HTMLUListElement);
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.tab : undefined;
  list.replaceChildren(
    ...tabs.map((tab) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.tab = String(tab.id);
      button.textContent = `${tab.session ? `${tab.session} ` : ""}${tab.id} ${tab.title || tab.url || "blank"}`;
      button.title = tab.url;
      button.classList.toggle("held", tab.held);
      button.setAttribute("aria-current", String(tab.id === shown));
      button.addEventListener("click", () => send("show", { tab: tab.id }));
      item.append(button);
      return item;
    }),
  );
  if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-tab="${focused}"]`))?.focus();
};

/** @param {{dialog: number, kind: string, message: string, suggested: string}} asked */
const onDialog = (asked) => {
  const dialog = part("dialog", HTMLDialogElement);
  const text = part("dialog-text", HTMLInputElement);
  part("dialog-words", HTMLElement).textContent = asked.message;
  part("dialog-no", HTMLElement).hidden = asked.kind === "alert";
  text.hidden = part("dialog-label", HTMLElement).hidden = asked.kind !== "prompt";
  text.value = asked.suggested;
  dialog.dataset.number = String(asked.dialog);
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
};

/** @type {Record<string, (message: any) => void>} */
const HEAR = {
  state: onState,
  dialog: onDialog,
  answered: () => part("dialog", HTMLDialogElement).close(),
  notice: ({ text, hint, page }) => notice(`${text} ${hint}`, page),
  download: ({ page }) => notice("A download started:", page),
  chooser: (asked) => files.ask(asked),
  part: ({ ask }) => files.more(ask),
  chosen: ({ files: count }) => notice(count === 1 ? "The page has the file." : `The page has ${count} files.`),
  unasked: () => files.forget(),
  noted: ({ id, ref }) => {
    notice(`Note ${id} is in the agent's inbox${ref ? `, at ${ref}` : ""}.`);
    notes.left(id);
  },
  full: () => {
    isOver = true;
    lose("Too many viewers are looking. Close one of them and load this page again.");
  },
};

const COMMAND = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname)
  ? "browse view"
  : "browse view --tunnel";

/** Without a connection nothing can be pressed. @param {boolean} isLost */
const setInert = (isLost) => {
  for (const id of ["bar", "noting", "giving"]) part(id, HTMLElement).inert = isLost;
};

/** @param {string} words @param {boolean} [isEnd] whether only a new address helps */
const lose = (words, isEnd = false) => {
  const why = part("why", HTMLElement);
  if (why.textContent !== words) why.textContent = words;
  part("again", HTMLElement).hidden = !isEnd;
  part("command", HTMLElement).textContent = COMMAND;
  part("copy", HTMLElement).hidden = !navigator.clipboard;
  part("lost", HTMLElement).hidden = false;
  setInert(true);
  stage.dataset.control = "agent";
  if (part("dialog", HTMLDialogElement).open) part("dialog", HTMLDialogElement).close();
  files.forget();
};

/** Connect when the daemon can be reached again; the ticket is good as long as that daemon lives. @param {string} ticket */
const retry = async (ticket) => {
  const isThere = await fetch("/view", { method: "GET", cache: "no-store" }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (isThere) connect(ticket);
  else waitAndRetry(ticket);
};

/** @param {string} ticket */
const waitAndRetry = (ticket) => {
  retries += 1;
  if (retries > SAID_AFTER) lose(SILENT, true);
  else lose("The connection is gone. Trying again…");
  setTimeout(() => retry(ticket), Math.min(RETRY_MS * retries, MAX_RETRY_MS));
};

/** @param {string} ticket */
const connect = (ticket) => {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const made = new WebSocket(`${scheme}//${location.host}/view-socket?tab=${shown}`, `${PROTOCOL}.${ticket}`);
  let wasOpen = false;
  socket = made;
  made.binaryType = "arraybuffer";
  made.addEventListener("open", () => {
    wasOpen = true;
    retries = 0;
    part("lost", HTMLElement).hidden = true;
    setInert(false);
    if (document.hidden) send("hide", { hidden: true });
  });
  made.addEventListener("message", ({ data }) => {
    if (data instanceof ArrayBuffer) drawing = drawing.then(() => draw(data)).catch(() => {});
    else {
      const message = JSON.parse(data);
      if (Object.hasOwn(HEAR, message.type)) HEAR[message.type](message);
    }
  });
  made.addEventListener("close", () => {
    if (isOver) return;
    if (wasOpen || retries < 1) waitAndRetry(ticket);
    else lose(ENDED, true);
  });
};

const start = async () => {
  const session = await openSession("view").catch((/** @type {import("./session.js").Refused} */ error) => {
    lose(error.message, true);
    return null;
  });
  if (!session) {
    if (part("lost", HTMLElement).hidden)
      lose("This page opens with an address of its own. Type this to get one:", true);
    return;
  }
  connect(session.ticket);
  setInterval(() => send("alive"), ALIVE_MS);
};

part("take", HTMLElement).addEventListener("click", () => send("take"));
part("copy", HTMLElement).addEventListener("click", async () => {
  await navigator.clipboard.writeText(COMMAND);
  part("copy", HTMLElement).textContent = "Copied";
});
for (const to of ["back", "forward", "reload"])
  part(to, HTMLElement).addEventListener("click", () => send("travel", { to }));
part("address", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  send("go", { url: address.value });
  part("keys", HTMLTextAreaElement).focus({ preventScroll: true });
});
part("give", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const message = part("message", HTMLInputElement);
  send("give", { message: message.value });
  message.value = "";
  notice("The agent has the page again.");
  part("take", HTMLElement).focus();
});
part("dialog", HTMLDialogElement).addEventListener("close", () => {
  const dialog = part("dialog", HTMLDialogElement);
  const accept = dialog.returnValue === "yes";
  send("answer", { dialog: Number(dialog.dataset.number), accept, text: part("dialog-text", HTMLInputElement).value });
  part("keys", HTMLTextAreaElement).focus({ preventScroll: true });
});
document.addEventListener("visibilitychange", () => send("hide", { hidden: document.hidden }));
addEventListener("pagehide", () => {
  isOver = true;
});
const files = sendFiles({ part, send, notice });
const notes = pointWithNotes({ canvas, stage, send, part, notice });
listenToPerson({
  canvas,
  keys: part("keys", HTMLTextAreaElement),
  isInControl,
  isPointing: notes.isPointing,
  send,
  part,
});
start();
