// @ts-check
/** Lets the daemon use the shared tabs, over a WebSocket, from the person's consent until they end it. */

import * as connections from "../shared/connection.js";
import * as sharing from "../shared/sharing.js";
import { DebuggedTabs } from "./debugged.js";

const PROTOCOL = "browse-tabs";
// A worker that is silent for longer is ended.
const PING_MS = 20_000;
const OPERATIONS = Object.freeze(["open", "close", "activate", "send"]);

/** @typedef {Record<string, any>} Facts */

/** @type {WebSocket | null} */
let socket = null;
/** The connection that the person has ended. @type {WebSocket | null} */
let ended = null;

/** @param {unknown} error */
const reason = (error) => {
  const text = error instanceof Error ? error.message : String(error);
  try {
    return String(JSON.parse(text).message); // of the protocol
  } catch {
    return text;
  }
};

/** Connect if the person has agreed, and the daemon is known. */
const begin = async () => {
  const [{ shares }, known] = [await sharing.read(), await connections.read()];
  if (!shares || !known || known.launched || socket) return;
  const own = new WebSocket(`ws://127.0.0.1:${known.port}/tabs`, `${PROTOCOL}.${known.ticket}`);
  socket = own;
  /** @param {Facts} said */
  const say = (said) => {
    if (own.readyState === WebSocket.OPEN) own.send(JSON.stringify(said));
    if (said.event === "attached" || said.event === "detached") void sharing.change({ tabs: tabs.count });
  };
  const tabs = new DebuggedTabs(say, () => void sharing.change({ shares: false, problem: "" }));
  const pinging = setInterval(() => say({ event: "ping" }), PING_MS);
  own.onopen = async () => {
    say({ event: "hello", agent: navigator.userAgent });
    await tabs.begin();
    say({ event: "ready" });
    await sharing.change({ problem: "" });
  };
  own.onmessage = async ({ data }) => {
    const { id, op, ...asked } = JSON.parse(data);
    try {
      if (!OPERATIONS.includes(op)) throw new Error("unknown operation");
      const act = /** @type {"open" | "close" | "activate" | "send"} */ (op);
      say({ id, result: (await tabs[act](asked)) ?? {} });
    } catch (error) {
      say({ id, error: reason(error) });
    }
  };
  own.onclose = async ({ reason: why }) => {
    clearInterval(pinging);
    await tabs.end(own !== ended);
    const problem = own === ended ? "" : why || "The daemon has ended the connection.";
    await sharing.change({ tabs: 0, problem });
    if (socket === own) socket = null;
    if (own === ended) await begin(); // they may have agreed anew meanwhile
  };
};

sharing.onChange((now, before) => {
  if (now.shares && !before.shares) void begin();
  if (now.shares || !before.shares) return;
  ended = socket;
  socket?.close();
});
connections.onChange(() => void begin());
void begin();
