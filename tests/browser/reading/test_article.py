"""Finding the article of a page, without a browser."""

import pytest

from browse.browser.reading.article import Page, article_of, extract

WORDS = "The ferry crosses the bay twice a day, in the morning and late in the afternoon."
HTML = f"""<html><head><title>The ferry</title><meta name=author content="Ada Lane">
<meta property="article:published_time" content="2026-02-03"></head>
<body><nav><a href=/>Home</a></nav><article><h1>The ferry</h1>
<p>{WORDS}</p><p>{WORDS.replace("ferry", "boat")}</p>
<p>{WORDS.replace("bay", "<a href=/b>sound</a>")}</p>
</article><footer>All rights reserved.</footer></body></html>"""


@pytest.fixture(scope="module")
def found():
    return extract(Page(HTML, "https://bay.example/ferry", markdown=False))


def test_the_article_is_found_without_what_is_around_it(found):
    assert WORDS in found.text
    assert "Home" not in found.text
    assert "rights" not in found.text


def test_what_the_page_says_about_it_is_told(found):
    assert (found.title, found.author, found.date) == ("The ferry", "Ada Lane", "2026-02-03")


def test_a_date_is_not_guessed_from_the_words():
    dated = HTML.replace('<meta property="article:published_time" content="2026-02-03">', "")
    dated = dated.replace("All rights reserved.", "Founded on 4 May 1987.")

    found = extract(Page(dated, "https://bay.example/ferry", markdown=False))

    assert found
    assert found.date is None


def test_as_markdown_it_has_headings_and_links():
    found = extract(Page(HTML, "https://bay.example/ferry", markdown=True))

    assert found
    assert "# The ferry" in found.text
    assert "[sound](https://bay.example/b)" in found.text


@pytest.mark.parametrize("html", ["", "<p>Sign in", "<form><label>Name <input></label></form>"])
def test_a_page_without_sentences_has_no_article(html):
    assert extract(Page(html, "https://bay.example/", markdown=False)) is None


async def test_another_process_finds_the_same(found):
    assert await article_of(Page(HTML, "https://bay.example/ferry", markdown=False)) == found
