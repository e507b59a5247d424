"""Finding the article of a page: its words without navigation, advertising and the like.

Done in a process of its own, which can be ended when a page takes too long, and which takes a
hostile page's crash with it.
"""

import asyncio
import sys
from typing import Any

import msgspec

from browse.core.children import reap
from browse.core.errors import BrowseError, Code

MAX_HTML_CHARS = 20_000_000
LIMIT_S = 20.0
# A page has no article if no line of what is found is as long as a sentence.
SENTENCE_CHARS = 50


class Page(msgspec.Struct):
    """What is looked at."""

    html: str
    url: str
    markdown: bool


class Article(msgspec.Struct, omit_defaults=True):
    """What a page is about, as far as it says so."""

    text: str
    title: str | None = None
    author: str | None = None
    date: str | None = None


async def article_of(page: Page) -> Article | None:
    """Find the article in the HTML of a page; None when there is none."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )  # fmt: skip
    try:
        async with asyncio.timeout(LIMIT_S):
            answer, _ = await child.communicate(msgspec.json.encode(page))
    except TimeoutError:
        raise too_large(f"No article was found within {LIMIT_S:.0f} s") from None
    finally:
        if child.returncode is None:
            child.kill()
            await reap(child)
    # A page that ends the process has no article that can be found.
    return msgspec.json.decode(answer, type=Article | None) if answer else None


def too_large(what: str) -> BrowseError:
    """Say that a page is too much to look for an article in."""
    return BrowseError(
        Code.PAGE_TOO_LARGE,
        f"{what}: the page is too large to look for one.",
        hint="name the part that holds it, such as `browse text --main '#content'`, or leave out "
        "--main",
    )


def extract(page: Page) -> Article | None:
    """Find the article; imports what takes long, so only the process for it calls this."""
    from trafilatura import bare_extraction

    found: Any = bare_extraction(
        page.html,
        url=page.url,
        with_metadata=True,
        include_comments=False,
        include_links=page.markdown,
        include_images=page.markdown,
        include_formatting=page.markdown,
        # Dates that the page states, not those that can be guessed from its words.
        date_extraction_params={"original_date": True, "extensive_search": False},
    )
    if found is None or all(len(line) < SENTENCE_CHARS for line in found.text.splitlines()):
        return None
    return Article(found.text.strip(), found.title, found.author, found.date)


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Page)
    sys.stdout.buffer.write(msgspec.json.encode(extract(asked)))
