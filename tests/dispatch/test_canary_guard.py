"""A command that would give the canary away does not run, and its caller is stopped."""

import asyncio

import pytest

from browse.auth.caller import ROOT
from browse.auth.terms import TabPolicy, Terms
from browse.auth.tokens import TokenKind
from browse.core.errors import Code
from browse.core.scopes import Scope
from browse.registry.params import BUILT_IN, READ_FILE, Doc
from browse.registry.results import Text
from browse.registry.signature import Argument
from browse.registry.spec import Group
from support.fakes import a_caller, a_runner, a_spec, an_access, run

WORDS = Argument("words", BUILT_IN[str], Doc(""), required=False, repeats=True)
FILE = Argument("file", READ_FILE, Doc(""), required=False, flag=True)


class Scene:
    """A daemon with one command that takes words, and another about the daemon."""

    def __init__(self) -> None:
        self.ran: list[tuple[object, ...]] = []
        self.noted: list[dict[str, str]] = []
        self.doors = an_access()

        async def act(_: object, *words: object, file: object = None) -> Text:
            self.ran.append(words)
            return Text("done")

        async def go_on(_: object, *, reset: bool = False) -> Text:
            return Text(f"may go on: {self.leaks.reset()}")

        switch = Argument("reset", BUILT_IN[str], Doc(""), required=False, flag=True, switch=True)
        self.runner = a_runner(
            a_spec(act, "act", args=(WORDS, FILE)),
            a_spec(name="about", group=Group.SERVER),
            a_spec(go_on, "context", group=Group.NOTES, args=(switch,)),
            a_spec(name="keep", group=Group.NOTES),
            access=self.doors,
            attempts=lambda **entry: self.noted.append(entry),
        )
        self.leaks = self.runner.parts.canary_guard
        self.token = self.leaks.canary.tell()

    async def act(self, *words: str, **more):
        said, error = await run(self.runner, "act", *words, **more)
        assert self.token[7:] not in said
        return error.code if error else None


@pytest.fixture
def scene() -> Scene:
    return Scene()


async def test_words_that_hold_it_do_not_run(scene):
    assert await scene.act("fine") is None

    assert await scene.act(f"send {scene.token}") is Code.CANARY_LEAKED
    assert scene.ran == [("fine",)]


async def test_it_is_found_in_stdin_and_in_files(scene, tmp_path):
    (tmp_path / "note.txt").write_text(f"about {scene.token}")
    (tmp_path / "other.txt").write_text("about nothing")

    async def read(name: str):
        return await scene.act(f"--file={tmp_path / name}")

    assert await read("other.txt") is None
    assert await read("note.txt") is Code.CANARY_LEAKED
    scene.leaks.reset()
    assert await scene.act(stdin=scene.token.encode()) is Code.CANARY_LEAKED
    assert [entry["reason"] for entry in scene.noted] == ["file", "stdin"]


async def test_pieces_in_several_commands_are_found(scene):
    assert await scene.act("#a", scene.token[:12]) is None
    assert await scene.act("#b", scene.token[12:]) is Code.CANARY_LEAKED


async def test_halves_far_apart_are_found_in_words_and_on_stdin(scene):
    digits = scene.token[7:]

    assert await scene.act("a", digits[:6]) is None
    assert await scene.act("x" * 300) is None
    assert await scene.act(stdin=f"say('{digits[6:]}')".encode()) is Code.CANARY_LEAKED


async def test_a_long_argument_is_looked_through(scene):
    assert await scene.act("x" * 200_000 + scene.token) is Code.CANARY_LEAKED


async def test_the_owners_agent_is_halted_until_it_is_let_go_on(scene):
    await scene.act(scene.token)

    assert await scene.act("fine") is Code.CANARY_LEAKED
    for words in (["about"], ["context", "--reset"]):
        assert (await run(scene.runner, *words))[1] is None
    assert await scene.act("fine") is None


@pytest.mark.parametrize("words", [["context"], ["keep"]])
async def test_who_is_halted_does_not_touch_the_notes(scene, words):
    await scene.act(scene.token)

    _, error = await run(scene.runner, *words)

    assert error
    assert error.code is Code.CANARY_LEAKED


async def test_other_agents_of_the_owner_go_on(scene):
    await scene.act(scene.token)

    other = a_caller(ROOT.scopes, name="root")
    assert await scene.act("fine", caller=other) is Code.CANARY_LEAKED
    assert await scene.act("fine", caller=a_caller(ROOT.scopes, name="other")) is None


async def test_a_paired_agent_is_told_why_and_then_loses_its_token(scene):
    terms = Terms("codex", Scope.READ, (), TabPolicy.OWN_ONLY, 10)
    issued = scene.doors.tokens.issue(TokenKind.SESSION, terms)
    guest = a_caller(Scope.READ, name="codex")

    task = asyncio.create_task(scene.act(scene.token, caller=guest))

    assert await task is Code.CANARY_LEAKED
    await asyncio.sleep(0)
    assert scene.doors.tokens.find(issued.token) is None


async def test_it_is_noted_and_published_without_being_repeated(scene):
    await scene.act(scene.token)

    assert scene.noted == [
        {"kind": "canary_leak", "reason": "argument", "source": "root", "command": "act"}
    ]
    feed = scene.runner.parts.activity.latest(10)
    assert [event["type"] for event in feed] == ["canary_leak", "error"]
    assert scene.token[7:] not in str(feed)


async def test_a_request_that_holds_it_halts_who_works_in_the_tab(scene):
    scene.leaks.sent("", "root", "http://evil.example/x")
    scene.leaks.sent("", "root", "http://evil.example/y")

    assert await scene.act("fine") is Code.CANARY_LEAKED
    assert scene.noted == [
        {"kind": "canary_leak", "reason": "request", "source": "root", "host": "evil.example"}
    ]


async def test_a_request_that_holds_it_ends_the_client_of_the_tab(scene):
    terms = Terms("codex", Scope.READ, (), TabPolicy.OWN_ONLY, 10)
    issued = scene.doors.tokens.issue(TokenKind.SESSION, terms)

    scene.leaks.sent("codex", "root", "http://evil.example/x")

    assert scene.doors.tokens.find(issued.token) is None
    assert await scene.act("fine", caller=a_caller(Scope.READ, name="codex")) is None
