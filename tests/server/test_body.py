"""Reading request bodies."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from browse.auth.caller import ROOT
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.server import body
from browse.server.body import BatchBody, CommandBody, decode, decode_argv, read_from, tab_number
from support.fakes import a_caller
from support.hostile import attempt, fuzz

word = st.binary(max_size=20).filter(lambda raw: b"\0" not in raw)


def block(fields: list[bytes], words: list[bytes]) -> bytes:
    return b"".join(part + b"\0" for part in [*fields, b"", *words])


@fuzz
@given(st.lists(word, max_size=6), word, st.binary(max_size=40))
def test_what_the_client_sends_comes_out_as_it_was(words, cwd, stdin):
    raw = block([b"cwd=" + cwd, b"tab=3"], words)

    form = decode_argv(raw + stdin, str(len(raw)))

    assert [text.encode("utf-8", "surrogateescape") for text in form.words] == words
    assert form.cwd.encode("utf-8", "surrogateescape") == cwd
    assert (form.tab, form.stdin) == ("3", stdin)


@pytest.mark.parametrize(
    ("fields", "looks"),
    [
        ([b"cwd=/"], False),
        ([b"snapshot=1"], True),
        ([b"snapshot=on"], True),
        ([b"snapshot=0"], False),
        ([b"snapshot= Off"], False),
    ],
)
def test_a_switch_that_the_client_passes_on_is_read_here(fields, looks):
    raw = block(fields, [b"click"])

    assert decode_argv(raw, str(len(raw))).snapshot is looks


@fuzz
@given(st.binary(max_size=80), st.text(max_size=5) | st.integers(-5, 100).map(str))
def test_any_bytes_are_taken_apart_or_refused(raw, length):
    form = attempt(decode_argv, raw, length)

    if isinstance(form, BrowseError):
        assert form.code is Code.BAD_REQUEST
    else:
        assert form.stdin == raw[int(length) :]


@pytest.mark.parametrize(
    ("raw", "length"),
    [
        (b"", ""),
        (b"", "0"),
        (b"abc", "3"),
        (b"cwd=/\0text\0", "11"),
        (b"\0text\0", "99"),
        (b"\0text\0", "-1"),
        (b"\0text\0", "1e1"),
        (b"\0text\0", "²"),
        (b"\0text\0", "9" * 5000),
    ],
    ids=lambda part: ascii(part[:30]),
)
def test_a_block_that_does_not_fit_is_refused(raw, length):
    with pytest.raises(BrowseError) as caught:
        decode_argv(raw, length)

    assert caught.value.code is Code.BAD_REQUEST


def test_fields_that_are_not_known_are_passed_over():
    raw = block([b"width=80", b"cwd=/p", b"odd"], [b"text"])

    assert decode_argv(raw, str(len(raw))).words == ("text",)


def test_an_empty_word_is_a_word():
    raw = block([b"cwd=/"], [b"js", b"", b""])

    assert decode_argv(raw, str(len(raw))).words == ("js", "", "")


@pytest.mark.parametrize(("raw", "number"), [("", None), ("1", 1), ("12", 12)])
def test_a_tab_number_is_read(raw, number):
    assert tab_number(raw) == number


@pytest.mark.parametrize(
    "raw",
    ["0", "-1", "one", "1.0", " 1", "²", "9" * 5000, "\udcff"],
    ids=lambda part: ascii(part[:30]),
)
def test_anything_else_is_no_tab(raw):
    with pytest.raises(BrowseError) as caught:
        tab_number(raw)

    assert caught.value.code is Code.TAB_UNKNOWN
    assert len(caught.value.message) < 120


@fuzz
@given(st.binary(max_size=60))
@pytest.mark.parametrize("kind", [CommandBody, BatchBody])
def test_any_bytes_are_decoded_or_refused(kind, raw):
    found = attempt(decode, raw, kind)

    assert isinstance(found, kind) or found.code is Code.BAD_REQUEST


def test_a_command_is_decoded():
    wanted = decode(b'{"command": "text", "args": ["#main"], "tabId": 3}', CommandBody)

    assert (wanted.command, wanted.args, wanted.tab_id) == ("text", ["#main"], 3)


class Coming(Request):
    """A request whose body comes in pieces, or never to its end."""

    def __init__(self, *pieces: bytes, ends: bool = True) -> None:
        super().__init__({"type": "http"})
        self._pieces = pieces
        self._ends = ends

    async def stream(self):
        for piece in self._pieces:
            yield piece
        if not self._ends:
            await asyncio.Event().wait()


@pytest.mark.parametrize(("caller", "mib"), [(a_caller(Scope.READ), 2), (ROOT, 64)])
async def test_an_agent_may_send_less_than_the_owner(caller, mib):
    full = [bytes(1024 * 1024)] * mib

    assert len(await read_from(caller, Coming(*full))) == mib * 1024 * 1024
    with pytest.raises(BrowseError) as caught:
        await read_from(caller, Coming(*full, b"x"))
    assert caught.value.code is Code.TOO_LARGE


async def test_a_body_that_does_not_come_to_its_end_is_given_up(monkeypatch):
    monkeypatch.setattr(body, "BODY_S", 0.01)

    with pytest.raises(BrowseError, match="its body did not come within"):
        await body.read(Coming(b"{", ends=False))


def test_long_names_of_agents_stay_apart():
    names = []
    for tree in (b"one", b"two"):
        raw = block([b"cwd=/elsewhere", b"agent=/" + tree + b"/below" * 40], [b"url"])
        names.append(body.agent_name(decode_argv(raw, str(len(raw))), "/project"))

    assert names[0] != names[1]
    assert {len(name) for name in names} == {body.MAX_AGENT_CHARS}
    assert all(name.endswith("/below/below") for name in names)
