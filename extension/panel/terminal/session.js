// @ts-check
/** The terminal's session at the daemon: its WebSocket, and coming back when that is lost. No part of the page. */

/**
 * @typedef {"IDLE" | "CONNECTING" | "LIVE" | "NO_AGENT" | "RECONNECTING" | "ENDED"} State
 * @typedef {{port: number, ticket: string}} Daemon
 * @typedef {{name: string, agent: boolean, notice: string}} Program
 * @typedef {{terminalPort: number, sessionId: string, attachToken: string, program: Program}} Grant
 * @typedef {{get(): Promise<string>, set(name: string): Promise<void>}} Memory
 * @typedef {object} World what is taken from the browser, so that tests can give something else
 * @property {typeof fetch} fetch
 * @property {(address: string, protocol: string) => WebSocket} open
 * @property {(ms: number) => Promise<void>} wait
 * @property {() => number} now
 */

export const BACK_OFF_MS = [1_000, 2_000, 4_000, 8_000];
export const GIVE_UP_MS = 60_000;
// The daemon takes no longer message, and one that is pasted may be longer.
export const PIECE_BYTES = 64 * 1024;
// So often is the daemon told what was shown; it sends 256 KiB ahead.
export const SHOWN_BYTES = 16 * 1024;

const EXITED = 1000;
/** What a code with which the daemon closes means, where coming back is of no use. @type {Record<number, string>} */
const ENDS = {
  4001: "The terminal was closed.",
  4002: "The terminal was opened in another panel.",
  4003: "Nobody used the terminal, so it was closed.",
  4004: "The daemon does not know this terminal.",
  4404: "The program could not be started.",
};

/** What the daemon answered instead of a grant. */
export class Refusal extends Error {
  /** @param {number} status @param {string} words */
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

/** @type {World} */
const BROWSER = {
  fetch: (...words) => fetch(...words),
  open: (address, protocol) => new WebSocket(address, protocol),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => performance.now(),
};

/** Dispatches `state`, `output` (whose `detail` is bytes) and `reset` before what was printed earlier comes again. */
export class TerminalSession extends EventTarget {
  /** @type {State} */
  state = "IDLE";
  /** Why it has ended, or how the program was chosen. */
  words = "";
  size = { cols: 80, rows: 24 };
  #name = "";
  /** @type {WebSocket | null} */
  #socket = null;
  #shown = 0;
  /** @type {Program | null} */
  #program = null;
  /** @type {{code: number | null} | null} */
  #exit = null;
  #attempt = 0;

  /** @param {Daemon} daemon @param {Memory} memory @param {World} [world] */
  constructor(daemon, memory, world = BROWSER) {
    super();
    this.daemon = daemon;
    this.memory = memory;
    this.world = world;
  }

  get isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** Come to the terminal of this browser, or get a new one; nothing if it is there already. */
  async connect() {
    if (!["IDLE", "ENDED"].includes(this.state) || !this.daemon.port) return;
    const attempt = this.#begin();
    this.#change("CONNECTING");
    await this.#try(attempt, async () => {
      this.#name ||= await this.memory.get();
      return (this.#name && (await this.#back())) || (await this.#ask("/pty-session"));
    });
  }

  /** End what runs, and start again. */
  async restart() {
    const attempt = this.#begin();
    this.#change("CONNECTING");
    await this.#try(attempt, () => this.#ask("/pty-restart", { sessionId: this.#name }));
  }

