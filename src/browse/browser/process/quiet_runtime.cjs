// Keeps the `Runtime` domain of pages and workers off, while the driver believes that it is on. Where
// it is on, V8 describes what a page logs, and a page that formats stacks itself sees that happen.
// What the domain tells comes from elsewhere: worlds are asked for at every new document, messages
// come from the `Console` domain as text, and uncaught errors from a script that runs first in
// every page. Used by load_driver.cjs, in stealth only.
"use strict";
const crypto = require("node:crypto");
const { reportErrors } = require("./report_errors.cjs");

const GROUP = "browse-quiet";
// By which the daemon learns whether all this is in force; Chromium does not know it.
const PROBE = "Browse.isQuiet";
const MAX_HELD = 1_000;
const WITH_FRAMES = new Set(["page", "iframe"]);
const WITHOUT_FRAMES = new Set(["worker", "shared_worker", "service_worker"]);
// Written before an uncaught error, so that no page can report one in another's name.
const MARK = crypto.randomBytes(16).toString("hex");
const SCRIPT = `(${reportErrors})(${JSON.stringify(MARK)})`;

/** One page, frame with a process of its own, or worker: its worlds, and who wants to know them. */
class Target {
  constructor(type, call, deliver) {
    this.hasFrames = WITH_FRAMES.has(type);
    this.call = call;
    this.deliver = deliver;
    this.lead = undefined; // the session that sees its frames come and go: the driver's
    this.begun = undefined;
    this.worldName = "";
    this.enabled = new Set();
    this.bindings = [];
    this.root = "";
    this.frames = new Map();
    this.looking = new Set();
    this.held = [];
    this.errors = 0;
  }

  /** What the driver gets for `Runtime.enable`: all worlds, and then messages. */
  async enable(session) {
    this.lead ??= session;
    this.begun ??= this.begin();
    await this.begun;
    await Promise.all(this.looking);
    for (const context of this.contexts()) this.tell(session, "executionContextCreated", { context });
    this.enabled.add(session);
    this.call(session, "Console.enable");
    return {};
  }

  async disable(session) {
    this.enabled.delete(session);
    this.call(session, "Console.disable");
    return {};
  }

  async begin() {
    if (!this.hasFrames) return this.look("");
    const script = { source: SCRIPT, runImmediately: true };
    this.call(this.lead, "Page.addScriptToEvaluateOnNewDocument", script);
    const found = await this.call(this.lead, "Page.getFrameTree");
    const add = ({ frame, childFrames = [] }) => {
      this.look(frame.id);
      childFrames.forEach(add);
    };
    this.root = found?.frameTree.frame.id;
    if (found) add(found.frameTree);
  }

  /** The session is gone; the next that asks sees the frames. */
  lose(session) {
    this.enabled.delete(session);
    this.bindings = this.bindings.filter((it) => it.session !== session);
    if (this.lead !== session) return;
    this.lead = this.begun = undefined;
    this.frames.clear();
  }

  /** Find the worlds of a new document. */
  look(frame) {
    this.forget(frame);
    const known = { contexts: [], isReopened: false };
    this.frames.set(frame, known);
    const found = this.find(frame, known).finally(() => this.looking.delete(found));
    this.looking.add(found);
  }

  async find(frame, known) {
    const worlds = this.hasFrames ? await this.worldsOf(frame) : await this.onlyWorld();
    const isCurrent = () => this.frames.get(frame) === known;
    if (!isCurrent()) return; // there is another document already
    await Promise.all(worlds.flatMap((it) => this.bind(it)));
    if (!isCurrent()) return;
    known.contexts = worlds;
    for (const context of worlds) this.tellAll("executionContextCreated", { context });
    if (known.isReopened) this.reopened(frame);
    const held = this.contexts().length ? this.held.splice(0) : [];
    for (const [session, message] of held) this.said(session, message);
  }

  async worldsOf(frame) {
    const isRoot = frame === this.root;
    const ask = { frameId: frame, worldName: this.worldName, grantUniveralAccess: true };
    const asked = this.call(this.lead, "Page.createIsolatedWorld", ask);
    const own = isRoot ? this.worldOfThis() : undefined;
    const isolated = (await asked)?.executionContextId;
    if (!isolated) return [];
    const main = await (isRoot ? own : this.worldBehind(isolated));
    const about = { frameId: frame, isDefault: false, type: "isolated" };
    const worlds = [world(isolated, this.worldName, about)];
    if (main) worlds.unshift(world(main, "", { frameId: frame, isDefault: true, type: "default" }));
    return worlds;
  }

