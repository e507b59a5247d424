"""Measure the accessibility library with pages of web-platform-tests.

tools/wpt.py <folder>: an element with `data-expectedlabel` has that name, one with
`data-expectedrole` that role. Prints each miss, then how many were right.
"""

import asyncio
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.async_api import Page, async_playwright  # noqa: E402

from support import axtree  # noqa: E402


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


async def measure(page: Page, file: Path, right: Counter[str], total: Counter[str]) -> None:
    """Compare one page's expectations with what the library says."""
    await page.goto(file.as_uri())
    for item in await axtree.ask(page, "expected"):
        for kind, wanted in item["wanted"].items():
            if wanted is None:
                continue
            got = item["got"][kind]
            total[kind] += 1
            right[kind] += fold(wanted) == fold(got)
            if fold(wanted) != fold(got):
                print(f"{kind}  {file.name}  {item['test']}: wanted {wanted!r}, got {got!r}")


async def main(files: list[Path]) -> None:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    async with async_playwright() as driver:
        browser = await axtree.launched(driver)
        page = await browser.new_page()
        for file in files:
            await measure(page, file, right, total)
        await browser.close()
    print(", ".join(f"{kind}s {right[kind]}/{total[kind]}" for kind in ("name", "role")))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tools/wpt.py <folder of web-platform-tests>")
    asyncio.run(main(sorted(Path(sys.argv[1]).resolve().rglob("*.html"))))
