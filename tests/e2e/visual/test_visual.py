"""Pictures: what is on them, and that nothing is left behind in the page."""

import base64
import io
import stat

import pytest
from PIL import Image

from support.life import assert_clear, driven

pytestmark = pytest.mark.e2e

# Coloured boxes, so that a picture tells what it shows.
PAGE = """<!doctype html><title>Boxes</title><style>
body { margin: 0 } #top { height: 100px; background: #f00 }
#box { width: 300px; height: 100px; overflow: auto; scroll-behavior: smooth }
#deep { width: 80px; height: 60px; background: #0f0 }
#far { width: 70px; height: 50px; background: #00f }
iframe { display: block; border: 0; width: 300px; height: 120px }
</style>
<div id=top></div>
<div id=box>
<div style="height: 500px"></div><div id=deep></div><div style="height: 500px"></div>
</div>
<iframe id=frame srcdoc="<style>body{margin:0}</style><div style='height:700px'></div>
<button style='background:#ff0;border:0;width:90px;height:40px;display:block'>Framed</button>
<div style='height:500px'></div>"></iframe>
<div style="height: 3000px"></div><div id=far></div><div id=flat></div><div id=gone hidden>x</div>
<script>resizes = 0; addEventListener("resize", () => resizes += 1)</script>"""
PLACES = (
    "[scrollY, box.scrollTop, frame.contentWindow.scrollY,"
    " innerWidth, innerHeight, devicePixelRatio].join()"
)
PAINTING = """<body><script>(function paint() {
document.body.style.background = "#" + Math.random().toString(16).slice(2, 8)
requestAnimationFrame(paint)
})()</script>"""
LONG = "<body style='margin: 0; height: 18000px; background: linear-gradient(#f00, #00f)'>"
ADAPTING = """<style>body { margin: 0; height: 900px; background: #f00 }
@media (min-width: 600px) { body { background: #0f0 } }
@media (min-width: 1000px) { body { background: #00f } }</style>"""


@pytest.fixture
def boxes(browser, site):
    browser.post("goto", site.page("/boxes", PAGE))
    return browser


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def places(browser) -> str:
    return browser.ok("js", PLACES).page


def test_the_whole_page_fits_into_2000_pixels_and_says_so(boxes):
    ran = boxes.ok("screenshot", "all.png")
    told = boxes.ok("screenshot", "all.png", "--json").json

    assert ran.out.startswith(f"Screenshot saved: {boxes.root.resolve()}/all.png\n")
    assert "scaled down from 1280x3370 to 760x2000 pixels; add --full-size" in ran.out
    image = opened((boxes.root / "all.png").read_bytes())
    assert (told["width"], told["height"]) == image.size == (760, 2000)
    assert (told["full_width"], told["full_height"]) == (1280, 3370)
    assert told["bytes"] == (boxes.root / "all.png").stat().st_size
    assert image.getpixel((300, 20)) == (255, 0, 0)
    assert stat.S_IMODE((boxes.root / "all.png").stat().st_mode) == 0o600


def test_the_whole_page_is_kept_with_full_size(boxes):
    told = boxes.ok("screenshot", "all.png", "--full-size", "--json").json

    assert (told["width"], told["height"], told["scale"]) == (1280, 3370, 1)
    assert opened((boxes.root / "all.png").read_bytes()).getpixel((10, 3330)) == (0, 0, 255)


def test_the_window_is_shown_where_it_is_scrolled_to(boxes):
    boxes.post("js", "scrollTo(0, 2800); resizes = 0")

    assert "(viewport): " in boxes.ok("screenshot", "--viewport", "view.png").out
    image = opened((boxes.root / "view.png").read_bytes())
    assert image.size == (1280, 720)
    assert image.getpixel((10, 690)) == (0, 0, 255)
    assert boxes.ok("js", "resizes").page == "0"


@pytest.mark.parametrize(
    ("words", "size", "colour"),
    [
        (["#deep"], (80, 60), (0, 255, 0)),
        (["#far"], (70, 50), (0, 0, 255)),
        (["--selector", "#top"], (1280, 100), (255, 0, 0)),
        (["frame"], (90, 40), (255, 255, 0)),
    ],
    ids=["in a box that scrolls", "below the window", "by flag", "in a frame"],
)
def test_an_element_is_shown_wherever_it_is_and_the_page_stays(boxes, words, size, colour):
    if words == ["frame"]:
        rows = boxes.ok("snapshot", "-i", "--json").json["page"]["nodes"]
        words = [next(row["ref"] for row in rows if row["name"] == "Framed")]
    boxes.post("js", "scrollTo(0, 50); box.scrollTo({top: 30, behavior: 'instant'})")
    before = places(boxes)

    ran = boxes.ok("screenshot", *words, "it.png")

    assert "Screenshot saved (element): " in ran.out
    image = opened((boxes.root / "it.png").read_bytes())
    assert image.size == size
    right, bottom = size[0] - 1, size[1] - 1
    corners = ((0, 0), (right, 0), (0, bottom), (right, bottom))
    assert {image.getpixel(corner) for corner in corners} == {colour}
    assert places(boxes) == before


