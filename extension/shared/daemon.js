// @ts-check
/** The daemon, as pages of the extension use it. */

import * as connections from "./connection.js";
import { EventParser } from "./events.js";

/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {"unpaired" | "connecting" | "connected" | "lost"} State */
/** @typedef {Record<string, any>} Facts */

const REQUEST_MS = 60_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];
// The daemon sends a heartbeat every 15 s.
const SILENCE_MS = 40_000;

/** What the daemon answered instead of a result. */
export class DaemonError extends Error {
  /** @param {number} status @param {Facts} said */
  constructor(status, said) {
    super(String(said.error || "The daemon did not answer as expected."));
    this.status = status;
    this.code = String(said.code || "");
    this.hint = String(said.hint || "");
    /** What a page wrote about it: show it as text only. */
    this.detail = String(said.page?.detail || "");
  }
}

/**
 * Keeps one stream of events open, by which it knows whether the daemon lives; nothing is polled. Dispatches `state`
 * and `activity` (whose `detail` is the event).
 */
export class Daemon extends EventTarget {
  /** @type {Connection | null} */
  #connection = null;
  /** @type {State} */
  #state = "connecting";
  #tries = 0;
  #last = -1;
  #stop = () => {};

  /** @returns {State} */
  get state() {
    return this.#state;
  }

  get port() {
    return this.#connection?.port ?? 0;
  }

  /** The ticket of this extension, for the subprotocol of a WebSocket. */
  get ticket() {
    return this.#connection?.ticket ?? "";
  }

  /** Whether the daemon started this browser. */
  get launched() {
    return this.#connection?.launched === true;
  }

  async begin() {
    connections.onChange((now) => this.#use(now));
    this.#use(await connections.read());
  }

  /** Try again at once. */
  retry() {
    this.#tries = 0;
    this.#use(this.#connection);
  }

  /** @param {Connection | null} connection */
  #use(connection) {
    if (connection?.ticket !== this.#connection?.ticket) this.#last = -1;
    this.#connection = connection;
    this.#stop();
    this.#change(connection ? "connecting" : "unpaired");
    if (connection) this.#stop = this.#watch();
  }

  /** @param {State} state */
  #change(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.dispatchEvent(new Event("state"));
  }

  /** @param {Facts} event */
  #hear(event) {
    if (typeof event.id === "number") this.#last = event.id;
    this.dispatchEvent(new CustomEvent("activity", { detail: event }));
  }

  /**
   * Follow the activity until told to stop. A browser opens six connections to a server, so of all panels and the
   * worker only the one that has the lock keeps a stream open; it passes on what it hears.
   * @returns {() => void}
   */
  #watch() {
    const ended = new AbortController();
    const name = `feed ${this.port}`;
    const channel = new BroadcastChannel(name);
    let leads = false;
    /** @param {Facts} said */
    const tell = (said) => {
      if (!ended.signal.aborted) channel.postMessage(said);
    };
    channel.onmessage = ({ data }) => {
      if (data.asks && leads) tell({ state: this.#state });
      if (data.state && !leads) this.#change(data.state);
      if (data.event && !leads) this.#hear(data.event);
    };
    tell({ asks: true });
    const lead = () => {
      leads = true;
      return this.#lead(ended.signal, tell);
    };
    navigator.locks.request(name, { signal: ended.signal }, lead).catch(() => {}); // it was told to stop
    return () => {
      ended.abort();
      channel.close();
    };
  }

  /**
   * Keep the stream open; connect again when it ends.
   * @param {AbortSignal} signal @param {(said: Facts) => void} tell
   */
  async #lead(signal, tell) {
    /** @param {State} state */
    const change = (state) => {
      this.#change(state);
      tell({ state });
    };
    while (!signal.aborted) {
      const refused = await this.#follow(signal, change, tell);
      if (signal.aborted) return;
      change("lost");
      if (refused) return void connections.forget(); // the ticket is of an earlier daemon
      await pause(RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)], signal);
    }
  }

  /**
   * Read the stream to its end; true if the daemon refused.
   * @param {AbortSignal} signal @param {(state: State) => void} change @param {(said: Facts) => void} tell
   */
  async #follow(signal, change, tell) {
    const after = this.#last < 0 ? "" : `?after=${this.#last}`;
    const opened = () => {
      this.#tries = 0;
      change("connected");
    };
    try {
      for await (const { event: kind, data } of this.events(`/activity/stream${after}`, signal, opened)) {
        const event = { ...JSON.parse(data), gap: kind === "gap" };
        this.#hear(event);
        tell({ event });
      }
    } catch (error) {
      return error instanceof DaemonError && [401, 403].includes(error.status);
    }
    return false;
  }

  /**
   * The events of a stream, until it ends.
   * @param {string} path @param {AbortSignal} signal @param {() => void} [opened]
   * @returns {AsyncGenerator<import("./events.js").ServerEvent>}
   */
  async *events(path, signal, opened = () => {}) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const answer = await this.#fetch("GET", path, undefined, AbortSignal.any([signal, silence.signal]));
    if (!answer.ok || !answer.body) throw new DaemonError(answer.status, await facts(answer));
    opened();
    const parser = new EventParser();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        yield* parser.add(value);
      }
    } finally {
      clearTimeout(timer);
      reader.cancel().catch(() => {}); // it has ended already
    }
  }

  /**
   * Send a request; return what the daemon answers, or throw a `DaemonError`.
   * @param {"GET" | "POST" | "DELETE"} method @param {string} path @param {unknown} [body] @returns {Promise<Facts>}
   */
  async request(method, path, body) {
    const answer = await this.#fetch(method, path, body, AbortSignal.timeout(REQUEST_MS));
    const said = await facts(answer);
    if (!answer.ok) throw new DaemonError(answer.status, said);
    return said;
  }

  /**
   * Run a command of browse as the owner; return its facts.
   * @param {string} name @param {string[]} args @param {number} [tabId]
   */
  command(name, args, tabId) {
    return this.request("POST", "/command", { command: name, args: [...args, "--json"], tabId });
  }

  /** Fetch a file that a command wrote. @param {string} path */
  async file(path) {
    const where = `/file?path=${encodeURIComponent(path)}`;
    const answer = await this.#fetch("GET", where, undefined, AbortSignal.timeout(REQUEST_MS));
    if (!answer.ok) throw new DaemonError(answer.status, await facts(answer));
    return answer.blob();
  }

  /**
   * Open a WebSocket; the ticket goes into its subprotocol.
   * @param {string} path @param {string} protocol @param {string} [ticket]
   */
  socket(path, protocol, ticket = this.ticket) {
    return new WebSocket(`ws://127.0.0.1:${this.port}${path}`, `${protocol}.${ticket}`);
  }

  /** @param {string} method @param {string} path @param {unknown} body @param {AbortSignal} signal */
  #fetch(method, path, body, signal) {
    if (!this.#connection) throw new DaemonError(0, { error: "The panel is not connected to a daemon." });
    return fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.ticket}` },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      signal,
    });
  }
}

/** @param {Response} answer @returns {Promise<Facts>} */
const facts = async (answer) => {
  const text = await answer.text();
  try {
    const said = JSON.parse(text);
    return typeof said === "object" && said !== null ? said : { value: said };
  } catch {
    return { text };
  }
};

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
