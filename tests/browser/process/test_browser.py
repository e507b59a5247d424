"""The browser's life, before there is one."""

import pytest

from browse.browser.process.browser import Session, stopping
from browse.core.errors import Code
from browse.core.paths import Paths
from browse.core.settings import Settings


@pytest.fixture
def session(tmp_path) -> Session:
    paths = Paths(tmp_path / ".gstack/browse.json", tmp_path / "home")
    return Session(Settings(), paths, on_gone=lambda _: None)


def test_a_session_that_was_not_begun_is_not_up(session):
    assert not session.is_up
    assert session.open_tabs is None


async def test_to_use_it_then_is_a_defect(session):
    with pytest.raises(RuntimeError, match="not begun"):
        await session.tabs()


async def test_it_can_be_closed_all_the_same(session):
    await session.close()

    assert not session.is_up


def test_the_end_is_said_with_what_to_do():
    assert stopping().code is Code.DAEMON_STOPPING
    assert "again" in stopping().hint
