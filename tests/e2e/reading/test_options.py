"""The options of a select, listed."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

COUNTRY = """<label>Country <select id=country><option value=at>Austria<option disabled>Chad
{}</select></label><div role=listbox aria-label=Tea><p role=option>Assam<p role=option>Green</div>
<button>Go</button>""".format("".join(f"<option>Land {number}" for number in range(250)))


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/options", COUNTRY))
    return browser


def test_what_the_snapshot_counts_is_listed(page):
    shown = page.ok("snapshot", "-i").page
    (line,) = [line for line in shown.splitlines() if "Country" in line]

    ran = page.ok("options", line.split()[0])

    assert "[252 options]: Austria" in line
    assert "Land 7" not in shown
    assert ran.page.splitlines()[:3] == ["Austria (value: at)", "Chad [disabled]", "Land 0"]
    assert ran.out.endswith("(252 options, 252 shown)\n")


def test_words_choose_among_them(page):
    ran = page.ok("options", "#country", "land 24", "--json").json["page"]

    assert ran["count"] == 252
    assert [it["label"] for it in ran["options"]][:2] == ["Land 24", "Land 240"]
    assert len(ran["options"]) == 11


def test_those_of_a_listbox_are_listed(page):
    assert page.ok("options", "role=listbox").page == "Assam\nGreen"


def test_find_looks_through_options_that_the_snapshot_only_counts(page):
    assert '[option] "Land 249"' in page.ok("find", "Land", "249").page


def test_what_has_no_options_is_said(page):
    ran = page.browse("options", "text=Go")

    assert ran.code == 3
    assert "has no options" in ran.err
