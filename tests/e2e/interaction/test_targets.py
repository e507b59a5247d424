"""Targets that are not there yet are waited for while the page is not quiet."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]

LATER = """<p id=out></p><script>
const come = () => { document.body.insertAdjacentHTML('beforeend',
  '<button onclick="out.textContent = 7">Later</button>') };
%s
</script>"""


# One place after the other changes, without a pause in which the page would be quiet.
CHANGES = """out.innerHTML = '<i></i>'.repeat(400); const places = [...out.children];
const {port1, port2} = new MessageChannel();
port1.onmessage = () => {
  for (const end = performance.now() + 2; performance.now() < end;);
  places.pop().title = 'changed';
  places.length ? port2.postMessage(0) : come() };
port2.postMessage(0)"""


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


@pytest.mark.parametrize(
    "script",
    [
        "fetch('/late?600').then(come)",
        "addEventListener('load', () => fetch('/late?500').then(come))",
        CHANGES,
    ],
    ids=["request", "request after load", "changes"],
)
def test_a_selector_is_waited_for_while_the_page_is_not_quiet(browser, site, late, script):
    browser.ok("goto", site.page("/later", LATER % script))

    browser.ok("click", "text=Later", "--timeout", "100s")

    assert browser.ok("text", "#out").page == "7"


def test_text_of_a_selector_waits_too(browser, site, late):
    script = "fetch('/late?600').then(() => { out.innerHTML = '<b>here</b>' })"
    browser.ok("goto", site.page("/later", LATER % script))

    assert browser.ok("text", "#out b").page == "here"


@pytest.mark.parametrize("words", [["text", "#out"], ["text"]])
def test_text_that_is_still_to_come_is_waited_for(browser, site, late, words):
    html = """<p id=out></p><script>fetch('/late?600').then(() => { out.textContent = 'here' })
        </script>"""
    browser.ok("goto", site.page("/later", html))

    assert browser.ok(*words).page == "here"


@pytest.mark.issue(18)
@pytest.mark.parametrize("words", [["snapshot", "-i"], ["find", "later"]])
def test_what_a_page_is_still_making_is_waited_for(browser, site, late, words):
    browser.ok("goto", site.page("/later", LATER % "fetch('/late?600').then(come)"))

    assert '[button] "Later"' in browser.ok(*words).page


def test_on_a_quiet_page_what_is_empty_is_read_as_it_is(browser, site):
    browser.ok("goto", site.page("/empty", "<p id=out></p>"))
    browser.ok("wait", "--load")

    assert browser.ok("text", "#out").page == ""


def test_a_frame_is_waited_for(browser, site, late):
    script = """fetch('/late?600').then(() => {
        document.body.append(Object.assign(document.createElement('iframe'),
          {srcdoc: '<button>In</button>'})) })"""
    browser.ok("goto", site.page("/later", LATER % script))

    browser.ok("click", "iframe >>> text=In", "--timeout", "100s")


def test_on_a_quiet_page_a_selector_fails_at_once(browser, site):
    browser.ok("goto", site.page("/quiet", LATER % ""))
    browser.ok("wait", "--networkidle")

    # With a limit that the test could not outlive.
    ran = browser.browse("click", "text=Later", "--timeout", "250s")

    assert ran.code == 3
    assert "Nothing on the page matches" in ran.err


def test_a_ref_never_waits(browser, site):
    html = """<button>Go</button><script>setInterval(() => { document.title += 1 }, 20)</script>"""
    browser.ok("goto", site.page("/refs", html))
    ref = browser.ok("snapshot", "-i").page.split()[0]
    browser.ok("js", "document.querySelector('button').remove()")

    assert browser.browse("click", ref, "--timeout", "250s").code == 3


def test_what_was_there_before_is_not_what_was_expected(browser, site):
    html = """<p>Saved</p><button onclick="0">Save</button>"""
    browser.ok("goto", site.page("/expect", html))

    ran = browser.browse("click", "text=Save >> nth=1", "--expect", "text=Saved", "--within", "1s")

    assert ran.code == 7
    assert "'text=Saved' did not come true within 1000 ms" in ran.err


@pytest.mark.parametrize(
    ("react", "expects"),
    [
        ("out.innerHTML = '<b>Saved</b>'", ["#out b"]),
        ("out.textContent = 'Welcome'", ["text=Welcome"]),
        ("location.hash = 'done'", ["url=#done"]),
        ("location.hash = 'done'", ["url=*#do?e"]),
        ("gone.remove()", ["gone=#gone"]),
        ("location = '/expect?2'", ["url=expect?2", "gone=text=First"]),
        ("gone.hidden = true; out.textContent = 'Welcome'", ["gone=#gone", "text=Welcome"]),
        ("for (const it of document.querySelectorAll('i')) it.replaceWith(it.cloneNode(true))",
         ["text=Saved"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ms", [0, 700])
def test_what_comes_true_after_the_action_counts(browser, site, react, expects, ms):
    first = "<script>if (!location.search) document.write('<u>First</u>')</script>"
    html = f"""{first}<i>Saved</i><u id=gone>Here</u><p id=out></p>
        <button onclick="setTimeout(() => {{ {react} }}, {ms})">Go</button>"""
    browser.ok("goto", site.page("/expect", html))

    flags = [word for it in expects for word in ("--expect", it)]
    assert "Nothing changed" not in browser.ok("click", "text=Go", *flags, "--within", "100s").out


def test_all_that_is_expected_must_come_true(browser, site):
    html = """<p id=out></p><button onclick="out.textContent = 'One'">Go</button>"""
    browser.ok("goto", site.page("/expect", html))

    ran = browser.browse(
        "click", "text=Go", "--expect", "text=One", "--expect", "text=Two", "--within", "500ms"
    )

    assert ran.code == 7
    assert "'text=Two' did not" in ran.err


def test_goto_waits_for_conditions(browser, site, late):
    script = "fetch('/late?700').then(() => { come(); out.remove() })"
    url = site.page("/later", LATER % script)

    browser.ok("goto", url, "--wait", "text=Later", "--wait", "gone=#out", "--wait", "url=later")

    assert "Later" in browser.ok("text").page


def test_goto_says_which_condition_does_not_come_true(browser, site):
    url = site.page("/later", LATER % "")

    ran = browser.browse("goto", url, "--wait", "text=Never", "--within", "300ms")

    assert ran.code == 7
    assert "The page was opened, but 'text=Never' did not come true within 300 ms" in ran.err
