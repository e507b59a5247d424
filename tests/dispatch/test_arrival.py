"""What is said of the page that a tab came to."""

from typing import Any

import pytest

from browse.dispatch.arrival import arrived, told_status
from browse.dispatch.site_notes import SiteNotes
from support.fakes import FakeTab

pytestmark = pytest.mark.issue(15)
ASKED = "http://127.0.0.1/x"


async def reply(url: str, notes: SiteNotes | None = None, title: str = "Tea\n  shop"):
    tab: Any = FakeTab(1, url)
    tab._title = title
    known = notes or SiteNotes()
    return await arrived(tab, "Gone", ASKED, known, facts={"status": 200})


async def test_the_address_that_was_asked_for_is_not_repeated():
    said = await reply(f"{ASKED}#part")

    assert (said.text, said.page, said.judged) == ("Gone", "", True)
    assert said.data == {"status": 200, "page": {"url": f"{ASKED}#part"}}


async def test_another_address_comes_with_the_title_as_page_words():
    said = await reply("http://127.0.0.1/y")

    assert said.text == "Gone → now at http://127.0.0.1/y"
    assert (said.page, said.source) == ("title: Tea shop", "http://127.0.0.1/y")
    assert not said.judged
    assert said.data["page"] == {"url": "http://127.0.0.1/y", "title": "Tea shop"}


async def test_notes_follow_the_title():
    said = await reply("http://127.0.0.1/y", SiteNotes(["Notes on it:"], "a note", "notes:it"))

    assert said.text.splitlines() == ["Gone → now at http://127.0.0.1/y", "Notes on it:"]
    assert (said.page, said.source) == ("title: Tea shop\na note", "notes:it")


async def test_the_title_of_a_site_without_notes_is_the_pages_own():
    said = await reply("http://127.0.0.1/y", SiteNotes(source="notes:it"))

    assert (said.page, said.source) == ("title: Tea shop", "http://127.0.0.1/y")


@pytest.mark.parametrize(("status", "said"), [(None, ""), (200, ""), (304, ""), (404, " (404)")])
def test_only_a_status_that_is_an_error_is_said(status, said):
    assert told_status(status) == said