  async onlyWorld() {
    const id = await this.worldOfThis();
    return id ? [world(id, "", { isDefault: true })] : [];
  }

  /** Find the main world of the whole target. */
  async worldOfThis() {
    const found = await this.call(this.lead, "Runtime.evaluate", { expression: "this", objectGroup: GROUP });
    return this.worldOf(found?.result);
  }

  /** Find the page's own world in the frame of an isolated one, by their document. */
  async worldBehind(contextId) {
    const ask = { expression: "document", contextId, objectGroup: GROUP };
    const { objectId } = (await this.call(this.lead, "Runtime.evaluate", ask))?.result ?? {};
    const { node } = (objectId && (await this.call(this.lead, "DOM.describeNode", { objectId }))) || {};
    if (!node) return undefined;
    const again = { backendNodeId: node.backendNodeId, objectGroup: GROUP };
    return this.worldOf((await this.call(this.lead, "DOM.resolveNode", again))?.object);
  }

  /** An object's id is `isolate.world.number`. */
  worldOf(object) {
    this.call(this.lead, "Runtime.releaseObjectGroup", { objectGroup: GROUP });
    return Number(object?.objectId?.split(".")[1]) || undefined;
  }

  /** Bindings come into new worlds by themselves only while the domain is on. */
  bind({ id, name }) {
    const wanted = this.bindings.filter(({ params }) => (params.executionContextName ?? "") === name);
    return wanted.map(({ session, params }) =>
      this.call(session, "Runtime.addBinding", { name: params.name, executionContextId: id }),
    );
  }

  /** `document.open` takes the listeners of a page away, ours as well. */
  reopened(frame) {
    const known = this.frames.get(frame);
    const contextId = known?.contexts.find((it) => it.auxData.isDefault)?.id;
    if (contextId) this.call(this.lead, "Runtime.evaluate", { expression: SCRIPT, contextId });
    else if (known) known.isReopened = true;
  }

  forget(frame) {
    const known = this.frames.get(frame);
    this.frames.delete(frame);
    for (const { id } of known?.contexts ?? []) {
      this.tellAll("executionContextDestroyed", { executionContextId: id });
    }
  }

  clear() {
    this.frames.clear();
    this.tellAll("executionContextsCleared", {});
  }

  contexts() {
    return [...this.frames.values()].flatMap((it) => it.contexts);
  }

  /** An event of the session that sees all frames. */
  hears(method, params) {
    if (method === "Page.frameNavigated") {
      const { id, parentId } = params.frame;
      if (!parentId || id === this.root) {
        this.root = id;
        this.clear();
      }
      this.look(id);
    } else if (method === "Page.frameAttached") {
      this.look(params.frameId);
    } else if (method === "Page.frameDetached") {
      this.forget(params.frameId);
    } else if (method === "Page.documentOpened") {
      this.reopened(params.frame.id);
    } else if (method === "Inspector.targetCrashed") {
      this.clear();
    }
  }

  /** Pass on a message of a console, as the `Runtime` domain would. */
  said(session, { level, text, url = "", line = 1, column = 1 }) {
    if (!this.enabled.has(session)) return;
    const [context] = this.contexts();
    if (!context && session === this.lead) { // the driver takes none without a world
      this.held.push([session, { level, text, url, line, column }]);
      if (this.held.length > MAX_HELD) this.held.shift();
      return;
    }
    const timestamp = Date.now();
    if (text.startsWith(MARK)) {
      const exceptionDetails = thrown(text.slice(MARK.length), ++this.errors);
      this.tell(session, "exceptionThrown", { timestamp, exceptionDetails });
      return;
    }
    const place = { functionName: "", scriptId: "0", url, lineNumber: line - 1, columnNumber: column - 1 };
    this.tell(session, "consoleAPICalled", {
      type: level,
      args: [{ type: "string", value: text }],
      executionContextId: context?.id ?? 0,
      timestamp,
      stackTrace: { callFrames: [place] },
    });
  }

  tellAll(name, params) {
    for (const session of this.enabled) this.tell(session, name, params);
  }

