"""Telling the client how the start went, over a real pipe."""

import os

import pytest

from browse.core.errors import BrowseError, Code
from browse.daemon.announce import Announcer


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def said(reading: int) -> bytes:
    """Read to the end; that there is an end shows that the other side was closed."""
    with os.fdopen(os.dup(reading), "rb") as stream:
        return stream.read()


def test_ready_is_said_once_and_the_pipe_is_closed(pipe):
    reading, writing = pipe
    announce = Announcer(writing)

    announce.ready()
    announce.ready()

    assert said(reading) == b"ready\n"


def test_steps_come_before_it(pipe):
    reading, writing = pipe
    announce = Announcer(writing)

    announce.step()
    announce.step()
    announce.ready()
    announce.step()

    assert said(reading) == b"step\nstep\nready\n"


def test_one_that_is_not_needed_says_so(pipe):
    reading, writing = pipe

    Announcer(writing).taken()

    assert said(reading) == b"taken\n"


def test_a_failure_is_told_with_its_exit_code_and_its_hint(pipe):
    reading, writing = pipe

    Announcer(writing).failed(BrowseError(Code.PORT_IN_USE, "Port 1 is in use.", hint="another"))

    assert said(reading) == b"error 6\nPort 1 is in use.\nanother\n"


def test_half_a_character_is_told_as_well(pipe):
    reading, writing = pipe

    Announcer(writing).failed(BrowseError(Code.STATE_UNUSABLE, "no \udcff", hint="x"))

    assert said(reading) == b"error 6\nno ?\nx\n"


def test_a_client_that_has_gone_does_not_matter():
    reading, writing = os.pipe()
    os.close(reading)

    Announcer(writing).ready()


def test_without_a_pipe_nothing_is_said():
    Announcer(None).ready()
