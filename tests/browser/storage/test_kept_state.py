"""The file in which sessions are kept for the next daemon."""

import pytest

from browse.browser.storage.kept_state import KeptFile, KeptState
from browse.browser.storage.saved_state import SavedState, SavedTab
from browse.browser.storage.state_file import NewerState, UnfitState


def a_state(url: str = "https://a.example/") -> KeptState:
    work = SavedState(1, "now", [], [SavedTab("about:blank")])
    return KeptState(1, "now", [], [SavedTab(url, holders=["ada"])], sessions={"work": work})


@pytest.fixture
def kept(tmp_path) -> KeptFile:
    return KeptFile(tmp_path / "session-state.json")


def test_it_is_read_as_it_was_written_and_written_only_if_something_is_new(kept):
    assert kept.read() is None
    assert kept.write(a_state())
    assert not kept.write(a_state())
    assert kept.write(a_state("https://b.example/"))

    assert kept.read() == a_state("https://b.example/")
    assert kept.path.stat().st_mode & 0o777 == 0o600


def test_what_could_not_be_read_again_replaces_nothing(kept):
    kept.write(a_state())
    broken = a_state()
    broken.cookies = ["no cookie"]  # type: ignore[list-item]

    with pytest.raises(UnfitState):
        kept.write(broken)

    assert kept.read() == a_state()


def test_a_corrupt_file_is_set_aside_and_one_of_a_newer_browse_is_known(kept):
    kept.path.write_text('{"version": 9}')
    with pytest.raises(NewerState):
        kept.read()
    kept.path.write_text("{")
    with pytest.raises(UnfitState):
        kept.read()

    aside = kept.set_aside()

    assert kept.read() is None
    assert aside.read_text() == "{"
