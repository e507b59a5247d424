"""The reply to an action comes when what it started has shown itself, and is true."""

import pytest

pytestmark = pytest.mark.e2e

DELAYS_MS = [0, 5, 20, 50, 100, 150, 300, 390]
# Where an answer crosses to another thread or document, a busy machine adds to its delay.
PATIENT = ("--settle", "60s")
ANSWER = "document.getElementById('out').textContent = 'answered'"
# Of an animation of no duration at all, Chromium does not always tell the page the end.
PAGE = """<!doctype html><button id=go>Go</button><p id=out>asked</p>
<style>@keyframes fade {{ from {{ opacity: 0 }} to {{ opacity: 1 }} }}
.fading {{ animation: fade calc({ms}ms + 1ms) }}</style>
<script>
const code = 'onmessage = () => setTimeout(() => postMessage(1), {ms})';
const worker = new Worker(URL.createObjectURL(new Blob([code])));
const answer = () => {{ {answer} }};
go.addEventListener('click', () => {{ {react} }});
</script>"""
# What a page does on a click, by what leads to its answer.
REACTIONS = {
    "timer": "setTimeout(answer, {ms})",
    "fetch": "fetch('/late?{ms}').then(it => it.text()).then(answer)",
    "animation": "out.onanimationend = answer; out.className = 'fading'",
    "worker": "worker.onmessage = answer; worker.postMessage(0)",
    "shadow": """setTimeout(() => {{ const host = document.createElement('div');
        host.attachShadow({{mode: 'open'}}).textContent = 'answered'; out.replaceChildren(host) }},
        {ms})""",
}


@pytest.fixture
def late(site):
    """A server that answers after as many milliseconds as it is asked to."""

    def answer(request) -> None:
        site.closing.wait(int(request.path.partition("?")[2]) / 1000)
        request.send_response(200)
        request.send_header("content-length", "2")
        request.end_headers()
        request.wfile.write(b"ok")

    return site.answer("/late", answer)


def open_page(browser, site, html: str) -> None:
    browser.ok("goto", site.page("/settling", html))


@pytest.mark.issue(15)
@pytest.mark.parametrize("ms", DELAYS_MS)
@pytest.mark.parametrize("kind", REACTIONS)
def test_an_answer_is_there_when_the_reply_is(browser, site, late, kind, ms):
    react = REACTIONS[kind].format(ms=ms)
    open_page(browser, site, PAGE.format(ms=ms, answer=ANSWER, react=react))

    ran = browser.ok("click", "#go", *(PATIENT if kind == "worker" else ()))

    assert "Nothing changed" not in ran.out
    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
@pytest.mark.parametrize("ms", DELAYS_MS)
def test_an_answer_in_a_frame_is_there_when_the_reply_is(browser, site, ms):
    inner = f"""<p>asked</p><script>onmessage = () => setTimeout(() => {{
        document.querySelector('p').textContent = 'answered' }}, {ms})</script>"""
    frame = f"<iframe src='{site.page('/in', inner)}'></iframe>"
    open_page(
        browser, site, f"<button onclick=\"frames[0].postMessage(1, '*')\">Go</button>{frame}"
    )
    browser.ok("wait", "--load")

    ran = browser.ok("click", "text=Go", *PATIENT)

    assert "Nothing changed" not in ran.out
    assert browser.ok("text", "iframe >>> p").page == "answered"


@pytest.mark.issue(15)
def test_an_answer_in_a_closed_shadow_root_that_was_shown_is_told(browser, site):
    html = """<button onclick="setTimeout(() => { root.textContent = 'answered' }, 150)">Go</button>
        <my-box></my-box><script>let root;
        customElements.define('my-box', class extends HTMLElement {
          constructor() { super(); root = this.attachShadow({ mode: 'closed' }) } })</script>"""
    open_page(browser, site, html)
    browser.ok("snapshot", "-i")

    assert "Nothing changed" not in browser.ok("click", "text=Go").out


@pytest.mark.issue(15)
def test_an_answer_by_microtask_is_told(browser, site):
    react = "Promise.resolve().then(answer)"
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    assert "Nothing changed" not in browser.ok("click", "#go").out
    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
