"""Which of several elements `text=` means, and what is said where none is better."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

SAID = "<output id=out></output>"


@pytest.fixture
def show(browser, site):
    """Serve markup where every button says what was pressed, and go there."""

    def go(html: str):
        script = "<script>onclick = (event) => { out.value += event.target.id }</script>"
        browser.post("goto", site.page("/preferred", SAID + html + script))
        return browser

    return go


@pytest.mark.parametrize(
    ("html", "others"),
    [
        ("<button hidden>Save</button><button id=it>Save</button>", "1 other matches"),
        ("<button>Save as</button><button id=it>Save</button><p>Saved</p>", "2 others match"),
        ("<h2>Save</h2><button id=it>Save</button>", "1 other matches"),
        ("<button>save</button><button id=it>Save</button>", "1 other matches"),
        ("<button disabled>Save</button><button id=it>Save</button>", "1 other matches"),
        ("<p>Save now</p><input type=submit value=Save id=it onclick='return false'>", "1 other"),
        ("<button hidden>Save</button><button id=it>Save as</button>", "1 other matches"),
    ],
    ids=["visible", "exact", "operable", "letter case", "enabled", "input", "visible first"],
)
def test_text_means_what_is_seen_exact_and_operable(show, html, others):
    page = show(html)

    ran = page.ok("click", "text=Save")

    assert page.ok("js", "out.value").page == "it"
    assert f"{others}" in ran.out
    assert "too\n" in ran.out


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<label>Action: <input id=it></label><label>Last action <input></label>", "label=Action"),
        (
            "<input aria-label='Row action'><select id=it aria-label='Action *'></select>",
            "label=Action",
        ),
        ("<input placeholder='Search it'><input id=it placeholder=Search>", "placeholder=Search"),
    ],
    ids=["colon", "required", "placeholder"],
)
def test_a_label_that_says_just_that_is_meant(show, html, target):
    ran = show(html).ok("attrs", target, "id")

    assert ran.page == "it"
    assert "1 other" in ran.err


def test_the_reply_says_which_it_was(show):
    page = show("<h2>Save</h2><button id=it>Save</button>")

    ran = page.ok("click", "text=Save", "--json")
    (chosen,) = ran.json["preferred"]

    assert chosen["others"] == 1
    assert page.ok("attrs", chosen["ref"], "id").page == "it"


def test_a_command_that_reads_says_so_too(show):
    page = show("<p hidden>Save</p><button id=it>Save</button>")

    ran = page.ok("attrs", "text=Save", "id")

    assert ran.page == "it"
    assert "'text=Save' means @e1; 1 other matches too" in ran.err


def test_equally_good_ones_are_listed_with_refs_and_what_tells_them_apart(show):
    row = "<li>{} <button id={}>Delete</button></li>"
    page = show(f"<h1>Delete</h1><ul>{row.format('Tea', 'one')}{row.format('Milk', 'two')}</ul>")

    ran = page.browse("click", "text=Delete")

    assert ran.code == 3
    assert "'text=Delete' matches 3 elements. Nothing was done." in ran.err
    assert ran.err.splitlines()[2:5] == [
        '@e1 [button] "Delete" [in "Tea"] (nth=1)',
        '@e2 [button] "Delete" [in "Milk"] (nth=2)',
        '@e3 [heading] "Delete" (nth=0)',
    ]
    page.ok("click", "@e2")
    assert page.ok("js", "out.value").page == "two"


def test_what_is_not_seen_is_marked_in_the_list(show):
    ran = show("<button>A</button><button hidden>B</button>").browse("click", "button")

    assert '@e1 [button] "A" (nth=0)\n@e2 [button] "" [not visible] (nth=1)' in ran.err


def test_words_in_a_drawing_are_told_in_the_list(show):
    page = show("<svg><text y=20>start</text><text y=40>start</text></svg>")

    ran = page.browse("click", "text=start")

    assert '@e1 [generic] "start" [in "(1 of 2)"] (nth=0)' in ran.err


def test_other_selectors_prefer_nothing(show):
    ran = show("<button hidden>Save</button><button>Save</button>").browse("click", "button")

    assert ran.code == 3


def test_the_number_in_the_list_is_that_of_the_selector(show):
    page = show("<button hidden>B</button><button id=one>B</button><button id=two>B</button>")
    page.browse("click", "text=B")

    page.ok("click", "text=B >> nth=2")

    assert page.ok("js", "out.value").page == "two"
