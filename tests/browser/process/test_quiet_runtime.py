"""What the driver is told of worlds and messages while `Runtime` is off: real Node, no browser."""

import json
import subprocess
from typing import Any

from browse.browser.process import chromium, driver

NODE = chromium.driver_package().parent / "node"
QUIET = driver.LOAD_DRIVER.with_name("quiet_runtime.cjs")
# A connection as the driver's, and a Chromium that answers at once, or when it is told to.
RUN = """
const { quieten } = require(process.argv[1]);
const { steps, late, answers } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const sent = [], got = [], waiting = [];
class Connection {
  _lastId = 0;
  _sessions = new Map();
  _rawSend(sessionId, method, params) {
    const id = ++this._lastId;
    sent.push([sessionId, method, params]);
    const answer = () => this._onMessage({ id, sessionId, result: answers[method] ?? {} });
    if (late.includes(method)) waiting.push(answer);
    else queueMicrotask(answer);
    return id;
  }
  async _onMessage(message) { this._sessions.get(message.sessionId)?._onMessage(message); }
}
quieten(Connection);
const connection = new Connection();
const IS_EVENT = /[.](attached|detached|frame|message)/;
const hear = (session) => {
  const told = (it) => got.push([session, it.method ?? "answer", it.params ?? it.result]);
  connection._sessions.set(session, { _onMessage: told });
};
(async () => {
  for (const [session, method, params = {}] of steps) {
    if (!connection._sessions.has(session)) hear(session);
    if (method === "answers") Object.assign(answers, params);
    else if (method === "late") for (const answer of waiting.splice(0)) answer();
    else if (IS_EVENT.test(method)) connection._onMessage({ sessionId: session, method, params });
    else connection._rawSend(session, method, params);
    await new Promise((done) => setTimeout(done));
  }
  process.stdout.write(JSON.stringify({ sent, got }));
})();
"""
ANSWERS: dict[str, Any] = {
    "Page.getFrameTree": {"frameTree": {"frame": {"id": "F"}}},
    "Page.createIsolatedWorld": {"executionContextId": 2},
    "Runtime.evaluate": {"result": {"objectId": "77.1.5"}},
}
ATTACHED = (
    "",
    "Target.attachedToTarget",
    {"sessionId": "S", "targetInfo": {"targetId": "T", "type": "page"}},
)
ENABLE = ("S", "Runtime.enable")
NEW_DOCUMENT = ("S", "Page.frameNavigated", {"frame": {"id": "F"}})
WORLD = ("S", "Page.createIsolatedWorld", {"frameId": "F", "worldName": "utility"})


def said(text: str) -> tuple[str, str, dict]:
    return (
        "S",
        "Console.messageAdded",
        {"message": {"level": "log", "text": text, "line": 3, "column": 1}},
    )


def run(*steps: tuple, late: tuple[str, ...] = ()) -> tuple[list[list], list[list]]:
    """Return what Chromium was sent, and what the driver got."""
    given = {"steps": [ATTACHED, *steps], "late": late, "answers": ANSWERS}
    words = [str(NODE), "-e", RUN, str(QUIET)]
    ran = subprocess.run(words, input=json.dumps(given), capture_output=True, text=True, check=True)
    told = json.loads(ran.stdout)
    return told["sent"], told["got"]


def worlds(got: list[list]) -> list[int]:
    created = "Runtime.executionContextCreated"
    return [params["context"]["id"] for _, method, params in got if method == created]


def test_the_domain_stays_off_and_its_worlds_are_told_all_the_same():
    sent, got = run(WORLD, ENABLE)

    assert "Runtime.enable" not in [method for _, method, _ in sent]
    assert worlds(got) == [1, 2]
    assert got[-1] == ["S", "answer", {}]


def test_a_new_document_has_new_worlds_and_the_bindings_of_the_one_before():
    binding = ("S", "Runtime.addBinding", {"name": "tell", "executionContextName": "utility"})
    later = ("", "answers", {"Page.createIsolatedWorld": {"executionContextId": 4}})

    sent, got = run(WORLD, ENABLE, binding, later, NEW_DOCUMENT)

    assert worlds(got) == [1, 2, 1, 4]
    assert ["S", "Runtime.executionContextsCleared", {}] in got
    assert sent.count(["S", "Runtime.addBinding", {"name": "tell", "executionContextId": 4}]) == 1


def test_worlds_of_a_document_that_is_gone_are_not_told():
    late = ("Page.createIsolatedWorld",)

    _, got = run(ENABLE, NEW_DOCUMENT, NEW_DOCUMENT, ("S", "late"), late=late)

    assert worlds(got) == [1, 2]


def test_messages_wait_for_the_world_that_the_driver_needs():
    late = ("Page.createIsolatedWorld",)
    steps = [ENABLE, ("S", "late"), NEW_DOCUMENT, said("tea"), ("S", "late")]

    _, got = run(*steps, late=late)

    names = [method for _, method, _ in got]
    assert names[-1] == "Runtime.consoleAPICalled"
    assert got[-1][2]["args"] == [{"type": "string", "value": "tea"}]
    assert got[-1][2]["stackTrace"]["callFrames"][0]["lineNumber"] == 2
    assert "Console.messageAdded" not in names


def test_another_session_becomes_the_one_that_sees_frames_when_the_first_is_gone():
    gone = ("", "Target.detachedFromTarget", {"sessionId": "S"})
    other = ("", ATTACHED[1], {**ATTACHED[2], "sessionId": "O"})

    sent, got = run(other, ENABLE, gone, ("O", "Runtime.enable"))

    assert ["O", "Page.getFrameTree", {}] in sent
    assert worlds([it for it in got if it[0] == "O"]) == [1, 2]


def test_other_targets_are_left_alone():
    steps = ("B", "Runtime.enable"), ("B", "Browse.isQuiet")

    sent, got = run(*steps)

    assert [method for _, method, _ in sent] == ["Runtime.enable"]
    assert got[1:] == [["B", "answer", {}], ["B", "answer", {}]]


def test_a_driver_that_is_not_as_expected_stays_as_it_is():
    names = "console.log(Object.getOwnPropertyNames(it.prototype).join())"
    check = f"const it = class {{}}; require(process.argv[1]).quieten(it); {names}"

    ran = subprocess.run([NODE, "-e", check, QUIET], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "constructor"