  tell(session, name, params) {
    this.deliver({ method: `Runtime.${name}`, params, sessionId: session });
  }
}

function world(id, name, auxData) {
  return { id, name, origin: "", uniqueId: `${id}`, auxData };
}

/** Read what report_errors.cjs wrote: `line:column address`, and the text below. */
function thrown(report, exceptionId) {
  const [, line, column, url, text] = /^(\d*):(\d*) (.*)\n([^]*)$/.exec(report) ?? [];
  const lineNumber = Math.max(0, Number(line ?? 1) - 1);
  const columnNumber = Math.max(0, Number(column ?? 1) - 1);
  return { exceptionId, text: text ?? report, url: url || undefined, lineNumber, columnNumber };
}

/** The targets of one connection. `send` sends a message and returns its id. */
class QuietRuntime {
  constructor(send, deliver) {
    this.send = send;
    this.deliver = deliver;
    this.targets = new Map();
    this.targetOf = new Map();
    this.calls = new Map();
  }

  /** Ask Chromium; undefined if it refuses, or the session ends. */
  call(session, method, params = {}) {
    return new Promise((done) => {
      this.calls.set(this.send(session, method, params), { session, done });
    });
  }

  /** Answer what the driver sends, as a promise; undefined if Chromium is to answer. */
  answer(session, method, params) {
    if (method === PROBE) return Promise.resolve({});
    const target = this.targetOf.get(session)?.target;
    if (!target) return undefined;
    if (method === "Runtime.enable") return target.enable(session);
    if (method === "Runtime.disable") return target.disable(session);
    if (method === "Runtime.addBinding") target.bindings.push({ session, params });
    if (method === "Runtime.removeBinding") {
      const isOther = (it) => it.session !== session || it.params.name !== params.name;
      target.bindings = target.bindings.filter(isOther);
    }
    if (params?.worldName && (target.lead ?? session) === session) target.worldName ||= params.worldName;
    return undefined;
  }

  /** Look at what Chromium sends; tell whether the driver is to have it. */
  passes({ id, method, params, result, sessionId }) {
    if (id !== undefined) return !this.answered(id, result);
    if (method === "Target.attachedToTarget") this.attached(params);
    if (method === "Target.detachedFromTarget") this.detached(params.sessionId);
    const target = this.targetOf.get(sessionId)?.target;
    if (method === "Console.messageAdded" && target) {
      target.said(sessionId, params.message);
      return false;
    }
    if (target && target.lead === sessionId) target.hears(method, params);
    return true;
  }

  answered(id, result) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    call?.done(result);
    return Boolean(call);
  }

  attached({ sessionId, targetInfo: { targetId, type } }) {
    if (!WITH_FRAMES.has(type) && !WITHOUT_FRAMES.has(type)) return;
    const known = this.targets.get(targetId) ?? { sessions: 0, id: targetId };
    known.target ??= new Target(type, this.call.bind(this), this.deliver);
    known.sessions += 1;
    this.targets.set(targetId, known);
    this.targetOf.set(sessionId, known);
  }

  detached(session) {
    const known = this.targetOf.get(session);
    this.targetOf.delete(session);
    if (known) {
      known.sessions -= 1;
      known.target.lose(session);
      if (!known.sessions) this.targets.delete(known.id);
    }
    for (const [id, call] of this.calls) if (call.session === session) this.answered(id);
  }
}

/** Have the driver's class of connections do so, if it is as expected. */
function quieten(Connection) {
  const { _rawSend: send, _onMessage: onMessage } = Connection?.prototype ?? {};
  if (!send || !onMessage) return;
  const made = new WeakMap();
  const quietOf = (connection) => {
    const deliver = (message) => connection._sessions.get(message.sessionId)?._onMessage(message);
    if (!made.has(connection)) made.set(connection, new QuietRuntime(send.bind(connection), deliver));
    return made.get(connection);
  };
  Connection.prototype._rawSend = function (sessionId, method, params) {
    const answer = quietOf(this).answer(sessionId, method, params);
    if (!answer) return send.call(this, sessionId, method, params);
    const id = ++this._lastId;
    answer.then((result) => this._sessions.get(sessionId)?._onMessage({ id, result }));
    return id;
  };
  Connection.prototype._onMessage = async function (message) {
    if (quietOf(this).passes(message)) await onMessage.call(this, message);
  };
}

module.exports = { quieten };