@pytest.mark.parametrize("ms", [0, 150])
@pytest.mark.parametrize(
    "react",
    [
        "it.value = 'Ada'",
        "box.checked = true",
        "size.value = 'L'",
        "document.styleSheets[0].insertRule('#out { color: red }')",
        "document.adoptedStyleSheets = [new CSSStyleSheet()]",
        "out.animate([{ opacity: 0 }, { opacity: 1 }], 1000)",
        "box.indeterminate = true",
        "document.styleSheets[0].cssRules[1].style.color = 'red'",
        "mine.replaceSync('p { color: red }')",
        "out.attachShadow({ mode: 'open' }).textContent = 'Panel'",
        """customElements.define('my-late', class extends HTMLElement {
          constructor() { super(); this.attachShadow({ mode: 'closed' }).append('Panel') } })""",
        "on.internals.states.add('on')",
        "document.body.requestFullscreen()",
    ],
)
def test_what_no_event_tells_of_is_a_change(browser, site, react, ms):
    fields = """<input id=it><input id=box type=checkbox><select id=size><option>S<option>L</select>
        <style>u { display: none } :state(on) u { display: block }</style><my-late></my-late>
        <my-on id=on><u>Panel</u></my-on><script>const mine = new CSSStyleSheet();
        mine.replaceSync('p { color: blue }'); document.adoptedStyleSheets = [mine];
        customElements.define('my-on', class extends HTMLElement {
          constructor() { super(); this.internals = this.attachInternals() } })</script>"""
    react = f"setTimeout(() => {{ {react} }}, {ms})"
    open_page(browser, site, fields + PAGE.format(ms=0, answer=ANSWER, react=react))

    assert "Nothing changed" not in browser.ok("click", "#go").out


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "words",
    [["check", "#box"], ["click", "text=Green"], ["select", "#size", "L"], ["click", "#reset"]],
)
def test_an_answer_to_a_choice_is_there_when_the_reply_is(browser, site, words):
    html = """<label><input id=box type=checkbox> Green</label><button id=reset>Reset</button>
        <select id=size><option>S<option>L</select><p id=out>asked</p><script>
        const late = () => setTimeout(() => { out.textContent = 'answered' }, 150);
        box.onchange = size.onchange = late;
        reset.onclick = () => { size.value = 'L'; late() }</script>"""
    open_page(browser, site, html)

    browser.ok(*words)

    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
def test_an_answer_when_the_page_is_idle_is_told(browser, site):
    react = """const began = performance.now(); setTimeout(() => requestIdleCallback(() => {
        answer(); window.tookMs = performance.now() - began }), 150)"""
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    ran = browser.ok("click", "#go")
    browser.ok("wait", "--js", "window.tookMs")

    # A busy machine may not let the page be idle for longer than anybody waits.
    assert "Nothing changed" not in ran.out or browser.ok("js", "tookMs > 800").page == "true"


@pytest.mark.issue(15)
@pytest.mark.parametrize("react", ["", "setTimeout(answer, 60000)"])
def test_a_page_that_never_answers_is_told_as_such(browser, site, react):
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    assert browser.ok("click", "#go").out.splitlines()[1:] == ["Nothing changed"]
    assert browser.ok("text", "#out").page == "asked"


@pytest.mark.issue(15)
def test_a_worker_that_the_page_starts_meanwhile_is_no_answer(browser, site):
    react = "setTimeout(() => new Worker(URL.createObjectURL(new Blob(['0']))), 50)"
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    assert browser.ok("click", "#go").out.splitlines()[1:] == ["Nothing changed"]


@pytest.mark.issue(15)
def test_a_link_for_another_program_changes_nothing(browser, site):
    open_page(browser, site, "<a href='mailto:ada@example.com'>Write</a>")

    assert browser.ok("click", "text=Write").out.splitlines()[1:] == ["Nothing changed"]


@pytest.mark.issue(15)
def test_a_page_without_listeners_is_not_waited_for(browser, site):
    # With a limit that the test could not outlive, only knowing that nothing listens ends the wait.
    open_page(browser, site, "<p>Words</p><button>Go</button><script>onresize = () => 0</script>")

    ran = browser.ok("click", "text=Go", "--settle", "250s")

    assert ran.out.splitlines()[1:] == ["Nothing changed"]


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "listens",
    [
        "window.addEventListener('click', late)",
        "document.addEventListener('mouseup', late, true)",
        "document.body.onclick = late",
        "document.querySelector('div').setAttribute('onclick', 'late()')",
        "document.querySelector('button').addEventListener('focus', late)",
    ],
)
def test_any_listener_on_the_way_is_waited_for(browser, site, listens):
    html = f"""<div><button>Go</button></div><p>asked</p><script>
        const late = () => setTimeout(() => {{
          document.querySelector('p').textContent = 'answered' }}, 200);
        {listens}; document.currentScript.remove()</script>"""
    open_page(browser, site, html)

    browser.ok("click", "text=Go")

    assert browser.ok("text", "p").page == "answered"


