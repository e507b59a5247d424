import assert from "node:assert/strict";
import { test } from "node:test";
import { BACK_OFF_MS, PIECE_BYTES, SHOWN_BYTES, TerminalSession } from "../../extension/panel/terminal/session.js";

const AGENT = { name: "claude", agent: true, notice: "" };

class FakeSocket {
  readyState = 0;
  sent = [];

  constructor(address, protocol) {
    Object.assign(this, { address, protocol });
  }

  send(data) {
    this.sent.push(typeof data === "string" ? JSON.parse(data) : data);
  }

  open() {
    this.readyState = 1;
    this.onopen();
  }

  say(word) {
    this.onmessage({ data: JSON.stringify(word) });
  }

  end(code) {
    this.readyState = 3;
    this.onclose({ code });
  }

  close() {
    this.readyState = 3;
  }
}

/** A daemon that answers from a list, and a browser around it. */
const place = (answers, { kept = "", program = AGENT } = {}) => {
  const it = { asked: [], sockets: [], waits: [], kept, now: 0 };
  it.daemon = { port: 4711, ticket: "T" };
  it.memory = {
    get: async () => it.kept,
    set: async (name) => {
      it.kept = name;
    },
  };
  it.session = new TerminalSession(it.daemon, it.memory, {
    fetch: async (address, { body, headers }) => {
      it.asked.push([new URL(address).pathname, JSON.parse(body), headers.Authorization]);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      const [status, said] = answer ?? [200, `S${it.asked.length}`];
      const grant = typeof said === "string" ? { sessionId: said, attachToken: `ticket-${said}`, program } : said;
      return { ok: status === 200, status, json: async () => grant };
    },
    open: (...words) => {
      it.sockets.push(new FakeSocket(...words));
      return it.sockets.at(-1);
    },
    wait: async (ms) => {
      it.waits.push(ms);
      it.now += ms;
    },
    now: () => it.now,
  });
  it.states = [];
  it.session.addEventListener("state", () => it.states.push(it.session.state));
  return it;
};

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a first connection gets a terminal, opens it with its ticket and starts the program", async () => {
  const it = place([]);
  it.session.size = { cols: 100, rows: 30 };
  await it.session.connect();
  const [socket] = it.sockets;
  socket.open();

  assert.deepEqual(it.asked, [["/pty-session", {}, "Bearer T"]]);
  assert.equal(socket.address, "ws://127.0.0.1:4711/ws");
  assert.equal(socket.protocol, "gstack-pty.ticket-S1");
  const start = { type: "start", cols: 100, rows: 30 };
  assert.deepEqual(socket.sent, [{ type: "ack", bytes: 0 }, start]);
  assert.deepEqual(it.states, ["CONNECTING", "LIVE"]);
  assert.equal(it.kept, "S1");
});

test("a shell in place of an agent is a state of its own", async () => {
  const it = place([], { program: { name: "bash", agent: false, notice: "no agent is installed" } });
  await it.session.connect();
  it.sockets[0].open();

  assert.equal(it.session.state, "NO_AGENT");
  assert.equal(it.session.words, "no agent is installed");
});

test("a panel that was reloaded comes back to its terminal, or gets a new one if that is gone", async () => {
  const back = place([], { kept: "old" });
  await back.session.connect();
  assert.deepEqual(back.asked[0].slice(0, 2), ["/pty-session/reattach", { sessionId: "old" }]);

  const gone = place([[410, { error: "gone" }]], { kept: "old" });
  await gone.session.connect();
  assert.deepEqual(
    gone.asked.map(([path]) => path),
    ["/pty-session/reattach", "/pty-session"],
  );
});

test("a lost connection is taken up again, later each time", async () => {
  const refused = new TypeError("Failed to fetch");
  const it = place([undefined, refused, refused, [500, {}], refused, refused]);
  await it.session.connect();
  it.sockets[0].open();
  it.sockets[0].end(1006);
  await settled();
  assert.deepEqual(it.waits, [...BACK_OFF_MS, BACK_OFF_MS.at(-1), BACK_OFF_MS.at(-1)]);
  it.sockets[1].open();

  assert.deepEqual(it.states, ["CONNECTING", "LIVE", "RECONNECTING", "LIVE"]);
  let resets = 0;
  it.session.addEventListener("reset", () => resets++);
  it.sockets[1].say({ type: "reattach-begin", sessionId: "S" });
  assert.equal(resets, 1);
});

