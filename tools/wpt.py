"""Measure the accessibility library with the pages of web-platform-tests.

    tools/wpt.py <folder>

An element with `data-expectedlabel` has that name, one with `data-expectedrole` that role.
"""

import asyncio
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.async_api import Page, async_playwright  # noqa: E402
from support import axtree  # noqa: E402

from browse.browser.find import find  # noqa: E402

READ = """(lib) => lib.tree.roots().flatMap((root) => lib.tree.all(root, "[data-expectedlabel], [data-expectedrole]"))
  .map((it) => ({
    test: it.getAttribute("data-testname") || it.outerHTML.slice(0, 60),
    label: it.getAttribute("data-expectedlabel"), role: it.getAttribute("data-expectedrole"),
    gotLabel: lib.names.of(it), gotRole: lib.roles.of(it),
  }))"""


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


async def measure(page: Page, file: Path, tally: dict[str, list[int]]) -> None:
    await page.goto(file.as_uri())
    told = json.loads(await page.locator("wpt=x").text_content() or "{}")
    if "error" in told:
        print(f"{file}: {told['error']}")
        return
    for item in told["value"]:
        for kind, wanted, got in (
            ("name", item["label"], item["gotLabel"]),
            ("role", item["role"], item["gotRole"]),
        ):
            if wanted is None:
                continue
            right = fold(wanted) == fold(got)
            tally[kind][0] += right
            tally[kind][1] += 1
            if not right:
                print(f"{kind}  {file.name}  {item['test']}: wanted {wanted!r}, got {got!r}")


async def main(folder: Path) -> None:
    tally = {"name": [0, 0], "role": [0, 0]}
    async with async_playwright() as driver:
        await driver.selectors.register("wpt", axtree.engine(READ), content_script=True)
        browser = await driver.chromium.launch(
            executable_path=find("").path, chromium_sandbox=False
        )
        page = await browser.new_page()
        for file in sorted(folder.rglob("*.html")):
            await measure(page, file, tally)
        await browser.close()
    print(", ".join(f"{kind}s {right}/{total}" for kind, (right, total) in tally.items()))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tools/wpt.py <folder of web-platform-tests>")
    asyncio.run(main(Path(sys.argv[1])))
