"""What was asked for before an action, and comes meanwhile, is not taken for the answer to it."""

import threading

import pytest

pytestmark = pytest.mark.e2e

PATIENT = ("--settle", "60s")
PAGE = """<!doctype html><button id=go>Go</button><p id=out>asked</p>
<script>const answer = () => {{ out.textContent = 'answered' }};
go.addEventListener('click', () => {{ {react} }});
</script>"""


def open_page(browser, site, html: str) -> None:
    browser.ok("goto", site.page("/settling", html))


@pytest.mark.issue(15)
@pytest.mark.parametrize("asks", [True, False])
def test_what_an_older_request_brings_is_not_the_answer(browser, site, asks):
    clicked, shown = threading.Event(), threading.Event()

    def answer(request) -> None:
        if request.path == "/older":
            clicked.wait(60)
        elif request.path == "/shown":
            shown.set()
        else:
            clicked.set()
            shown.wait(60)
        request.send_response(204)
        request.end_headers()

    for path in ("/older", "/shown", "/own"):
        site.answer(path, answer)
    late = "setTimeout(answer, 1000)"
    react = f"fetch('/own').then(() => {late})" if asks else f"{late}; new Image().src = '/own'"
    older = """<script>fetch('/older').then(() => {
        document.body.append('older'); new Image().src = '/shown' })</script>"""
    open_page(browser, site, PAGE.format(react=react) + older)

    # In one call: what comes between two of them would hide a reply that is too early.
    ran = browser.ok("chain", f"click #go {' '.join(PATIENT)} | text body")

    assert "answered older" in " ".join(ran.page.split())


@pytest.mark.issue(15)
@pytest.mark.parametrize("ends_first", ["older", "own"])
def test_a_picture_that_came_meanwhile_is_not_the_answer_to_what_was_asked(
    browser, site, ends_first
):
    came = {name: threading.Event() for name in ("older", "own", "clicked")}

    def answer(request) -> None:
        name = request.path[1:]
        if name in ("older", "own"):
            came["clicked" if name == ends_first else ends_first].wait(60)
        else:
            came[name.removeprefix("shown-")].set()
        if name == "own":
            came["clicked"].set()
        request.send_response(204)
        request.end_headers()

    for path in ("/older", "/own", "/clicked", "/shown-older", "/shown-own"):
        site.answer(path, answer)
    react = """new Image().src = '/clicked'; fetch('/own').then(() => {
        new Image().src = '/shown-own'; setTimeout(answer, 1000) })"""
    older = """<script>const picture = new Image(); picture.onerror = () => {
        document.body.append('older'); new Image().src = '/shown-older' }; picture.src = '/older';
        </script>"""
    open_page(browser, site, PAGE.format(react=react) + older)

    ran = browser.ok("chain", f"click #go {' '.join(PATIENT)} | text body")

    assert "answered older" in " ".join(ran.page.split())


@pytest.mark.issue(15)
def test_a_frame_that_was_loading_before_is_not_the_answer(browser, site):
    clicked = threading.Event()

    def answer(request) -> None:
        if request.path == "/frame":
            clicked.wait(60)
        else:
            clicked.set()
        request.send_response(200 if request.path == "/frame" else 204)
        request.send_header("content-length", "0")
        request.end_headers()

    for path in ("/frame", "/own"):
        site.answer(path, answer)
    react = "new Image().src = '/own'; frame.onload = () => setTimeout(answer, 1000)"
    frame = "<iframe id=frame src=/frame></iframe>"
    open_page(browser, site, PAGE.format(react=react) + frame)

    ran = browser.ok("chain", f"click #go {' '.join(PATIENT)} | text #out")

    assert "answered" in ran.page


@pytest.mark.issue(15)
def test_what_a_page_does_when_it_has_loaded_is_not_the_answer(browser, site):
    clicked = threading.Event()

    def answer(request) -> None:
        if request.path == "/picture":
            clicked.wait(60)
        else:
            clicked.set()
        request.send_response(204)
        request.end_headers()

    for path in ("/picture", "/own"):
        site.answer(path, answer)
    react = "new Image().src = '/own'; addEventListener('load', () => setTimeout(answer, 1000))"
    loads = "<img src=/picture><script>onload = () => document.body.append('loaded')</script>"
    open_page(browser, site, PAGE.format(react=react) + loads)

    ran = browser.ok("chain", f"click #go {' '.join(PATIENT)} | text body")

    assert "answered" in ran.page
    assert "loaded" in ran.page
