// Loaded into Playwright's driver. A page can log or fetch faster than the driver can pass it on,
// and then every tab waits. So what a page sends beyond its allowance is dropped here, before it is
// parsed; a page that does not stop is closed; and the daemon is told with an event of our own.
// Only events that nothing waits for are dropped: console messages, and whole requests that are not
// navigations.
"use strict";
const childProcess = require("node:child_process");

// An allowance is counted in units: a message, or each 4 KiB of one.
const UNIT_BYTES = 4096;
const BURST = 20_000;
const PER_SECOND = 2_000;
// A page floods when this many units were dropped, less what is forgiven over time. A unit that
// comes late counts more: Chromium has a queue by then, and every other tab is behind it.
const FLOOD = 100_000;
const FORGIVEN_PER_SECOND = 1_000;
const LATE_MS = 1_000;
const LATE_WEIGHT = 10;
const MAX_CONSOLE_BYTES = 1024 * 1024;
const MAX_REQUESTS = 50_000;
const REPORT_MS = 500;
const REPORT = "Browse.dropped";
const CLOSE_ID = -7;

const HEAD_BYTES = 160;
const TAIL_BYTES = 64;
const METHOD = /^\{"method":"(\w+\.\w+)"(?:,"params":\{"requestId":"([^"\\]+)")?/;
const SESSION = /"sessionId":"(\w+)"\}\0$/;
const REPLY = Buffer.from(`{"id":${CLOSE_ID},`);
const CONSOLE = new Set([
  "Runtime.consoleAPICalled",
  "Runtime.exceptionThrown",
  "Console.messageAdded",
  "Log.entryAdded",
]);
const LOOSE = new Set([
  "Network.dataReceived",
  "Network.webSocketFrameReceived",
  "Network.webSocketFrameSent",
]);
const LAST = new Set(["Network.loadingFinished", "Network.loadingFailed"]);
// Quotes inside of a value are escaped, so no page can write this.
const TIMES = [
  ['"timestamp":', 1],
  ['"wallTime":', 1000],
];
const NAVIGATION = '"type":"Document"';

/** What one page has sent, with its frames and workers. */
class Page {
  constructor(target, now) {
    this.target = target;
    this.allowance = BURST;
    this.excess = 0;
    this.at = now;
    this.requests = new Set();
    this.console = 0;
    this.network = 0;
    this.reporting = false;
    this.floods = false;
  }

  /** Take the cost from the allowance; tell whether there was enough. */
  takes(cost, now, ageMs) {
    const seconds = (now - this.at) / 1000;
    this.at = now;
    this.allowance = Math.min(BURST, this.allowance + seconds * PER_SECOND);
    this.excess = Math.max(0, this.excess - seconds * FORGIVEN_PER_SECOND);
    const enough = cost <= this.allowance;
    if (enough) this.allowance -= cost;
    if (!enough || ageMs > LATE_MS) this.excess += ageMs > LATE_MS ? cost * LATE_WEIGHT : cost;
    return enough;
  }
}

/** Passes whole messages of Chromium on, without those that are too many; `send` answers it. */
class Filter {
  constructor(deliver, send, clock = Date.now) {
    this.deliver = deliver;
    this.send = send;
    this.clock = clock;
    this.parts = [];
    this.sessions = new Map();
  }