@pytest.mark.issue(15)
def test_a_request_without_a_change_is_not_yet_the_answer(browser, site, late):
    react = "fetch('/late?0'); setTimeout(answer, 200)"
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    browser.ok("click", "#go")

    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
def test_what_the_mouse_changes_on_its_way_is_not_the_answer(browser, site):
    react = "setTimeout(answer, 1000)"
    moves = "<script>go.onmousemove = () => { go.title = Math.random() }</script>"
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react) + moves)

    ran = browser.ok("chain", f"click #go {' '.join(PATIENT)} | text #out")

    assert "answered" in ran.page


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "mark",
    [
        "go.disabled = {on}",
        "out.setAttribute('aria-busy', {on})",
        "out.classList.toggle('is-loading', {on})",
    ],
    ids=["locked", "busy", "class"],
)
def test_a_page_that_says_it_is_at_work_is_waited_for(browser, site, mark):
    ends = f"answer(); {mark.format(on='false')}"
    react = f"{mark.format(on='true')}; setTimeout(() => {{ {ends} }}, 300)"
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    browser.ok("click", "#go")

    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
def test_a_view_that_the_page_is_loading_is_waited_for(browser, site):
    react = """navigation.addEventListener('navigate', (it) => it.intercept({ handler: () =>
        new Promise((done) => setTimeout(() => { answer(); done() }, 300)) }));
        navigation.navigate('#view')"""
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react=react))

    browser.ok("click", "#go")

    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
def test_a_smooth_scroll_is_waited_for(browser, site):
    html = """<button onclick="window.scrollTo({ top: 700, behavior: 'smooth' })">Go</button>
        <div style="height: 4000px">"""
    open_page(browser, site, html)

    ran = browser.ok("chain", "click text=Go | js 'scrollY > 690'")

    assert "true" in ran.out


@pytest.mark.issue(15)
def test_settle_makes_an_action_wait_longer(browser, site):
    open_page(browser, site, PAGE.format(ms=0, answer=ANSWER, react="setTimeout(answer, 900)"))

    browser.ok("click", "#go", "--settle", "100s")

    assert browser.ok("text", "#out").page == "answered"


@pytest.mark.issue(15)
def test_settle_waits_for_an_answer_to_a_value(browser, site):
    html = """<input oninput="setTimeout(() => { out.textContent = this.value }, 300)"><p id=out>"""
    open_page(browser, site, html)

    browser.ok("fill", "input", "par", "--settle", "100s")

    assert browser.ok("text", "#out").page == "par"


@pytest.mark.issue(15)
def test_a_clock_is_not_taken_for_an_answer(browser, site):
    html = """<button onclick="0">Go</button><p id=clock>0</p><script>
        let ticks = 0, last = performance.now(), gaps = [];
        setInterval(() => {
          clock.textContent = ++ticks;
          gaps.push(performance.now() - last);
          last = performance.now();
        }, 150);
        </script>"""
    open_page(browser, site, html)
    browser.ok("text")  # from here on the page is observed
    browser.ok("wait", "--js", "ticks > 20")

    # What goes by a clock is known by its even intervals; a busy machine has few of them.
    def click(*more: str):
        for _ in range(50):
            browser.ok("wait", "--js", "(gaps = gaps.slice(-16)).every((it) => it < 200)")
            ran = browser.ok("click", "text=Go", *more)
            if browser.ok("js", "gaps.every((it) => it < 200)").page == "true":
                return ran
        raise AssertionError("this machine has no even intervals")

    assert click().out.splitlines()[1:] == [
        "Nothing changed, except where the page changes by itself"
    ]
    assert click("--json").json["changed"] is False


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("style", "html", "words"),
    [
        ("p { display: none } button:focus ~ p { display: block }", "", ["click", "text=Go"]),
        ("p { display: none } button:hover ~ p { display: block }", "", ["hover", "text=Go"]),
        ("p { visibility: hidden } :checked ~ p { visibility: visible }", "<input type=checkbox>",
         ["check", "input"]),
    ],
)  # fmt: skip
def test_what_only_a_style_shows_is_a_change(browser, site, style, html, words):
    open_page(browser, site, f"<style>{style}</style>{html}<button>Go</button><p>Panel</p>")

    assert "Nothing changed" not in browser.ok(*words).out
