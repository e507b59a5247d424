"""A page of detectors finds no more in our browser than in the same Chromium started by hand."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from browse.browser.process import chromium
from support.cli import until
from support.window import needs_window, shown

pytestmark = [pytest.mark.e2e, pytest.mark.issue(17)]
ASSETS = Path(__file__).with_name("stealth")
TYPES = {".html": "text/html", ".js": "text/javascript"}
# Without stealth, a page that formats stacks itself sees that somebody listens: decision 0054.
LISTENED = {
    "the console formats with our function",
    "the console of a worker formats with our function",
    "uncaught errors are formatted with our function",
}


class Detectors:
    """Serves the detectors, and keeps what they report."""

    def __init__(self, site) -> None:
        self.site = site
        self.reports: dict[str, dict] = {}
        for path in ASSETS.iterdir():
            body = path.read_text("utf-8")
            site.page(f"/stealth/{path.name}", body, content_type=TYPES[path.suffix])
        site.answer("/stealth/headers", self._headers)
        site.answer("/stealth/report", self._report)

    def _headers(self, request: BaseHTTPRequestHandler) -> None:
        sent = {name.lower(): value for name, value in request.headers.items()}
        request.send_response(200)
        request.end_headers()
        request.wfile.write(json.dumps(sent).encode())

    def _report(self, request: BaseHTTPRequestHandler) -> None:
        data = request.rfile.read(int(request.headers["content-length"]))
        self.reports[request.path.partition("?")[2]] = json.loads(data)
        request.send_response(200)
        request.end_headers()

    def found(self, who: str, visit: Callable[[str], object]) -> set[str]:
        """Have the page opened, and return what it has found."""
        visit(f"{self.site.url}/stealth/detectors.html?{who}")
        report = until(lambda: self.reports.get(who), what=f"the report of {who}")
        return {name for name, it in report["found"].items() if it}

    def by_hand(
        self, who: str, program: Path, folder: Path, *flags: str, **display: str
    ) -> set[str]:
        """Start a Chromium as a person would, with nothing attached to it."""
        started: list[subprocess.Popen] = []
        command = [str(program), "--no-sandbox", "--no-first-run", f"--user-data-dir={folder}"]

        def visit(url: str) -> None:
            environ = {**os.environ, **display, "HOME": str(folder)}
            quiet = subprocess.DEVNULL
            started.append(
                subprocess.Popen([*command, *flags, url], env=environ, stdout=quiet, stderr=quiet)
            )

        try:
            return self.found(who, visit)
        finally:
            for process in started:
                process.terminate()
                process.wait(90)


def test_the_headless_shell_gives_away_no_more_than_by_hand(browser, project, site, tmp_path):
    detectors = Detectors(site)
    program = chromium.find(os.environ.get("GSTACK_CHROMIUM_PATH", "")).path

    # A session of its own: a trace that another test has recorded leaves its recorder behind.
    usual = detectors.found("usual", lambda url: browser.ok("goto", url, "--session", "usual"))
    quiet = detectors.found("quiet", lambda url: project.ok("goto", url, "--stealth", "on"))
    # Without a port it ends as soon as the page is loaded; nobody connects to it.
    by_hand = detectors.by_hand(
        "hand", program, tmp_path, "--headless", "--remote-debugging-port=0"
    )

    assert quiet - by_hand == set()
    assert usual - by_hand - LISTENED == set()
    assert "webdriver is true" not in usual | quiet
    assert len(detectors.reports["quiet"]["found"]) > 50


def test_in_stealth_no_command_is_noticed_and_the_console_still_tells(project, site):
    page = """<script>
        let calls = 0;
        Error.prepareStackTrace = () => { calls += 1; return ""; };
        console.warn("kettle", { cups: 2 }, new Error("lid"));
        setTimeout(() => { throw new TypeError("no water"); });
    </script>
    <iframe srcdoc="<script>Promise.reject(new RangeError(9))</script><button>In</button>"></iframe>
    <button onclick="console.error(new Error('steam')); document.title = calls">Boil</button>"""
    project.ok("goto", site.page("/kettle", page), "--stealth", "on")

    refs = re.findall(r"(@e\d+) \[button\] \"Boil\"", project.ok("snapshot", "-i").page)
    told = until(lambda: "9" in project.ok("console").page and project.ok("console").page)
    project.ok("click", *refs)

    assert project.ok("title").page == "0"
    assert "[warning] kettle [object Object] Error: lid" in told
    assert f"[error] Uncaught TypeError: no water ({site.url}/kettle:5)" in told
    assert "[error] Uncaught (in promise) RangeError: 9" in told
    assert "[error] Error: steam" in project.ok("console").page
    assert "Stealth: on" in project.ok("status").out
    assert "The running daemon has --stealth on" in project.browse("status", "--stealth", "off").err


@needs_window
def test_the_window_gives_away_no_more_than_by_hand(project, site, tmp_path):
    detectors = Detectors(site)
    program = chromium.find_with_window(os.environ.get("GSTACK_CHROMIUM_PATH", "")).path
    project.ok("connect", "--stealth", "on")

    ours = detectors.found("window", lambda url: project.ok("goto", url))
    by_hand = detectors.by_hand("hand", program, tmp_path, **shown(project))

    assert ours - by_hand == set()