  /** Type what the person typed. @param {Uint8Array} bytes */
  type(bytes) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#send(bytes.slice(at, at + PIECE_BYTES));
  }

  /** @param {number} cols @param {number} rows */
  resize(cols, rows) {
    this.size = { cols, rows };
    this.#say({ type: "resize", cols, rows });
  }

  /** Say that so many more bytes are on the screen. @param {number} count */
  shown(count) {
    this.#shown += count;
    if (this.#shown < SHOWN_BYTES) return;
    this.#say({ type: "ack", bytes: this.#shown });
    this.#shown = 0;
  }

  /** Say that the person sees another tab or page. @param {string} reason */
  tabsChanged(reason) {
    this.#say({ type: "tabState", reason });
  }

  /** Have a text scanned. @param {string} text @param {string} origin */
  scan(text, origin) {
    return this.#ask("/pty-inject-scan", { text, origin });
  }

  /** Leave the terminal running. */
  leave() {
    this.#begin();
    this.#change("IDLE");
  }

  /** Let go of what is under way; what still comes of it is ignored. */
  #begin() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#exit = null;
    return ++this.#attempt;
  }

  /** @param {number} attempt @param {() => Promise<Grant>} grant */
  async #try(attempt, grant) {
    try {
      const granted = await grant();
      if (attempt === this.#attempt) await this.#attach(attempt, granted);
    } catch (error) {
      if (attempt === this.#attempt) this.#end(error instanceof Error ? error.message : String(error));
    }
  }

  /** @returns {Promise<Grant | null>} null if it is gone */
  async #back() {
    try {
      return await this.#ask("/pty-session/reattach", { sessionId: this.#name });
    } catch (error) {
      if (error instanceof Refusal && error.status === 410) return null;
      throw error;
    }
  }

  /** @param {number} attempt @param {Grant} grant */
  async #attach(attempt, grant) {
    this.#name = grant.sessionId;
    this.#program = grant.program;
    await this.memory.set(grant.sessionId);
    if (attempt !== this.#attempt) return;
    const { open } = this.world;
    const socket = open(`ws://127.0.0.1:${this.daemon.port}/ws`, `gstack-pty.${grant.attachToken}`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => socket === this.#socket && this.#hear(event.data);
    socket.onclose = (event) => socket === this.#socket && void this.#closed(attempt, event);
  }

  /** @param {WebSocket} socket */
  #opened(socket) {
    if (socket !== this.#socket) return;
    this.#shown = 0;
    this.#say({ type: "ack", bytes: 0 }); // from the start it is told what was shown
    this.#say({ type: "start", ...this.size });
    this.words = this.#program?.notice ?? "";
    this.#change(this.#program?.agent ? "LIVE" : "NO_AGENT");
  }

  /** @param {ArrayBuffer | string} data */
  #hear(data) {
    if (typeof data !== "string") {
      this.dispatchEvent(new CustomEvent("output", { detail: new Uint8Array(data) }));
      return;
    }
    const said = JSON.parse(data);
    if (said.type === "ping") this.#say({ type: "pong" });
    if (said.type === "reattach-begin") this.dispatchEvent(new Event("reset"));
    if (said.type === "exit") this.#exit = { code: said.code };
  }

  /** @param {number} attempt @param {CloseEvent} event */
  async #closed(attempt, { code }) {
    this.#socket = null;
    if (code === EXITED && this.#exit) return this.#end(exitWords(this.#exit.code), { forget: true });
    if (ENDS[code]) return this.#end(ENDS[code], { forget: code !== 4002 });
    await this.#comeBack(attempt);
  }

  /** Try to come back, later each time, until it is given up. @param {number} attempt */
  async #comeBack(attempt) {
    this.#change("RECONNECTING");
    const until = this.world.now() + GIVE_UP_MS;
    for (let round = 0; this.world.now() < until; round++) {
      await this.world.wait(BACK_OFF_MS[Math.min(round, BACK_OFF_MS.length - 1)]);
      if (attempt !== this.#attempt) return;
      try {
        const granted = await this.#back();
        if (attempt !== this.#attempt) return;
        if (!granted) return this.#end("The terminal ended while the connection was lost.", { forget: true });
        return await this.#attach(attempt, granted);
      } catch (error) {
        if (error instanceof Refusal && error.status === 401)
          return this.#end("The daemon was started anew, and the terminal ended with the old one.", { forget: true });
      }
    }
    this.#end("The connection to the daemon is lost.");
  }

  /** @param {string} words */
  #end(words, { forget = false } = {}) {
    if (forget) {
      this.#name = "";
      void this.memory.set("");
    }
    this.words = words;
    this.#change("ENDED");
  }

  /** @param {State} state */
  #change(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  /** @param {object} word */
  #say(word) {
    this.#send(JSON.stringify(word));
  }

  /** @param {string | Uint8Array<ArrayBuffer>} data */
  #send(data) {
    if (this.isOpen) this.#socket?.send(data);
  }

  /** @param {string} path @param {object} [sent] @returns {Promise<any>} */
  async #ask(path, sent = {}) {
    const answer = await this.world.fetch(`http://127.0.0.1:${this.daemon.port}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.daemon.ticket}` },
      body: JSON.stringify(sent),
      credentials: "omit",
      cache: "no-store",
    });
    const said = await answer.json();
    if (!answer.ok) throw new Refusal(answer.status, [said.error, said.hint].filter(Boolean).join(" "));
    return said;
  }
}

/** @param {number | null} code */
const exitWords = (code) =>
  code === 0 || code === null ? "The program has ended." : `The program has ended with exit code ${code}.`;
