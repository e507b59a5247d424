"""Pages that were read are kept as they were, but for secrets, and only so many."""

from browse.flow import pages
from browse.flow.pages import Pages

MINE = ("", 1)


async def test_page_comes_back_without_what_fields_for_secrets_hold():
    kept = Pages()
    key = "AKIA" + "Q3EXAMPLE7KEY001"

    await kept.add(MINE, 4, f'<p>é</p><input type=password value="hunter2x"><i>{key}</i>')

    found = kept.get(MINE, 4) or ""
    assert "<p>é</p>" in found
    assert "hunter2x" not in found
    assert key not in found
    assert kept.get(MINE, 5) is None


async def test_tab_keeps_its_latest_pages():
    kept = Pages()

    for number in range(1, pages.MAX_TAB_PAGES + 3):
        await kept.add(MINE, number, f"<p>{number}")

    assert [kept.get(MINE, number) for number in (1, 2, 3)] == [None, None, "<p>3"]


async def test_pages_of_all_tabs_have_one_bound(monkeypatch):
    monkeypatch.setattr(pages, "MAX_BYTES", 100)
    kept = Pages()

    for tab in range(1, 20):
        await kept.add(("", tab), 1, f"<p>{tab}")

    assert kept.get(("", 1), 1) is None
    assert kept.get(("", 19), 1) == "<p>19"
