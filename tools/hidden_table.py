"""How much hidden content is found: `.venv/bin/python -m tools.hidden_table [name]`.

Reads the pages in tests/browser/hidden and prints what was found on each, then the two rates. With
a name only that page, and all that was found on it.
"""

import asyncio
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "tests")]

from playwright.async_api import async_playwright  # noqa: E402

from support import hiding  # noqa: E402


async def main(only: str) -> None:
    async with async_playwright() as driver, hiding.opened(driver) as page:
        for file, wanted in (("hostile.html", True), ("benign.html", False)):
            found = total = 0
            for case in hiding.cases(file):
                if only not in case.name:
                    continue
                outcome = await hiding.read(page, case)
                whys = ", ".join(sorted({it.why for it in outcome.alarms})) or "-"
                alarmed = bool(outcome.alarms)
                total += 1
                found += alarmed
                right = alarmed == wanted and not (wanted and outcome.leaks)
                leaks = " LEAKS" if outcome.leaks else ""
                print(f"{'' if right else '!!':3}{case.name:45}{whys}{leaks}")
                if only:
                    print(outcome.text, *outcome.alarms, sep="\n    ")
            print(f"\n{file}: {found} of {total} alarm ({found / max(total, 1):.3f})\n")


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:])))
