"""Pictures with boxes around what refs stand for."""

import re
from pathlib import Path

import pytest
from PIL import Image

from browse.browser.visual.annotations import COLOURS

pytestmark = pytest.mark.e2e

PAGE = """<body style="margin: 0">
<button style="position: fixed; top: 10px; left: 300px">Fixed</button>
<button style="margin: 40px">Top</button><div style="height: 900px"></div><button>Low</button>
<iframe title=In style="margin: 20px; border: 5px solid; padding: 7px; width: 300px; height: 120px;
  transform: scale(1.2); transform-origin: 0 0"
  srcdoc="<body style='margin: 0'><button style='margin: 30px'>Framed</button>
  <div style='height: 900px'></div><button>Far below</button>"></iframe>"""
PLACES = """[...document.querySelectorAll('button')].map((it) => {
  const {x, y, width, height} = it.getBoundingClientRect();
  return [it.textContent, x + scrollX, y + scrollY, width, height];
})"""


@pytest.fixture
def page(browser, site):
    browser.post("goto", site.page("/boxes", PAGE))
    browser.ok("wait", "iframe")
    browser.ok("js", "scrollTo(0, 250)")
    return browser


def refs(page: str) -> dict[str, str]:
    return {name: ref for ref, name in re.findall(r'(@e\d+) \[\w+\] "([^"]+)"', page)}


def outline(path: Path, colour: str) -> set[tuple[int, int]]:
    """The pixels that have exactly this colour."""
    image = Image.open(path).convert("RGB")
    data, wanted = image.tobytes(), bytes(COLOURS[colour])
    # Not a search for the bytes: they may begin in the middle of a pixel.
    found = (at // 3 for at in range(0, len(data), 3) if data[at : at + 3] == wanted)
    return {(at % image.width, at // image.width) for at in found}


def test_boxes_are_where_the_elements_are_and_the_page_is_left_alone(page):
    before = page.ok("js", "document.documentElement.outerHTML").page
    path = page.root / "boxes.png"

    ran = page.ok("snapshot", "-i", "-a", "-o", str(path))

    drawn = outline(path, "red")
    places = page.ok("js", PLACES, "--json").json["page"]["value"]
    for _, x, y, width, height in places:
        assert (round(x), round(y + height / 2)) in drawn
        assert (round(x + width / 2), round(y + height)) in drawn
    assert f"[annotated screenshot: {path}]" in ran.out
    assert f"[annotated: 1 skipped: {refs(ran.page)['Far below']}]" in ran.out
    assert page.ok("js", "document.documentElement.outerHTML").page == before
    assert page.ok("js", "scrollY").page == "250"


@pytest.mark.blank_tab
def test_box_in_a_scaled_frame_is_where_it_is_drawn(page):
    seen = refs(page.ok("snapshot", "-i").page)
    path = page.root / "heat.png"
    frame = page.ok(
        "js",
        "(() => { const r = document.querySelector('iframe').getBoundingClientRect();"
        " return [r.x + scrollX, r.y + scrollY] })()",
        "--json",
    ).json["page"]["value"]

    heat = f'{{"{seen["Framed"]}": "blue", "@e99999": "red"}}'
    ran = page.ok("snapshot", "-i", "-H", heat, "-o", str(path))

    left = min(x for x, _ in outline(path, "blue"))
    assert left == pytest.approx(frame[0] + (5 + 7 + 30) * 1.2, abs=2)
    assert outline(path, "red") == set()
    assert "[heatmap: 1 skipped: @e99999]" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-H", "[]"], "Invalid heatmap JSON"),
        (["-H", '{"@e1": "pink"}'], "Invalid heatmap color 'pink' for '@e1'"),
        (["-a", "-o", "/etc/boxes.png"], "Path must be within"),
    ],
)
def test_what_cannot_be_drawn_is_refused(browser, words, said):
    ran = browser.browse("snapshot", *words)

    assert ran.code != 0
    assert said in ran.err


def test_a_place_without_a_picture_is_pointed_out(browser):
    assert "[warning] -o/--output was ignored:" in browser.ok("snapshot", "-o", "x.png").out
