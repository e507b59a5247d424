"""Requests for files. What pages try is in tests/e2e/security/test_local_files.py."""

import time
from pathlib import Path
from typing import Any

import pytest

from browse.browser.network.file_requests import (
    MAX_BYTES,
    FileRequests,
    LoadedFile,
    is_file,
    load,
)
from browse.browser.network.frame_owners import UnknownOwner
from browse.browser.network.page_ids import PageIds
from browse.browser.network.refusals import Refusal
from browse.guard.files import Roots
from browse.guard.urls import check_url


class FakePage:
    def __init__(self, id: str) -> None:
        self.id = id


class Ids(PageIds):
    async def of(self, page: Any) -> str:
        return str(page.id)

    def known(self, page: Any) -> str:
        return str(page.id)


class Owners:
    """Two pages; the second was opened by the first, and has a frame."""

    async def targets(self) -> dict[str, dict[str, str]]:
        return {"one": {"type": "page"}, "popup": {"type": "page", "openerId": "one"}}

    async def page_of(self, frame: str) -> str:
        if frame != "frame of popup":
            raise UnknownOwner
        return "popup"


@pytest.fixture
def requests() -> FileRequests:
    made = FileRequests(Ids())
    made.begin(Owners())  # type: ignore[arg-type] # the two questions that are asked of it
    return made


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "mine" / "a.html").write_text("a")
    (tmp_path / "mine" / "b.html").write_text("b")
    return tmp_path / "mine"


def roots(*folders: Path) -> tuple[Roots, ...]:
    return tuple(Roots.of(str(folder)) for folder in folders)


def asked(path: Path | str, frame: str = "one", kind: str = "Document") -> dict[str, Any]:
    return {"frameId": frame, "resourceType": kind, "request": {"url": f"file://{path}"}}


async def opened(requests: FileRequests, path: Path, page: Any, folder: Path) -> None:
    url = check_url(f"file://{path}", cwd="/", roots=Roots.of(str(folder)))
    await requests.expect(page, url)
    assert isinstance(await requests.answer(asked(path, page.id)), LoadedFile)


async def test_nothing_is_read_for_a_page_that_nobody_opened_a_file_in(requests, mine):
    assert isinstance(await requests.answer(asked(mine / "a.html")), Refusal)
    assert isinstance(await requests.answer(asked(mine / "a.html", "unknown")), Refusal)


async def test_the_folders_count_from_the_request_for_the_expected_file_on(requests, mine):
    url = check_url(f"file://{mine}/a.html", cwd="/", roots=Roots.of(str(mine)))
    await requests.expect(FakePage("one"), url)

    for early in (asked(mine / "b.html"), asked(mine / "a.html", kind="Image")):
        assert isinstance(await requests.answer(early), Refusal)
    assert await requests.answer(asked(mine / "a.html")) == LoadedFile(b"a", "text/html")
    assert await requests.answer(asked(mine / "b.html")) == LoadedFile(b"b", "text/html")
    assert isinstance(await requests.answer(asked(mine.parent / "secret.txt")), Refusal)


async def test_another_caller_narrows_a_page_and_a_new_file_widens_it(requests, mine):
    page: Any = FakePage("one")
    await opened(requests, mine / "a.html", page, mine)
    await requests.narrow(page, Roots(()))

    assert isinstance(await requests.answer(asked(mine / "b.html")), Refusal)
    await opened(requests, mine / "a.html", page, mine)
    assert isinstance(await requests.answer(asked(mine / "b.html")), LoadedFile)


async def test_a_popup_has_the_folders_of_its_opener_as_they_were(requests, mine):
    await opened(requests, mine / "a.html", FakePage("one"), mine)
    await requests.inherit(FakePage("popup"))
    await opened(requests, mine.parent / "secret.txt", FakePage("one"), mine.parent)

    for frame in ("popup", "frame of popup"):
        assert isinstance(await requests.answer(asked(mine / "b.html", frame)), LoadedFile)
        secret = await requests.answer(asked(mine.parent / "secret.txt", frame))
        assert isinstance(secret, Refusal)


async def test_a_page_that_replaces_another_has_its_folders(requests, mine):
    await opened(requests, mine / "a.html", FakePage("one"), mine)
    await requests.copy(FakePage("two"), FakePage("one"))

    assert isinstance(await requests.answer(asked(mine / "b.html", "two")), LoadedFile)


def test_all_callers_must_be_allowed_to_read_a_file(mine):
    url = f"file://{mine}/a.html"

    assert isinstance(load(url, roots(mine, mine.parent)), LoadedFile)
    assert isinstance(load(url, roots(mine, mine / "below")), Refusal)
    assert isinstance(load(url, ()), Refusal)


def test_links_are_resolved_before_the_decision(mine):
    (mine / "out.html").symlink_to(mine.parent / "secret.txt")
    (mine / "in.html").symlink_to(mine / "a.html")

    assert isinstance(load(f"file://{mine}/out.html", roots(mine)), Refusal)
    assert load(f"file://{mine}/in.html", roots(mine)) == LoadedFile(b"a", "text/html")


def test_a_missing_file_and_a_folder_are_reported_as_missing(mine):
    for path in (f"{mine}/gone", f"{mine}/", str(mine)):
        refusal = load(f"file://{path}", roots(mine))
        assert isinstance(refusal, Refusal)
        assert refusal.net == "ERR_FILE_NOT_FOUND"


@pytest.mark.parametrize("url", ["file://host/a", "file:///%ff", "file:///a%00b", "file://[/a"])
def test_what_is_no_path_of_this_machine_is_refused(url):
    assert isinstance(load(url, roots(Path("/"))), Refusal)


def test_a_large_file_is_refused_with_its_limit(mine):
    with (mine / "big.html").open("wb") as big:
        big.truncate(MAX_BYTES + 1)

    refusal = load(f"file://{mine}/big.html", roots(mine))
    assert isinstance(refusal, Refusal)
    assert "50 MB" in refusal.why


@pytest.mark.parametrize(
    ("name", "type"),
    [("a.css", "text/css"), ("a.svg", "image/svg+xml"), ("plain", ""), ("a.svg.gz", "")],
)
def test_the_type_follows_from_the_name(mine, name, type):
    (mine / name).write_bytes(b"x")

    assert load(f"file://{mine}/{name}", roots(mine)) == LoadedFile(b"x", type)


def test_addresses_of_files_are_recognised_in_any_case():
    assert is_file("file:///a")
    assert is_file("FILE:///a")
    assert not is_file("filesystem:http://a/")
    assert not is_file("https://a/file:")


def test_a_refusal_is_as_old_as_the_request():
    before = time.monotonic()

    refusal = load("file:///etc/passwd", ())

    assert isinstance(refusal, Refusal)
    assert refusal.at >= before  # an old one no longer explains an error
