"""Pressing things with the real client, daemon and Chromium."""

import threading
import time

import pytest

pytestmark = pytest.mark.e2e

RECORD = """<script>
window.log = [];
for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu'])
  document.addEventListener(kind, (event) => {
    const keys = ['ctrlKey', 'shiftKey', 'altKey'].filter((key) => event[key]);
    log.push([kind, event.composedPath()[0].id, event.button, ...keys].join(' '));
    if (kind === 'contextmenu') event.preventDefault();
  }, true);
</script>"""
ROW = "<button id=a>Edit profile</button><button id=b>Edit</button><button id=c>Edit</button>"


@pytest.fixture
def show(browser, site):
    """Serve markup that writes down what is pressed, and go there."""

    def go(html: str, path: str = "/act", **headers: str):
        browser.post("goto", site.page(path, RECORD + html, **headers))
        return browser

    return go


def refs(browser, *words: str) -> list[str]:
    """The refs on the lines that hold these words, in the order of the page."""
    lines = browser.ok("snapshot", "-i").page.splitlines()
    return [line.split()[0] for line in lines if all(word in line for word in words)]


def log(browser) -> str:
    return browser.ok("js", "log.join(', ')").page


@pytest.mark.parametrize(("index", "pressed"), [(0, "a"), (1, "b"), (2, "c")])
def test_click_presses_the_very_element_that_was_shown(show, index, pressed):
    page = show(ROW)

    page.ok("click", refs(page, "Edit")[index])

    assert log(page) == f"click {pressed} 0"


def test_click_on_what_is_gone_is_stale_and_presses_nothing(show):
    page = show(ROW)
    shown = refs(page, '"Edit"')[0]
    page.post("js", "b.remove()")

    ran = page.browse("click", shown)

    assert ran.code == 3
    assert f"Ref {shown} is stale" in ran.err
    assert 'it was: [button] "Edit"' in ran.err
    assert log(page) == ""


def test_click_on_what_was_made_anew_is_stale(show):
    page = show(ROW)
    shown = refs(page, '"Edit"')[0]
    page.post("js", "b.replaceWith(b.cloneNode(true))")

    assert page.browse("click", shown, "--json").json["code"] == "ref-stale"


def test_click_on_what_has_another_name_is_refused(show):
    page = show(ROW)
    shown = refs(page, '"Edit"')[0]
    page.post("js", "b.textContent = 'Delete'")

    ran = page.browse("click", shown)

    assert ran.code == 3
    assert 'was: [button] "Edit"\nnow: [button] "Delete"\n--- end' in ran.err
    assert "--anyway" in ran.err
    assert log(page) == ""


def test_click_anyway_presses_what_has_another_name(show):
    page = show(ROW)
    shown = refs(page, '"Edit"')[0]
    page.post("js", "b.textContent = 'Delete'")

    page.ok("click", shown, "--anyway")

    assert log(page) == "click b 0"


def test_click_goes_into_frames(show, site):
    inner = site.page(
        "/inner", "<button onclick='parent.postMessage(1, \"*\")'>In</button>"
    ).replace("127.0.0.1", "localhost")
    page = show(f"<iframe src={inner}></iframe><script>onmessage = () => log.push('told')</script>")
    page.ok("wait", "--load")

    page.ok("click", refs(page, '"In"')[0])

    assert page.ok("wait", "--js", "log.length").code == 0


def test_click_goes_into_shadow_roots(show):
    page = show(
        """<div id=host></div><script>
        host.attachShadow({mode: 'open'}).innerHTML = '<button id=deep>In</button>'</script>"""
    )

    page.ok("click", refs(page, '"In"')[0])

    assert log(page) == "click deep 0"


@pytest.mark.parametrize(
    ("flags", "pressed"),
    [
        (["--right"], "contextmenu a 2, auxclick a 2"),
        (["--middle"], "auxclick a 1"),
        (["--double"], "click a 0, click a 0, dblclick a 0"),
        (["--modifiers", "control+Shift"], "click a 0 ctrlKey shiftKey"),
    ],
)
def test_click_has_buttons_and_keys(show, flags, pressed):
    page = show("<button id=a>Go</button>")

    page.ok("click", "#a", *flags)

    assert sorted(log(page).split(", ")) == sorted(pressed.split(", "))


