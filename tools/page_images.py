"""Take the pictures of the daemon's own pages that docs/images holds.

It drives a daemon of its own, on pages made up for it: `.venv/bin/python -m tools.page_images`.
"""

import asyncio
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from playwright.async_api import Browser, Page, expect  # noqa: E402

from support.cli import Project  # noqa: E402
from support.everyday import cookie_page, visit_with_chromium  # noqa: E402
from support.own_pages import THEMES, persons_browser  # noqa: E402
from support.site import Site  # noqa: E402

IMAGES = ROOT / "docs" / "images"
COLOURS = 256
READY_MS = 60_000
Act = Callable[[Page], Awaitable[None]]
SHOP = """<title>Tea shop</title><style>body{font:20px system-ui;margin:0;background:#f0fdf4}
header{background:#14532d;color:#fff;padding:30px 60px;font-size:34px}
main{padding:40px 60px;display:grid;grid-template-columns:repeat(3,1fr);gap:24px}
div{background:#fff;border-radius:12px;padding:30px;box-shadow:0 2px 8px #0002}
button{font:inherit;padding:8px 20px}</style><header>Tea shop</header><main>
<div><h2>Sencha</h2><p>12.50</p><button>Add</button></div>
<div><h2>Gyokuro</h2><p>24.00</p><button>Add</button></div>
<div><h2>Assam</h2><p>8.90</p><button>Add</button></div></main>"""
ORDERS = """<title>Orders: back office</title><style>body{font:20px system-ui;margin:40px 80px}
table{width:100%;border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:16px}
th,td{text-align:left}</style><h1>Orders</h1><table><tr><th>No.<th>Customer<th>Total
<tr><td>1041<td>Anna<td>31.20<tr><td>1042<td>Li<td>12.50<tr><td>1043<td>Omar<td>99.00</table>
<p><button>Ship all</button>"""
GUIDE = """<title>API reference</title><style>body{font:22px/1.6 Georgia;margin:40px 160px}
pre{background:#222;color:#eee;padding:24px}</style><h1>API reference</h1>
<p>Every call takes a token. Errors have a code, a message and a hint.
<pre>GET /orders?state=open</pre>"""
# Sites of an everyday browser, with how many cookies each has.
SITES = {
    "github.example": 6,
    "mail.example": 9,
    "www.shop.example": 4,
    "calendar.example": 2,
    "docs.wiki.example": 3,
    "news.example": 12,
    "bank.example": 5,
    "chat.example": 7,
}
PROFILES = {"Default": ("Work", "anna@tea.example"), "Profile 1": ("Home", "")}
# Kind, outcome, and how many of it on each day, again and again.
ATTEMPTS = (
    ("content_warn", "warned", (1, 3, 0, 2, 4, 1, 0)),
    ("url_refused", "refused", (2, 0, 1, 1, 0)),
    ("tunnel_auth_denial", "refused", (0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 3)),
    ("cdp_method_denied", "refused", (0, 1, 0, 0, 0, 0)),
)


def scene(project: Project, site: Site) -> None:
    """Have some agents do some things."""
    _attempts(Path(project.env["HOME"]) / ".gstack" / "security" / "attempts.jsonl")
    project.ok("goto", site.page("/shop", SHOP))
    project.ok("newtab", site.page("/orders", ORDERS), BROWSE_AGENT="codex")
    project.ok("newtab", site.page("/guide", GUIDE), BROWSE_AGENT="claude")
    project.ok("snapshot", "-i", BROWSE_AGENT="codex")
    project.browse("click", "@e99", BROWSE_AGENT="codex")
    project.ok("text", BROWSE_AGENT="claude")
    project.ask("POST", "/token", {"clientId": "laptop"})
    project.ask("POST", "/pair", {"clientId": "reader", "scopes": ["read"]})
    project.ok("domain-skill", "save", "shop.example", stdin="# Tea\nPrices are in the table.")
    project.ok("automate", "begin")
    project.browse("click", "button", BROWSE_AGENT="codex")


def everyday(home: Path, site: Site) -> None:
    """Have a person use two browsers, one of them with two profiles."""
    chrome, brave = (
        home / ".config" / it for it in ("google-chrome", "BraveSoftware/Brave-Browser")
    )
    urls = []
    for host, count in SITES.items():
        cookie_page(site, f"/{host}", [f"c{at}=1; Max-Age=90000" for at in range(count)])
        urls.append(f"http://{host}:{site.port}/{host}")
    visit_with_chromium(chrome, urls)
    for folder, (name, account) in PROFILES.items():
        if folder != "Default":
            shutil.copytree(chrome / "Default", chrome / folder)
        told = {"profile": {"name": name}, "account_info": [{"email": account}]}
        (chrome / folder / "Preferences").write_text(json.dumps(told))
    shutil.copytree(chrome / "Default", brave / "Default")


async def picked(page: Page) -> None:
    """Import two sites, as a person does."""
    for host in ("github.example", "mail.example"):
        await page.get_by_role("button", name=f"Import {host}").click()
        await expect(page.locator(f"#ours [data-domain='{host}']")).to_be_visible(timeout=READY_MS)


async def nothing(_: Page) -> None:
    """Look only."""


def _attempts(log: Path) -> None:
    log.parent.mkdir(parents=True)
    today, lines = datetime.now(UTC), []
    for back in range(30):
        day = (today - timedelta(days=back)).strftime("%Y-%m-%dT08:00:00.000Z")
        for kind, outcome, counts in ATTEMPTS:
            entry = {"ts": day, "kind": kind, "reason": kind, "outcome": outcome}
            lines += [json.dumps(entry)] * counts[back % len(counts)]
    log.write_text("".join(f"{line}\n" for line in lines))


async def picture(
    person: Browser, address: str, name: str, ready: str, count: int, *, act: Act = nothing
) -> None:
    """Save a page in both themes, once it has so many of an element and something was done."""
    page = await person.new_page(viewport={"width": 1280, "height": 1000})
    await page.goto(address)
    await expect(page.locator(ready)).to_have_count(count, timeout=READY_MS)
    await act(page)
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        taken = Image.open(io.BytesIO(await page.screenshot()))
        small = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(IMAGES / f"{name}-{theme}.png", optimize=True)
    await page.close()


async def main() -> None:
    """Take all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="browse-images-") as folder:
        project, site = Project.make(Path(folder)), Site()
        try:
            await asyncio.to_thread(everyday, Path(project.env["HOME"]), site)
            picker = project.ok("cookie-import-browser", "--no-open", "--json").json["url"]
            async with persons_browser() as person:
                rows = "#theirs button"
                await picture(person, picker, "cookie-picker", rows, len(SITES), act=picked)
                await asyncio.to_thread(scene, project, site)
                here = f"http://127.0.0.1:{project.state()['port']}"
                address = project.ok("dashboard", "--no-open", "--json").json["url"]
                await picture(person, address, "dashboard", "#tabs img:not([hidden])", 3)
                await picture(person, f"{here}/welcome", "welcome", "li", 6)
        finally:
            project.end()
            site.close()


if __name__ == "__main__":
    asyncio.run(main())