test("it is given up in the end, and can be tried again", async () => {
  const it = place([undefined, ...Array(50).fill(new TypeError("Failed to fetch"))]);
  await it.session.connect();
  it.sockets[0].open();
  it.sockets[0].end(1012);
  await settled();

  assert.equal(it.session.state, "ENDED");
  assert.match(it.session.words, /lost/);
  assert.equal(it.kept, "S1"); // it may still run
});

for (const [answer, words] of [
  [[410, { error: "gone" }], /ended while the connection was lost/],
  [[401, { error: "who" }], /started anew/],
])
  test(`coming back to an answer of ${answer[0]} is the end`, async () => {
    const it = place([undefined, answer]);
    await it.session.connect();
    it.sockets[0].open();
    it.sockets[0].end(1006);
    await settled();

    assert.equal(it.session.state, "ENDED");
    assert.match(it.session.words, words);
    assert.equal(it.kept, "");
  });

for (const [code, words, kept] of [
  [4001, /was closed/, ""],
  [4002, /another panel/, "S1"],
  [4003, /Nobody used/, ""],
  [4404, /could not be started/, ""],
])
  test(`a close with ${code} is the end, and nobody comes back by themselves`, async () => {
    const it = place([]);
    await it.session.connect();
    it.sockets[0].open();
    it.sockets[0].end(code);
    await settled();

    assert.equal(it.session.state, "ENDED");
    assert.match(it.session.words, words);
    assert.equal(it.kept, kept);
    assert.equal(it.asked.length, 1);
  });

test("the end of the program is told with its code", async () => {
  const it = place([]);
  await it.session.connect();
  it.sockets[0].open();
  it.sockets[0].say({ type: "exit", code: 3, reason: "the program has ended" });
  it.sockets[0].end(1000);
  await settled();

  assert.equal(it.session.words, "The program has ended with exit code 3.");
});

test("a restart asks for the same place anew and ignores what the old socket still says", async () => {
  const it = place([]);
  await it.session.connect();
  it.sockets[0].open();
  await it.session.restart();
  it.sockets[0].end(4001);
  it.sockets[1].open();

  assert.deepEqual(it.asked[1].slice(0, 2), ["/pty-restart", { sessionId: "S1" }]);
  assert.equal(it.session.state, "LIVE");
});

test("a refusal is shown with its hint", async () => {
  const it = place([[429, { error: "8 terminals are open already.", hint: "close one" }]]);
  await it.session.connect();

  assert.equal(it.session.state, "ENDED");
  assert.equal(it.session.words, "8 terminals are open already. close one");
});

test("keys, sizes and what was shown reach the daemon, and its questions are answered", async () => {
  const it = place([]);
  it.session.type(new Uint8Array([1])); // nobody is there yet
  await it.session.connect();
  const [socket] = it.sockets;
  socket.open();
  socket.sent.length = 0;
  it.session.type(new Uint8Array(2 * PIECE_BYTES + 1));
  it.session.resize(20, 10);
  it.session.shown(SHOWN_BYTES - 1);
  it.session.shown(2);
  socket.say({ type: "ping", ts: "now" });

  assert.deepEqual(
    socket.sent.slice(0, 3).map((it) => it.length),
    [PIECE_BYTES, PIECE_BYTES, 1],
  );
  assert.deepEqual(socket.sent.slice(3), [
    { type: "resize", cols: 20, rows: 10 },
    { type: "ack", bytes: SHOWN_BYTES + 1 },
    { type: "pong" },
  ]);
});

test("without a daemon nothing is asked", async () => {
  const it = place([]);
  it.daemon.port = 0;
  await it.session.connect();

  assert.deepEqual([it.asked, it.session.state], [[], "IDLE"]);
});
