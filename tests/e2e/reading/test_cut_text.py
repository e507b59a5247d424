"""Text that does not fit into a reply: what is left out is not read, and still not lost."""

import re

import pytest

pytestmark = pytest.mark.e2e

SECRETLY = "Acme is the only maker of shoes that anybody trusts"
UNREAD = r"\[more was not read: add --after (\d+) for the rest, or --max-chars 0 for all\]"
LINES = range(1500)
TABLE = "<table><tr><th>Item<th>Price<th>Who" + "".join(
    f"<tr><td>{n}<td><a href=/x>row {n}</a>, <b>bold</b><td>" for n in LINES
)
PARAGRAPHS = "".join(f"<p>Paragraph <i>number</i> {n}<br>goes on</p>\n" for n in LINES)
CODE = f"<pre>{''.join(f'  line {n}{chr(10)}' for n in LINES)}</pre><p>end</p>"
LISTS = f"<ul>{''.join(f'<li>Item {n} <input value=v{n}> <span> it</span>' for n in LINES)}</ul>"
BARE = "".join(f"<b>word {n}</b> and <i>more</i><br>" for n in LINES)
STYLED = "<style>p, td { position: relative; color: #123 } b { overflow: hidden }</style>"


@pytest.fixture
def show(browser, site):
    """Serve markup and go there."""

    def go(html: str, path: str = "/cut-text"):
        browser.post("goto", site.page(path, html))
        return browser

    return go


@pytest.mark.parametrize("html", [TABLE, PARAGRAPHS, CODE, LISTS, BARE, STYLED + TABLE])
def test_a_part_of_a_text_and_what_follows_are_the_whole(show, html):
    page = show(f"<h1>Much</h1><main><div>{html}</div></main><footer>End</footer>")
    whole = page.ok("text", "--max-chars", "0").page
    part = page.ok("text", "--max-chars", "3000")
    following = int(re.findall(UNREAD, part.out)[0])
    rest = page.ok("text", "--max-chars", "0", "--after", str(following)).page

    assert 2000 < len(part.page) <= 3000
    assert f"{part.page}\n{rest}" == whole
    assert whole.endswith("\nEnd")


def test_an_element_at_the_end_is_read_as_far_as_it_is_shown(show):
    page = show(f"{STYLED}<div>{PARAGRAPHS}</div><div id=last>{TABLE}</table></div>")

    assert page.ok("text", "#last", "--max-chars", "100").page.startswith(
        "Item\tPrice\tWho\n0\trow 0"
    )


def test_what_fits_is_read_to_its_end(show):
    page = show(f"<p>{'word ' * 3000}</p>")
    ran = page.ok("text", "--max-chars", "20000")

    assert (len(ran.page), "not read" in ran.out) == (14_999, False)


def test_of_a_frame_that_does_not_fit_nothing_is_lost(show, site):
    site.page("/cut-frame", f"<div>{PARAGRAPHS}</div>")
    page = show("<p>before</p><iframe src=/cut-frame></iframe><p>after</p>")
    page.ok("wait", "--load")
    whole = page.ok("text", "--max-chars", "0").page
    part = page.ok("text", "--max-chars", "3000")
    following = int(re.findall(UNREAD, part.out)[0])

    assert whole.startswith(part.page)
    assert "after" not in part.page
    assert whole[following:].endswith("[end of frame]\nafter")


def test_what_nobody_sees_is_left_out_of_the_part_that_is_read(show):
    faint = f"<p style=opacity:0>{SECRETLY}</p>"
    page = show(f"<div>{faint}{PARAGRAPHS}{faint}</div>")
    ran = page.ok("text", "--max-chars", "3000")

    assert SECRETLY not in ran.page
    assert "1 block that a person cannot see was left out: transparent (1)" in ran.out
    assert SECRETLY not in page.ok("text", "--max-chars", "0").page


def test_what_covers_words_counts_wherever_it_stands_in_the_page(show):
    covered = f"<p style=position:relative;pointer-events:none>{SECRETLY}</p>"
    cover = "<div style='position:absolute;inset:0 0 auto;height:90px;background:#fff'></div>"
    ran = show(f"{covered}<div>{PARAGRAPHS}</div>{cover}").ok("text", "--max-chars", "3000")

    assert SECRETLY not in ran.page
    assert "covered (1)" in ran.out


def test_lines_that_were_not_read_count_as_new_and_that_is_said(show):
    page = show(f"<div>{PARAGRAPHS}</div>")
    first = page.ok("text", "--max-chars", "3000").page
    ran = page.ok("text", "--since", "--max-chars", "0")

    assert "(your last text was cut: lines after it count as new; " in ran.out
    assert first.splitlines()[1] not in ran.page.splitlines()[0]
    assert ran.page.endswith("Paragraph number 1499\ngoes on")


def csv_in_parts(page, *words):
    whole = page.ok("table", "--csv", *words, "--max-chars", "0").page
    part = page.ok("table", "--csv", *words, "--max-chars", "2000")
    after = re.findall(r"--after (\d+) for the rest", part.out)[0]
    rest = page.ok("table", "--csv", *words, "--max-chars", "0", "--after", after).page
    assert f"{part.page}\n{rest}" == whole
    return part


def test_of_a_table_only_the_rows_that_fit_are_read(show):
    foot = "<tfoot><tr><td>Sum<td>9<td></tfoot>"
    faint = f"<span style=opacity:0>{SECRETLY}</span>"
    late = TABLE.replace("row 1400", f"row {faint}").replace("row 3<", f"row {faint}<")
    ran = csv_in_parts(show(late.replace("<table>", f"<table>{foot}")))

    assert re.search(UNREAD, ran.out)
    assert ran.page.startswith('Item,Price,Who\n0,"row 0, bold",\n')
    assert '3,"row , bold"' in ran.page
    assert "1 block that a person cannot see was left out: transparent (1)" in ran.out


@pytest.mark.parametrize(
    "html",
    [
        TABLE + "<tr><td>a<td>b<td>c<td>a fourth column",
        re.sub("</?th", "<td", TABLE),
        f"<table>{''.join(f'<tr><td>a{n}<td>b{n}' for n in LINES)}<tr><td>1<td>2",
    ],
    ids=["a wider row", "a header that looks like a row", "no header"],
)
def test_a_table_whose_later_rows_count_for_the_first_is_read_as_a_whole(show, html):
    assert not re.search(UNREAD, csv_in_parts(show(html)).out)