def test_an_area_is_shown_in_pixels_of_the_page(boxes):
    boxes.ok("screenshot", "--clip", "0,90,20,20", "clip.png")

    image = opened((boxes.root / "clip.png").read_bytes())
    assert image.size == (20, 20)
    assert (image.getpixel((5, 5)), image.getpixel((5, 15))) == ((255, 0, 0), (255, 255, 255))


@pytest.mark.parametrize(
    ("name", "form"), [("a.jpg", "JPEG"), ("a.webp", "WEBP"), ("a.PNG", "PNG"), ("a", "PNG")]
)
def test_the_name_decides_the_kind(boxes, name, form):
    told = boxes.ok("screenshot", "--viewport", name, "--json").json

    image = Image.open(io.BytesIO((boxes.root / name).read_bytes()))
    assert (image.format, image.size) == (form, (told["width"], told["height"]))


def test_base64_is_printed_whole_and_writes_nothing(boxes):
    boxes.post(
        "js",
        "document.body.style.background = 'url(/none), repeating-linear-gradient(#123, #fed 3px)'",
    )
    ran = boxes.ok("screenshot", "--viewport", "--base64", BROWSE_MAX_CHARS="100")
    told = boxes.ok("screenshot", "--viewport", "--base64", "--json", "--max-chars", "100").json

    head, _, data = ran.out.strip().partition(",")
    assert head == "data:image/png;base64"
    assert opened(base64.b64decode(data, validate=True)).size == (1280, 720)
    assert told["data"].startswith(head)
    assert (told["width"], told["height"]) == (1280, 720)
    assert "path" not in told


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["#flat"], 1, "#flat has no size"),
        (["#gone"], 1, "#gone is not visible"),
        (["#nowhere"], 3, "Nothing on the page matches"),
        (["--clip", "0,9000,10,10"], 1, "0,9000 is outside the page, which has 1280x3370"),
        (["#top", "--selector", "#far"], 2, "--selector and an element"),
        (["#top", "--clip", "0,0,1,1"], 2, "--clip and an element"),
        (["--viewport", "--clip", "0,0,1,1"], 2, "--viewport and --clip"),
        (["a.png", "--base64"], 2, "--base64 and a file"),
        (["main.gif"], 2, "it ends in .png, .jpg, .jpeg, .webp or nothing"),
        (["/etc/a.png"], 4, "Path must be within"),
        (["--wide"], 2, "Unknown flag: --wide"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_what_cannot_be_shown_is_refused(boxes, words, code, message):
    ran = boxes.browse("screenshot", *words)

    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_a_page_that_does_not_get_to_paint_is_given_up(project, site):
    ran = driven(project, "url", daemon={"browser.visual.screenshots.CAPTURE_S": 1.0})
    assert ran.code == 0, ran.err
    project.ok("goto", site.page("/stuck", "<p>shown"))
    project.ok("js", "setTimeout(() => { while (true); })")

    assert_clear(project.browse("screenshot"), 5, "No screenshot within 1 s", "reload")
    assert project.ok("text").page == "shown"


def test_a_page_that_never_stops_painting_is_shown(browser, site):
    browser.post("goto", site.page("/painting", PAINTING))

    assert browser.ok("screenshot", "--viewport", "busy.png", "--json").json["height"] == 720


@pytest.fixture
def long(browser, site):
    browser.post("goto", site.page("/long", LONG))
    return browser


def test_a_very_long_page_is_saved_in_parts_of_its_own_width(long):
    ran = long.ok("screenshot", "long.png")

    assert ran.out.splitlines() == [
        f"Screenshot saved in 9 parts: {long.root.resolve()}/long-1.png … long-9.png",
        "  the page has 1280x18000 pixels, more than one readable image; "
        "each part shows 2000 of its height",
    ]
    parts = [opened(path.read_bytes()) for path in sorted(long.root.glob("long-*.png"))]
    assert [part.size for part in parts] == [(1280, 2000)] * 9
    assert (parts[0].getpixel((9, 0)), parts[-1].getpixel((9, 1999))) == ((255, 0, 0), (0, 0, 255))
    assert not (long.root / "long.png").exists()


def test_full_size_is_never_scaled_down(long):
    told = long.ok("screenshot", "full.png", "--full-size", "--json").json

    assert (told["scale"], told["full_height"]) == (1, 18_000)
    assert [(row["width"], row["height"], row["y"]) for row in told["parts"]] == [
        (1280, 16_383, 0),
        (1280, 1_617, 16_383),
    ]


def test_base64_of_a_long_page_is_its_top_and_says_so(long):
    ran = long.ok("screenshot", "--base64")

    image = opened(base64.b64decode(ran.out.partition(",")[2]))
    assert image.size == (1280, 2000)
    assert "16000 pixels, is left out; --clip 0,2000,1280,2000 shows the next" in ran.err


def test_boxes_of_a_long_page_are_in_its_parts(browser, site):
    button = "<button style='position: absolute; top: 5000px'>Deep</button>"
    browser.post("goto", site.page("/deep", f"<body style='margin: 0; height: 6000px'>{button}"))

    ran = browser.ok("snapshot", "-i", "-a", "-o", "boxes.png")

    assert "boxes-1.png … boxes-3.png]" in ran.out
    red = [
        (220, 38, 38) in {colour for _, colour in opened(path.read_bytes()).getcolors(10**7) or []}
        for path in sorted(browser.root.glob("boxes-*.png"))
    ]
    assert red == [False, False, True]


def test_each_size_of_a_long_page_keeps_its_width(long):
    told = long.ok("responsive", "sizes", "--json").json["pictures"]

    assert [(row["width"], len(row["parts"])) for row in told] == [(375, 9), (768, 9), (1280, 9)]


def test_each_size_has_its_picture_and_the_window_comes_back(browser, site):
    browser.post("goto", site.page("/sizes", ADAPTING))
    browser.post("js", "scrollTo(0, 100)")

    ran = browser.ok("responsive", "shots/home")

    assert (
        ran.out.splitlines()[0]
        == f"mobile (375x812): {browser.root.resolve()}/shots/home-mobile.png"
    )
    colours = {"mobile": (255, 0, 0), "tablet": (0, 255, 0), "desktop": (0, 0, 255)}
    for name, colour in colours.items():
        image = opened((browser.root / f"shots/home-{name}.png").read_bytes())
        assert image.getpixel((5, 5)) == colour
    assert browser.ok("js", "[innerWidth, innerHeight, scrollY].join()").page == "1280,720,100"
    assert len(browser.ok("responsive", "shots/", "--json").json["pictures"]) == 3


def test_two_pages_are_compared_and_the_tab_stays(browser, site):
    one = site.page(
        "/one", "<h1>Tea</h1><p>green</p><p>black</p><script>open('about:blank')</script>"
    )
    two = site.page("/two", "<h1>Tea</h1><p>white</p><p>black</p>")
    browser.post("goto", site.page("/here", "<p>here"))

    ran = browser.ok("diff", one, two)
    told = browser.ok("diff", one, two, "--json").json["page"]

    assert ran.page.splitlines() == [
        f"--- {one}", f"+++ {two}", "", "  Tea", "- green", "+ white", "  black",
    ]  # fmt: skip
    assert f"--- page diff:{one}|{two} [" in ran.out
    assert (told["added"], told["removed"], told["same"]) == (1, 1, False)
    assert browser.ok("url").page.endswith("/here")
    assert len(browser.ok("tabs", "--json").json["tabs"]) == 1


def test_two_pages_are_compared_by_pixels(browser, site):
    one = site.page(
        "/red", "<body style='margin:0'><div style='width:100px;height:72px;background:#f00'>"
    )
    two = site.page(
        "/blue", "<body style='margin:0'><div style='width:100px;height:72px;background:#00f'>"
    )

    told = browser.ok("diff", one, two, "--visual", "change.png", "--json").json

    assert (told["changed"], told["pixels"], told["percent"]) == (7200, 1280 * 720, 0.7812)
    assert opened((browser.root / "change.png").read_bytes()).getpixel((50, 50)) == (220, 0, 0)
    assert "0.00 % of the pixels differ" in browser.ok("diff", one, one, "--visual").out


def test_what_cannot_be_compared_is_named(browser, site):
    fine = site.page("/fine", "<p>fine")

    ran = browser.browse("diff", fine, "http://127.0.0.1:9/")
    assert ran.code == 1
    assert "http://127.0.0.1:9/: Page not loaded" in ran.err
    assert browser.browse("diff", fine, fine, "change.png").code == 2
    assert browser.browse("diff", fine, "http://169.254.169.254/").code == 4


@pytest.mark.issue(15)
def test_diff_uses_up_no_tab_number(browser, site):
    one, two = site.page("/one-side", "<p>1"), site.page("/other-side", "<p>2")
    before = browser.ok("newtab", "--json").json["tabId"]

    browser.ok("diff", one, two)

    assert browser.ok("newtab", "--json").json["tabId"] == before + 1
