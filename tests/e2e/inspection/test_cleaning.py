"""What is in the way is hidden, and comes back."""

import io

import pytest
from PIL import Image

pytestmark = pytest.mark.e2e

PAGE = """<!doctype html><style>
body { margin: 0; overflow: hidden }
.fixed { position: fixed } #bar { top: 0; width: 100%; height: 40px }
#title { background: #f00; height: 30px }
</style>
<nav class=fixed id=nav>Menu</nav><div class=fixed id=bar>Bar</div>
<div class=fixed id=bubble style="bottom: 0">Chat with us</div>
<main><h1 id=title>Tea</h1>
<div class="ad-banner" id=advert style="color: red">Buy tea</div><p id=label>Advertisement</p>
<div class="sidebar-widget" id=spare style="height: 200px"></div>
<p id=secret style="filter: blur(4px)">Steeped</p>
<p id=story style="height: 2000px">Story</p></main>
<div id=onetrust-banner-sdk>We use cookies</div><div class=share-buttons id=share>Share</div>
<div class=modal-backdrop id=backdrop>Sign up</div><div class=newsletter id=letter>Letter</div>
<x-shell id=shell></x-shell>
<script>
shell.attachShadow({mode: "open"}).innerHTML = "<div class='cookie-banner'>Shadow cookies</div>"
</script>"""
SEEN = (
    "[...document.querySelectorAll('[id]')].filter(e => e.checkVisibility()).map(e => e.id).join()"
)
WHOLE = (
    "document.documentElement.outerHTML + shell.shadowRoot.innerHTML"
    " + [scrollY, innerWidth, innerHeight]"
)


@pytest.fixture
def littered(browser, site):
    browser.post("goto", site.page("/littered", PAGE))
    return browser


def test_everything_in_the_way_is_hidden_and_can_be_put_back(littered):
    before = littered.ok("js", WHOLE).page

    ran = littered.ok("cleanup")

    assert ran.out.strip() == (
        "Cleaned up: ads, cookie banners, social widgets, overlays, clutter, "
        "1 sticky/fixed elements, scroll unlocked, 1 blurred elements, 1 ad labels, "
        "1 empty placeholders"
    )
    assert littered.ok("js", SEEN).page == "nav,bar,title,secret,story,shell"
    assert "Shadow cookies" not in littered.ok("text").page
    assert littered.ok("cleanup").out.strip() == "No clutter elements found to remove."
    assert littered.ok("cleanup", "--undo", "--json").json == {"restored": 11}
    assert littered.ok("js", WHOLE).page == before
    assert littered.ok("cleanup", "--undo").out.strip() == "There is nothing to put back."


def test_only_what_is_asked_for_is_hidden(littered):
    told = littered.ok("cleanup", "--cookies", "--social", "--json").json

    assert told["groups"] == ["cookies", "social"]
    assert told["found"] == {"cookies": 2, "social": 1, "blurred": 1, "locked": 1}
    assert littered.browse("cleanup", "--undo", "--ads").code == 2
    assert "Unknown flag: --adds. Did you mean --ads?" in littered.browse("cleanup", "--adds").err


def test_a_picture_without_clutter_leaves_the_page_as_it_was(littered):
    littered.post("cleanup", "--ads")
    before = littered.ok("js", WHOLE).page

    words = [
        "--cleanup",
        "--hide",
        "#title",
        "#story,#bar",
        "--width",
        "900",
        "clean.png",
    ]
    ran = littered.ok("prettyscreenshot", *words)

    assert ran.out == f"Screenshot saved (cleaned): {littered.root.resolve()}/clean.png\n"
    image = Image.open(littered.root / "clean.png").convert("RGB")
    assert (image.width, image.height) == (900, 720)
    assert (255, 0, 0) not in {colour for _, colour in image.getcolors(10**6) or []}
    assert littered.ok("js", WHOLE).page == before
    assert littered.ok("cleanup", "--undo", "--json").json["restored"] > 0


@pytest.mark.parametrize("where", ["#deep", "wanted words"])
def test_a_picture_can_be_scrolled_to_something(browser, site, where):
    room = "<div style='height: 3000px'></div>"
    wanted = "<p id=deep style='background: #00f; height: 80px'>The wanted words</p>"
    html = f"<body style='margin: 0'>{room}{wanted}{room}"
    browser.post("goto", site.page("/deep", html))

    ran = browser.ok("prettyscreenshot", "--scroll-to", where, "deep.jpg")

    assert f"Screenshot saved (scrolled to: {where}): " in ran.out
    image = Image.open(io.BytesIO((browser.root / "deep.jpg").read_bytes())).convert("RGB")
    assert image.size == (1280, 720)
    assert image.getpixel((1000, 360)) in {(0, 0, 254), (0, 0, 255)}
    assert browser.ok("js", "scrollY").page == "0"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--scroll-to", "no such words"], 3, "neither as a selector nor as text"),
        (["--hide", "#nothing"], 3, "Nothing on the page matches '#nothing'"),
        (["--hide", "p["], 2, "cannot be parsed"),
        (["--width", "0"], 2, "--width: '0' is not a whole number"),
        (["picture"], 3, "Nothing on the page matches 'picture'"),
        (["a.png", "b.png"], 2, "two files were named"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_a_picture_that_fails_leaves_the_page_as_it_was(littered, words, code, message):
    before = littered.ok("js", WHOLE).page

    ran = littered.browse("prettyscreenshot", "--cleanup", "--hide", "#title", *words)

    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
    assert littered.ok("js", WHOLE).page == before
