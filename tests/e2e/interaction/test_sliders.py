"""Setting sliders that are no inputs."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

SLIDER = """<div id=a role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=200
    aria-valuenow=50>50</div><script>
    const keys = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5 }
    a.onkeydown = (event) => { a.ariaValueNow = Number(a.ariaValueNow) + (keys[event.key] || 0) }
    </script>"""

# What takes the keys is in it, and it is drawn later, as in Quasar.
LATE = """<div id=a role=slider aria-valuemin=0 aria-valuemax=200 aria-valuenow=50>
    <i tabindex=0>50</i></div><script>
    let at = 50, late
    const keys = { ArrowRight: 5, ArrowLeft: -5 }
    a.onkeydown = (event) => {
      at += keys[event.key] || 0
      clearTimeout(late)
      late = setTimeout(() => { a.ariaValueNow = at }, 20) }
    </script>"""


@pytest.fixture
def show(browser, site):
    """Serve a slider and go there."""

    def go(html: str):
        browser.post("goto", site.page("/slider", html))
        return browser

    return go


@pytest.mark.parametrize("value", ["75", "0", "200", "50", "20"])
@pytest.mark.parametrize(
    "html",
    [
        SLIDER,
        SLIDER.replace("ArrowRight: 5", "ArrowRight: -5").replace("ArrowLeft: -5", "ArrowLeft: 5"),
        SLIDER.replace("a.ariaValueNow = ", "const to = ").replace(
            "|| 0)", "|| 0); queueMicrotask(() => { a.ariaValueNow = to })"
        ),
        LATE,
    ],
)
def test_fill_sets_a_slider(show, html, value):
    page = show(html)

    page.ok("fill", "#a", value)

    assert page.ok("js", "a.ariaValueNow").page == value


@pytest.mark.parametrize(
    ("html", "value", "said"),
    [
        (SLIDER, "73", "it stands at 75, and a key moves it by 5"),
        (SLIDER.replace("onkeydown", "onfocus"), "75", "its keys do not move it"),
        (SLIDER, "201", "it goes from 0 to 200"),
        (SLIDER, "loud", "takes a number: it goes from 0 to 200"),
        (SLIDER.replace("aria-valuenow=50", ""), "75", "does not tell where it stands"),
    ],
)
def test_fill_says_why_a_slider_does_not_stand_there(show, html, value, said):
    ran = show(html).browse("fill", "#a", value)

    assert ran.code != 0
    assert said in ran.err


@pytest.mark.parametrize("html", [SLIDER, LATE])
def test_press_moves_a_slider(show, html):
    page = show(html)

    page.ok("press", "ArrowRight", "--on", "#a", "--times", "3")
    page.ok("wait", "--js", "a.ariaValueNow === '65'")

    assert page.ok("js", "a.ariaValueNow").page == "65"
