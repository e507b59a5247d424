"""Find the article of a page: its text without navigation and advertising.

Runs in a separate process, which can be killed when a page takes too long, and which contains the
crash that a hostile page may cause.
"""

import asyncio
import sys
from typing import Any

import msgspec

from browse.core.children import Child, Launch
from browse.core.errors import BrowseError, Code

MAX_HTML_CHARS = 20_000_000
# The text is part of the HTML, and a character has up to four bytes, more if it is escaped.
MAX_ANSWER_BYTES = 8 * MAX_HTML_CHARS
LIMIT_S = 20.0
# A page has no article if no extracted line is as long as a sentence.
SENTENCE_CHARS = 50


class ArticleInput(msgspec.Struct):
    """The HTML to search, and the format of the result."""

    html: str
    url: str
    markdown: bool


class Article(msgspec.Struct, omit_defaults=True):
    """The article's text, and the metadata that the page states."""

    text: str
    title: str | None = None
    author: str | None = None
    date: str | None = None


async def find_article(page: ArticleInput) -> Article | None:
    """Find the article in the HTML of a page; None if there is none."""
    child = await Child.start(
        Launch([sys.executable, "-I", "-m", __name__], environ={}, stdin=True)
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            answer = await child.exchange(msgspec.json.encode(page), max_bytes=MAX_ANSWER_BYTES)
    except TimeoutError:
        raise page_too_large(f"No article was found within {LIMIT_S:.0f} s") from None
    finally:
        await child.kill()
    # No answer means that the page crashed the process.
    return msgspec.json.decode(answer, type=Article | None) if answer else None


def page_too_large(what: str) -> BrowseError:
    """Build the error for a page that is too large to search for an article."""
    return BrowseError(
        Code.PAGE_TOO_LARGE,
        f"{what}: the page is too large to search.",
        hint="name the part to search, such as `browse text --main '#content'`, or leave out "
        "--main",
    )


def extract(page: ArticleInput) -> Article | None:
    """Find the article. Only the separate process calls this: the import is slow."""
    from trafilatura import bare_extraction

    found: Any = bare_extraction(
        page.html,
        url=page.url,
        with_metadata=True,
        include_comments=False,
        include_links=page.markdown,
        include_images=page.markdown,
        include_formatting=page.markdown,
        # Only dates that the page states, none guessed from its text.
        date_extraction_params={"original_date": True, "extensive_search": False},
    )
    if found is None or all(len(line) < SENTENCE_CHARS for line in found.text.splitlines()):
        return None
    return Article(found.text.strip(), found.title, found.author, found.date)


if __name__ == "__main__":
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=ArticleInput)
    sys.stdout.buffer.write(msgspec.json.encode(extract(given)))