def test_click_refuses_keys_that_do_not_exist(show):
    ran = show("<button id=a>Go</button>").browse("click", "#a", "--modifiers", "Hyper")

    assert ran.code == 2
    assert "'Hyper' is not a modifier key" in ran.err


@pytest.mark.parametrize("by_ref", [True, False])
def test_click_on_an_option_chooses_it(show, by_ref):
    page = show("<select id=size><option>Small<option id=large value=L>Large</select>")
    target = refs(page, '[option] "Large"')[0] if by_ref else "#large"

    ran = page.ok("click", target)

    assert ran.out.startswith(f"Selected {target}")
    assert page.ok("js", "size.value").page == "L"


def test_click_lists_what_several_match(show):
    page = show(ROW)

    ran = page.browse("click", "button")

    assert ran.code == 3
    assert "'button' matches 3 elements. Nothing was done." in ran.err
    assert '@e1 [button] "Edit profile" (nth=0)\n@e2 [button] "Edit" [in' in ran.err
    assert log(page) == ""


def test_click_on_a_link_tells_where_it_led(show, site):
    there = site.page("/there", "<h1>There</h1>")
    ran = show(f"<a href={there}>Go</a>").ok("click", "text=Go")

    assert ran.out.strip() == f"Clicked text=Go → now at {there}"


def test_click_tells_the_tab_that_it_opened(show, site):
    there = site.page("/popup", "<h1>There</h1>")
    page = show(f"<button id=a onclick=\"window.open('{there}')\">Go</button>")

    (opened,) = page.ok("click", "#a", "--json").json["opened"]
    ran = page.ok("click", "#a")

    ids = [tab["id"] for tab in page.ok("tabs", "--json").json["tabs"]]
    assert f"Tab {opened + 1} was opened" in ran.out.splitlines()
    assert {opened, opened + 1} <= set(ids)


def test_click_on_a_link_to_a_new_tab_tells_it(show, site):
    there = site.page("/popup", "<h1>There</h1>")
    page = show(f"<a id=a target=_blank href={there}>Go</a>")

    ran = page.ok("click", "#a")

    assert f"Tab {page.ok('tabs', '--json').json['tabs'][1]['id']} was opened" in ran.out


@pytest.mark.parametrize(
    ("script", "ours", "theirs"),
    [
        ("alert('Hi')", "A dialog (alert) was accepted", "alert: Hi"),
        ("log.push(confirm('Sure?'))", "A dialog (confirm) was accepted", "confirm: Sure?"),
        ("console.error('Oh no')", "1 console error", "console: Oh no"),
        ("throw new Error('Ouch')", "1 console error", "console: Ouch"),
    ],
)
def test_click_tells_what_the_page_did(show, script, ours, theirs):
    page = show(f'<button onclick="{script}">Go</button>')

    ran = page.ok("click", "text=Go")

    assert ours in ran.out.splitlines()
    assert ran.page == theirs


def test_click_tells_of_a_download(show, site):
    file = site.page("/file.bin", b"data", content_type="application/octet-stream")
    ran = show(f"<a download href={file}>Get</a>").ok("click", "text=Get")

    assert "Downloaded: " in ran.out
    assert ran.page == "download: file.bin"


def test_click_waits_for_a_server_that_answers_late_with_a_download(show, site):
    held = site.hold("/late.bin", "data")

    def answer_late() -> None:
        held.arrived.wait()
        time.sleep(0.3)
        held.let_go.set()

    page = show(f"<a download href={held.url} onclick='this.title = 1'>Get</a>")
    server = threading.Thread(target=answer_late)
    server.start()

    ran = page.ok("click", "text=Get")

    assert "Downloaded: " in ran.out
    server.join()


@pytest.mark.parametrize(
    "html",
    [
        "<a download id=a href={url}>Get</a>",
        "<script>onbeforeunload = () => 1</script><a download id=a href={url}><b>Get</b></a>",
        "<iframe srcdoc='<a download href={url}>Get</a>'></iframe>",
    ],
)
def test_click_does_not_claim_that_nothing_comes_of_a_link(show, site, html):
    page = show(html.format(url=site.never("/never.bin")))
    page.ok("wait", "--load")
    target = "#a" if "id=a" in html else refs(page, '"Get"')[0]

    ran = page.ok("click", target, "--json")

    assert (ran.json["changed"], ran.json["loading"]) == (False, True)