  feed(chunk) {
    const kept = [];
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      let message = chunk.subarray(start, end + 1);
      start = end + 1;
      if (this.parts.length) {
        message = Buffer.concat([...this.parts, message]);
        this.parts = [];
      }
      if (this.keeps(message)) kept.push(message);
    }
    if (start < chunk.length) this.parts.push(chunk.subarray(start));
    if (kept.length) this.deliver(kept.length === 1 ? kept[0] : Buffer.concat(kept));
  }

  keeps(message) {
    const [, method, request] = METHOD.exec(message.toString("latin1", 0, HEAD_BYTES)) ?? [];
    if (!method) return !message.subarray(0, REPLY.length).equals(REPLY);
    if (method === "Target.attachedToTarget") this.attached(parsed(message));
    if (method === "Target.detachedFromTarget") this.sessions.delete(parsed(message).params.sessionId);
    const [, session] = SESSION.exec(message.toString("latin1", Math.max(0, message.length - TAIL_BYTES))) ?? [];
    const page = this.sessions.get(session)?.page;
    if (!page) return true;
    if (CONSOLE.has(method)) return this.keepsConsole(page, message);
    if (method.startsWith("Network.")) return this.keepsNetwork(page, method, session + request, message);
    return true;
  }

  keepsConsole(page, message) {
    if (this.takes(page, message, TIMES[0]) && message.length <= MAX_CONSOLE_BYTES) return true;
    page.console += 1;
    this.report(page);
    return false;
  }

  keepsNetwork(page, method, id, message) {
    const enough = this.takes(page, message, TIMES[1]);
    let drops = page.requests.has(id);
    if (drops && LAST.has(method)) page.requests.delete(id);
    if (!drops && !enough && method === "Network.requestWillBeSent" && !message.includes(NAVIGATION)) {
      if (page.requests.size >= MAX_REQUESTS) page.requests.clear();
      page.requests.add(id);
      page.network += 1;
      drops = true;
    }
    if (drops) this.report(page);
    return !drops && (enough || !LOOSE.has(method));
  }

  takes(page, message, [name, unitMs]) {
    const now = this.clock();
    const at = message.lastIndexOf(name);
    const told = at < 0 ? "" : message.toString("latin1", at + name.length, at + name.length + 24);
    const ageMs = told ? now - Number.parseFloat(told) * unitMs : 0;
    const enough = page.takes(1 + Math.floor(message.length / UNIT_BYTES), now, ageMs);
    if (page.excess > FLOOD && !page.floods) this.close(page);
    return enough && !page.floods;
  }

  close(page) {
    page.floods = true;
    this.tell(page);
    const request = { id: CLOSE_ID, method: "Target.closeTarget", params: { targetId: page.target } };
    this.send(`${JSON.stringify(request)}\0`);
  }

  /** Tell the daemon what was dropped, soon and not for every message. */
  report(page) {
    if (page.reporting) return;
    page.reporting = true;
    setTimeout(() => this.tell(page), REPORT_MS).unref();
  }

  tell(page) {
    const params = { console: page.console, network: page.network, floods: page.floods };
    page.reporting = false;
    page.console = page.network = 0;
    for (const [sessionId, { target }] of this.sessions) {
      if (target !== page.target) continue;
      this.deliver(Buffer.from(`${JSON.stringify({ method: REPORT, params, sessionId })}\0`));
    }
  }

  attached({ params, sessionId }) {
    const { targetId, parentId, type } = params.targetInfo;
    if (type === "browser" || type === "tab") return;
    const parent = type === "page" ? undefined : this.sessions.get(sessionId)?.page;
    const page = this.find(targetId) ?? this.find(parentId) ?? parent ?? new Page(targetId, this.clock());
    this.sessions.set(params.sessionId, { target: targetId, page });
  }

  find(target) {
    for (const known of this.sessions.values()) if (known.target === target) return known.page;
    return undefined;
  }
}

function parsed(message) {
  return JSON.parse(message.toString("utf8", 0, message.length - 1));
}

/** Filter what Chromium writes to its pipe: the fifth stream of the process. */
const spawn = childProcess.spawn;
childProcess.spawn = function (...args) {
  const child = spawn.apply(this, args);
  const pipe = child.stdio?.[4];
  if (!pipe) return child;
  const on = pipe.on;
  pipe.on = function (name, listener) {
    if (name !== "data") return on.call(this, name, listener);
    const filter = new Filter(listener, (message) => child.stdio[3].write(message));
    return on.call(this, name, (chunk) => filter.feed(chunk));
  };
  return child;
};

module.exports = { Filter, Page };
