"""The files of saved states."""

import stat

import pytest

from browse.browser.storage.saved_state import Cookie, SavedState, SavedTab
from browse.browser.storage.state_file import StateFolder, checked_name
from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import Roots
from browse.registry.params import Surroundings

ANYWHERE = Surroundings("/", Roots(()))


def a_state(url: str = "https://a.example/") -> SavedState:
    cookie = Cookie("login", "s3cr3t", "a.example", "/", same_site="Strict")
    return SavedState(1, "2026-01-01", [cookie], [SavedTab(url, is_active=True)], [{"origin": "x"}])


def files(shelf: StateFolder) -> list[str]:
    return sorted(path.name for path in shelf.folder.iterdir())


@pytest.fixture
def shelf(tmp_path) -> StateFolder:
    return StateFolder(tmp_path / "states")


def test_a_state_is_read_as_it_was_written(shelf):
    path = shelf.write("one", a_state())

    assert shelf.read("one") == a_state()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert files(shelf) == ["one.json"]


def test_the_state_before_is_kept_beside_if_it_was_good(shelf):
    path = shelf.write("one", a_state())
    spare = path.with_name("one.json.bak")
    good = path.read_bytes()

    shelf.write("one", a_state("https://b.example/"))
    assert spare.read_bytes() == good
    path.write_text("{")
    shelf.write("one", a_state())
    assert spare.read_bytes() == good
    path.write_text("{")
    with pytest.raises(BrowseError) as caught:
        shelf.read("one")
    assert str(spare) in caught.value.hint


def test_a_broken_state_never_replaces_a_good_one(shelf):
    path = shelf.write("one", a_state())
    good = path.read_bytes()
    broken = a_state()
    broken.version = 99

    with pytest.raises(BrowseError, match="newer"):
        shelf.write("one", broken)

    assert path.read_bytes() == good
    assert files(shelf) == ["one.json"]


def test_a_link_is_not_followed(shelf, tmp_path):
    shelf.folder.mkdir()
    (tmp_path / "elsewhere").write_text("precious")
    shelf.path("one").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(BrowseError, match="cannot be used"):
        shelf.read("one")
    shelf.write("one", a_state())
    assert (tmp_path / "elsewhere").read_text() == "precious"


def test_only_names_of_states_are_listed_and_removal_takes_the_spare_along(shelf):
    assert shelf.names() == []
    for name in ("b", "a", "a"):
        shelf.write(name, a_state())
    (shelf.folder / "not a name.json").touch()

    assert shelf.names() == ["a", "b"]
    shelf.remove("a")
    assert files(shelf) == ["b.json", "not a name.json"]
    with pytest.raises(BrowseError, match="State not found: a") as caught:
        shelf.remove("a")
    assert caught.value.code is Code.SAVED_STATE
    assert caught.value.hint == "known states: b"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a.b", "a b", "é", "x" * 101, "a\n"])
def test_a_name_that_is_no_plain_word_is_refused(name):
    with pytest.raises(Usage, match="State name must be alphanumeric"):
        checked_name(name, ANYWHERE)


def test_a_state_that_gstack_saved_is_found_until_there_is_one_of_ours(tmp_path):
    shelf = StateFolder(tmp_path / "browse-states")
    old = tmp_path / "browse-state-shop.json"
    old.write_text(
        '{"version": 1, "savedAt": "2026-04-26T10:00:00Z", "cookies": [],'
        ' "pages": [{"url": "https://old.example/", "isActive": true}]}'
    )
    (tmp_path / "browse-state-.json").write_text("{}")
    assert shelf.names() == ["shop"]
    assert [page.url for page in shelf.read("shop").pages] == ["https://old.example/"]

    saved = shelf.write("shop", a_state("https://new.example/"))

    assert saved == tmp_path / "browse-states" / "shop.json"
    assert [page.url for page in shelf.read("shop").pages] == ["https://new.example/"]
    shelf.remove("shop")
    assert shelf.names() == []
    assert not old.exists(), "what was removed does not come back"


def test_a_link_beside_the_folder_is_not_followed(tmp_path):
    (tmp_path / "secret.json").write_text("{}")
    (tmp_path / "browse-state-x.json").symlink_to(tmp_path / "secret.json")

    with pytest.raises(BrowseError, match="cannot be used"):
        StateFolder(tmp_path / "browse-states").read("x")