@pytest.mark.parametrize(
    "html",
    [
        "<a download id=a href={url} onclick='return false'>Go</a>",
        "<a id=a href=javascript:void(0)>Go</a>",
        "<a id=a>Go</a>",
        "<form action={url} onsubmit='return false'><button id=a>Go</button></form>",
        "<form action={url}><button type=button id=a>Go</button></form>",
    ],
)
def test_what_loads_nothing_is_not_waited_for(show, site, html):
    page = show(html.format(url=site.never("/never")))

    ran = page.ok("click", "#a", "--json")

    assert (ran.json["changed"], ran.json["loading"]) == (False, False)


@pytest.mark.parametrize(
    "html",
    [
        "<button id=a>Go</button>",
        "<p id=a>Words</p>",
        "<input><div style=height:3000px></div><button id=a>Below</button>",
        "<div tabindex=0><b id=a>Inside</b></div>",
        "<iframe id=f srcdoc='<button>In</button>'></iframe>",
    ],
)
def test_click_without_effect_says_so(show, html):
    page = show(html)
    page.ok("wait", "--load")
    target = "#a" if "id=a" in html else refs(page, '"In"')[0]

    ran = page.ok("click", target)

    assert ran.out.splitlines()[1:] == ["Nothing changed"]
    assert page.ok("click", target, "--json").json["changed"] is False


@pytest.mark.parametrize(
    "html",
    [
        "<button id=a onclick='this.title = 1'>Go</button>",
        "<button id=a onclick='setTimeout(() => { this.title = 1 }, 10)'>Go</button>",
        "<button id=a onclick='b.focus()'>Go</button><input id=b>",
        "<label id=a for=b>Name</label><input id=b>",
        "<input id=a type=checkbox>",
        "<div style=height:3000px><button id=a onclick='window.scrollTo(0, 900)'>Go</button></div>",
        "<button id=a popovertarget=p>Go</button><p id=p popover>Words</p>",
        "<iframe srcdoc='<button onclick=this.title=1>In</button>'></iframe>",
        """<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML =
        '<button onclick="this.title=1">In</button>'</script>""",
    ],
)
def test_click_with_an_effect_does_not_say_otherwise(show, html):
    page = show(html)
    page.ok("wait", "--load")
    target = "#a" if "id=a" in html else refs(page, '"In"')[0]

    assert "Nothing changed" not in page.ok("click", target).out


def test_click_waits_for_the_request_that_it_started(show, site):
    answer = site.answer("/slow", lambda request: _answer_late(request, site))
    page = show(
        f"""<button onclick="fetch('{answer}').then(it => it.text()).then(it => log.push(it))">
        Go</button>"""
    )

    page.ok("click", "text=Go")

    assert "arrived" in log(page)


def _answer_late(request, site) -> None:
    site.closing.wait(0.4)
    body = b"arrived"
    request.send_response(200)
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def test_click_does_not_wait_for_a_request_that_was_open_before(show, site):
    held = site.hold("/poll")
    page = show(
        f"<button>Go</button><script>fetch('{held.url}').then(() => log.push('over'))</script>"
    )
    assert held.arrived.wait(150)

    ran = page.ok("click", "text=Go")

    assert "Nothing changed" in ran.out
    assert "over" not in log(page)
    held.let_go.set()


def test_click_can_show_what_changed(show):
    page = show("""<button onclick="this.after(this.cloneNode(true)); this.textContent = 'Gone'">
        Go</button><button>Stay</button>""")
    (shown,) = refs(page, '"Go"')

    ran = page.ok("click", shown, "--snapshot")
    page.ok("click", "text=Stay")
    data = page.ok("click", "text=Stay", "--snapshot", "--json").json

    first, second = ran.page.splitlines()
    assert first == f'~ {shown} [button] "Gone" [active]'
    assert second.startswith("+ @e")
    assert second.endswith('[button] "Go"')
    assert data["page"]["difference"] == []


def test_click_expects_what_comes_true(show):
    page = show("""<button onclick="setTimeout(() => document.body.append('Welcome'), 300)">
        Go</button>""")

    assert page.ok("click", "text=Go", "--expect", "text=Welcome", "--within", "5s").code == 0


def test_click_says_when_what_was_expected_does_not_come_true(show):
    page = show("<button id=a>Go</button>")

    ran = page.browse("click", "text=Go", "--expect", "text=Welcome", "--within", "300ms")

    assert ran.code == 7
    assert "'text=Welcome' did not come true within 300 ms" in ran.err
    assert log(page) == "click a 0"
