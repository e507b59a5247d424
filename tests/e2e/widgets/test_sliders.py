"""Setting sliders that are no inputs."""

import pytest

from support.widgets import JQUERY_UI, REACT, linked

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
        (SLIDER.replace("role=slider", "role=slider aria-disabled=true"), "75", "it is disabled"),
        ("<input id=a type=range max=9 step=3>", "4", "one from 0 to 9 in steps of 3"),
    ],
)
def test_fill_says_why_a_slider_does_not_stand_there(show, html, value, said):
    ran = show(html).browse("fill", "#a", value)

    assert ran.code != 0
    assert said in ran.err


# No keys, and steps that are longer than a short drag.
COARSE = """<div id=t style="width: 300px; height: 20px"><div id=a role=slider tabindex=0
    aria-valuemin=0 aria-valuemax=5 aria-valuenow=5 style="width: 20px; height: 20px"></div></div>
    <script>let held = false
    a.onpointerdown = (event) => { held = true; a.setPointerCapture(event.pointerId) }
    a.onpointerup = () => { held = false }
    const draw = (at) => { a.ariaValueNow = at; a.style.marginLeft = `${at * 56}px` }
    a.onpointermove = (event) => { if (held)
      draw(Math.max(0, Math.min(5, Math.round((event.clientX - 18) / 56)))) }
    draw(5)</script>"""


@pytest.mark.parametrize("value", ["0", "2", "5"])
def test_fill_drags_a_slider_of_long_steps_from_its_end(show, value):
    page = show(COARSE)

    page.ok("fill", "#a", value)

    assert page.ok("js", "a.ariaValueNow").page == value


@pytest.mark.parametrize("html", [SLIDER, LATE])
def test_press_moves_a_slider(show, html):
    page = show(html)

    page.ok("press", "ArrowRight", "--on", "#a", "--times", "3")
    page.ok("wait", "--js", "a.ariaValueNow === '65'")

    assert page.ok("js", "a.ariaValueNow").page == "65"


NOUI = ("nouislider/dist/nouislider.min.js", "nouislider/dist/nouislider.min.css")
WIDTH = "<style>#a, #root { width: 400px; margin: 60px }</style>"


@pytest.mark.parametrize(
    ("files", "html", "target", "typed", "read", "held"),
    [
        (JQUERY_UI, "<div id=a></div><script>$('#a').slider({ max: 200 })</script>",
         ".ui-slider-handle", "73%", "$('#a').slider('value')", "146"),
        (JQUERY_UI, "<div id=a></div><script>$('#a').slider()</script>",
         "#a", "7%", "$('#a').slider('value')", "7"),
        (NOUI, "<div id=a></div><script>noUiSlider.create(a, { start: 20, step: 1,"
         " range: { min: 0, max: 100 } })</script>", "#a", "73", "a.noUiSlider.get()", "73.00"),
        (NOUI, "<div id=a></div><script>noUiSlider.create(a, { start: [20, 80],"
         " range: { min: 0, max: 100 } })</script>",
         ".noUi-handle-upper", "70", "a.noUiSlider.get().join()", "20.00,70.00"),
        (NOUI, "<div id=a style='height: 400px'></div><script>noUiSlider.create(a, { start: 20,"
         " orientation: 'vertical', keyboardSupport: false, step: 5,"
         " range: { min: 0, max: 100 } })</script>", "#a", "55", "a.noUiSlider.get()", "55.00"),
        ((REACT,), "<div id=root></div><script>widgets.show(widgets.Slider, { defaultValue: 5,"
         " onChange: (_, it) => { window.got = it } })</script>", "input", "73", "got", "73"),
    ],
)  # fmt: skip
def test_fill_sets_the_slider_of_a_library(
    show, site, files, html, target, typed, read, held
):  # fmt: skip
    page = show(linked(site, *files) + WIDTH + html)

    page.ok("fill", target, typed)

    assert page.ok("js", read).page == held


def test_fill_says_where_the_slider_of_a_library_stands(show, site):
    jquery = show(linked(site, *JQUERY_UI) + WIDTH + "<div id=a></div>"
                  "<script>$('#a').slider({ value: 50, step: 20 })</script>")  # fmt: skip

    told = jquery.browse("fill", ".ui-slider-handle", "73").err
    unmet = jquery.browse("fill", ".ui-slider-handle", "73%").err

    assert "tells no number: it is at 60% of its way" in told
    assert "0%, and a key moves it by 20" in unmet
    assert "press ArrowRight --on" in unmet


def test_fill_keeps_the_handles_of_a_slider_apart(show, site):
    page = show(linked(site, *NOUI) + WIDTH + "<div id=a></div><script>noUiSlider.create(a, {"
                "start: [20, 80], step: 1, range: { min: 0, max: 100 } })</script>")  # fmt: skip

    ran = page.browse("fill", ".noUi-handle-lower", "90")

    assert ran.code != 0
    assert page.ok("js", "a.noUiSlider.get().join()").page == "20.00,80.00"
    assert "it goes from 0 to 80" in ran.err
