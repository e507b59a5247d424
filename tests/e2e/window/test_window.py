"""The session moves into a window and back, and a person takes part in it there."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from support.cli import Project, until
from support.life import see_gone
from support.window import in_window, needs_window, person

pytestmark = [pytest.mark.e2e, needs_window]
FORM = """<title>Form</title><iframe src="/window/frame"></iframe>
<form><input id=name><input name=pin type=password><textarea></textarea>
<input type=checkbox name=box><select><option>tea<option>milk</select>
<input type=hidden name=token value=fresh></form>
<div id=list style="height:60px;overflow:auto"><div style="height:900px">long</div></div>
<div style="height:4000px"></div><button>Send</button>
<script>
  document.querySelector("[type=hidden]").value += Math.random();
  customElements.define("x-field", class extends HTMLElement {
    connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<input>"; }
  });
  // As pages do that are built by scripts.
  addEventListener("load", () => document.body.append(document.createElement("x-field")));
  localStorage.first ||= "kept here";
  sessionStorage.loads = (+sessionStorage.loads || 0) + 1;
  const opening = indexedDB.open("notes", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("all").put("in the database", 1);
  opening.onsuccess = () => {
    const read = opening.result.transaction("all").objectStore("all").get(1);
    read.onsuccess = () => { document.title = `Form ${read.result}`; };
  };
</script>"""
TYPE = """
  const put = (field, value) => { field.value = value; };
  put(document.querySelector("#name"), "Ada"); put(document.querySelector("[name=pin]"), "1234");
  put(document.querySelector("textarea"), "two\\nlines");
  document.querySelector("[name=box]").checked = true;
  document.querySelector("select").selectedIndex = 1;
  put(document.querySelector("x-field").shadowRoot.querySelector("input"), "in the shadow");
  put(document.querySelector("iframe").contentDocument.querySelector("input"), "in the frame");
  document.querySelector("#list").scrollTop = 300; scrollTo(0, 1500); "typed"
"""
READ = """JSON.stringify([
  document.querySelector("#name").value, document.querySelector("[name=pin]").value,
  document.querySelector("textarea").value, document.querySelector("[name=box]").checked,
  document.querySelector("select").value,
  document.querySelector("x-field").shadowRoot.querySelector("input").value,
  document.querySelector("iframe").contentDocument.querySelector("input").value,
  document.querySelector("#list").scrollTop, scrollY, localStorage.first, document.cookie])"""
TYPED = ["Ada", "1234", "two\nlines", True, "milk", "in the shadow", "in the frame", 300, 1500]
KEPT = [*TYPED, "kept here", "login=yes"]
# A page says that something of it was shown.
SHOWN = """<script>
const shown = new PerformanceObserver(() => document.body.append("Shown"));
shown.observe({type: "paint", buffered: true});
</script>"""


@pytest.fixture(scope="module")
def window(tmp_path_factory) -> Iterator[Project]:
    """One daemon, which goes into a window and out of it."""
    made = Project.make(tmp_path_factory.mktemp("window"))
    yield made
    made.end()


def form(site) -> str:
    site.page("/window/frame", "<input>")
    return site.page("/window/form", FORM, set_cookie="login=yes; Max-Age=3600")


def read(window: Project) -> list:
    return json.loads(window.ok("js", READ).page)


def mode(window: Project) -> str:
    return json.loads(window.ok("status", "--json").out)["mode"]


def prepare(window: Project, site) -> tuple[int, int]:
    """Leave something of every kind in two tabs and a second session; return the tabs."""
    window.ok("disconnect")
    window.ok("newtab", form(site))
    first = current(window)
    other_url = site.page("/window/other", "<title>Other</title>other")
    window.ok("newtab", other_url, "--allowed-domains", "127.0.0.1")
    other = current(window)
    window.ok("load-html", "-", "--session", "second", stdin="<title>Written</title><input id=w>")
    window.ok("fill", "#w", "by hand", "--session", "second")
    window.ok("route", "**/answered", "--body", "ours")
    window.ok("emulate", "timezone", "Asia/Tokyo")
    window.ok("tab", str(first))
    window.ok("wait", "x-field")
    window.ok("js", TYPE)
    return first, other


def check_window(window: Project, first: int, other: int) -> None:
    """Everything is in the window as it was without one."""
    assert window.state()["mode"] == "headed"
    assert json.loads(window.ask("GET", "/health")[1])["mode"] == "headed"
    assert read(window) == KEPT
    assert f"[{other}] Other" in window.ok("tabs").page
    assert f"→ [{first}] Form in the database" in window.ok("tabs").page
    assert window.ok("js", "sessionStorage.loads").page == "2"
    assert window.ok("js", "Intl.DateTimeFormat().resolvedOptions().timeZone").page == "Asia/Tokyo"
    assert window.ok("js", "fetch('/answered').then(it => it.text())").page == "ours"
    here = window.ok("js", "location.port").page
    way = f"fetch('http://localhost:{here}/window/other', {{mode: 'no-cors'}})"
    elsewhere = f"{way}.then(() => 'sent', () => 'not sent')"
    assert window.ok("js", elsewhere).page == "sent"
    assert window.ok("js", elsewhere, "--tab-id", str(other)).page == "not sent"
    assert window.ok("js", "document.title + w.value", "--session", "second").page == (
        "Writtenby hand"
    )
    assert "Already connected" in window.ok("connect").out
    assert "Mode: headed" in window.ok("status").out
    assert window.ok("focus").out == "Browser window activated.\n"
    assert (window.root / ".gstack" / "chromium-profile").stat().st_mode & 0o777 == 0o700


@pytest.mark.issue(16)
def test_the_session_moves_into_a_window_and_back(window, site):
    first, other = prepare(window, site)
    before = window.state()

    connected = json.loads(window.ok("connect", "--json").out)

    assert connected["mode"] == "headed"
    assert [it.partition(":")[0] for it in connected["notes"]] == ["nobody sees the window"]
    now = window.state()
    assert [now[it] for it in ("pid", "port", "token")] == [
        before[it] for it in ("pid", "port", "token")
    ]
    assert "--headless" not in " ".join(in_window(window).cmdline())
    check_window(window, first, other)
    # What is done in the window goes along as well.
    window.ok("fill", "#name", "Grace")
    window.ok("js", "document.cookie = 'made=here; Max-Age=3600'; localStorage.first = 'there'")
    family, there = in_window(window).children(recursive=True), read(window)

    assert window.ok("disconnect").out.startswith("Disconnected from real browser.")

    see_gone(family)
    assert window.state()["mode"] == mode(window) == "launched"
    assert read(window) == there
    assert [there[0], *there[-2:]] == ["Grace", "there", "login=yes; made=here"]
    assert window.ok("js", "fetch('/answered').then(it => it.text())").page == "ours"
    assert "nothing to disconnect" in window.ok("disconnect").out
    window.ok("unroute")
    window.ok("emulate", "timezone", "off")
    window.ok("js", "localStorage.clear()")
    window.ok("cookies", "--clear")


@pytest.mark.issue(16)
def test_the_current_tab_follows_the_person(window, site):
    window.ok("connect")
    window.ok("goto", site.page("/window/one", "<title>One</title>one"))
    first = current(window)
    window.ok("newtab", site.page("/window/two", "<title>Two</title>two"))
    second = current(window)
    assert second != first

    person(window, "key", "--clearmodifiers", "ctrl+Prior")  # Ctrl+PageUp: the tab to the left
    until(lambda: current(window) != second, what="the tab that the person looks at")
    person(window, "key", "--clearmodifiers", "ctrl+Next")
    until(lambda: current(window) == second, what="the second tab again")
    # A popup of a command's click is no turn of the person's.
    window.ok("js", "document.body.innerHTML = '<a href=/window/one target=_blank>more</a>'")
    assert "was opened" in window.ok("click", "a").out
    window.ok("wait", "300")
    assert current(window) == second
    agent = window.ok("newtab", BROWSE_AGENT="reader").out
    held = int(agent.split()[2])
    assert current(window) == second
    person(window, "key", "--clearmodifiers", "ctrl+t")
    opened = until(lambda: ids(window) - {first, second, held, *others(window)}, what="a new tab")

    until(lambda: current(window) in opened, what="the tab that the person has opened")
    assert current(window, BROWSE_AGENT="reader") == held
    private = window.browse("text")
    assert private.code == 4
    assert "a page of the browser itself" in private.err
    assert window.ok("goto", site.page("/window/new", "<p>new")).code == 0
    assert f"browse: {window.root.name}" in person(
        window, "search", "--onlyvisible", "--name", "browse: ", "getwindowname"
    )


def rows(window: Project, **env: str) -> list[dict]:
    return json.loads(window.ok("tabs", "--json", **env).out)["tabs"]


def ids(window: Project) -> set[int]:
    return {row["id"] for row in rows(window)}


def others(window: Project) -> set[int]:
    return {row["id"] for row in rows(window) if "chrome:" not in row["page"]["url"]}


def current(window: Project, **env: str) -> int:
    return next(row["id"] for row in rows(window, **env) if row["current"])


@pytest.mark.issue(16)
def test_first_scripts_in_the_window_see_what_is_emulated(window, site):
    """Also when the page goes on in another process, as a window does between sites."""
    first = "<script>seen = [navigator.platform, matchMedia('print').matches].join()</script>"
    tile = "<my-tile></my-tile><script>customElements.define('my-tile', class extends HTMLElement"
    url = site.page("/window/emulated", f"{first}{tile} {{}})</script>")
    window.ok("connect")
    window.ok("emulate", "device", "pixel", "7")
    window.ok("emulate", "media", "print")
    window.ok("newtab", url)
    fresh = window.ok("js", "seen").page
    window.ok("snapshot")  # looks into the tile in a session of its own
    window.ok("goto", url.replace("127.0.0.1", "localhost"))
    elsewhere = window.ok("js", "seen").page
    window.ok("emulate", "reset")
    window.ok("goto", url)

    assert [fresh, elsewhere] == ["Linux armv81,true"] * 2
    assert window.ok("js", "seen").page == "Linux x86_64,false"


@pytest.mark.issue(16)
def test_a_failed_connect_leaves_all_as_it_was(window, site):
    window.ok("disconnect")
    window.ok(
        "goto", site.page("/window/stay", "<button onclick='this.textContent=1'>Press</button>")
    )
    ref = window.ok("snapshot", "-i").page.split()[0]
    no_display = window.browse("connect", "--display", ":987")
    profile = window.root / ".gstack" / "chromium-profile"
    profile.mkdir(mode=0o700, exist_ok=True)
    lock = profile / "SingletonLock"
    pause = "import sys; sys.stdin.read()"
    living = subprocess.Popen(
        [sys.executable, "-c", pause, f"--user-data-dir={profile}"], stdin=subprocess.PIPE
    )
    lock.unlink(missing_ok=True)
    lock.symlink_to(f"{socket.gethostname()}-{living.pid}")

    locked = window.browse("connect")

    living.communicate()
    assert locked.code == no_display.code == 1
    assert f"pid {living.pid}" in locked.err
    assert ":987" in no_display.err
    assert "does not answer" in no_display.err
    assert mode(window) == "launched"
    assert window.ok("click", ref).code == 0
    assert str(lock.readlink()).endswith(str(living.pid))
    # The one that held it is dead now, so its lock is in nobody's way.
    assert "Connected" in window.ok("connect").out
    assert not str(lock.readlink()).endswith(f"-{living.pid}")


@pytest.mark.issue(16)
def test_a_person_has_the_tab_in_the_window(window, site):
    window.ok("disconnect")
    window.ok("goto", site.page("/window/seat", f"<input aria-label=Seat autofocus><p>Row{SHOWN}"))
    told = window.ok("handoff", "--window", "Choose a seat").out
    refused = window.browse("fill", "input", "1A")
    # Chromium drops what a person does to a page before it has shown anything of it.
    window.ok("wait", "--text", "Shown")
    person(window, "mousemove", "300", "300", "click", "1", "key", "Tab", "type", "7A")
    until(lambda: "7A" in window.ok("snapshot", "-i").page, what="what the person types")
    back = window.ok("resume")

    assert "WINDOW: the tab is in front" in told
    assert "[note] its pages were loaded again" in told
    assert "A person has tab" in refused.err
    assert 'used: [textbox] "Seat"' in back.page
    window.ok("fill", "input", "2B")
    window.ok("js", "document.activeElement.blur()")
    seat = window.ok("find", "Seat").page.split()[0]
    window.ok("focus", seat)
    assert window.ok("js", "document.activeElement.ariaLabel").page == "Seat"
