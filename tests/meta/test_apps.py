"""The real applications: pinned, installed once, left out with a reason, and the table of jobs."""

import json
import os
import re
import sys
from types import SimpleNamespace

import pytest
from tools import apps
from tools.apps import PINNED, ROOT, Application, applications

from support import jobs
from support.jobs import Job
from support.served import served

NAMES = [it.name for it in applications()]


@pytest.fixture
def pinned(tmp_path):
    """An application of Python and one of npm, with nothing to install."""
    folder = tmp_path / "requirements"
    (folder / "web").mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        (folder / "web" / name).write_text("{}")
    (folder / "server.txt").write_text("")
    return folder


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Put a program called npm first on the PATH."""

    def put(script: str) -> None:
        program = tmp_path / "bin" / "npm"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    return put


@pytest.mark.parametrize("name", NAMES)
def test_an_application_is_pinned_with_hashes_and_no_address(name):
    text = Application(name).lock.read_text("utf-8")
    hashed = re.findall(r'--hash=sha256:|"integrity"', text)

    assert "://" not in text
    in_others = text.count('"inBundle": true')
    assert len(hashed) + in_others >= len(
        re.findall(r"^[a-z0-9][\w.-]*==|^    \"node_modules", text, re.M)
    )


def test_what_stands_in_every_check_is_pinned():
    assert set(apps.IN_CHECK) <= {*NAMES}


def test_a_pin_is_installed_once(pinned, programs, tmp_path):
    programs("echo asked >> asked.txt; mkdir node_modules")
    application = Application("web", pinned, tmp_path / "apps")

    assert application.why_not() == "not installed"
    assert [application.install(), application.install()] == ["", ""]
    assert (application.folder / "asked.txt").read_text() == "asked\n"
    assert application.why_not() == ""


def test_another_pin_is_installed_anew(pinned, programs, tmp_path):
    programs("mkdir node_modules")
    application = Application("web", pinned, tmp_path / "apps")
    application.install()
    (pinned / "web" / "package-lock.json").write_text("{ }")

    assert application.why_not() == "not installed"
    assert application.install() == ""
    assert application.is_there()


def test_what_npm_says_is_the_reason_until_it_is_there(pinned, programs, tmp_path):
    programs("[ -e ../up ] || { echo 'npm error code ENOTFOUND' >&2; exit 1; }")
    application = Application("web", pinned, tmp_path / "apps")
    reason = "npm failed: npm error code ENOTFOUND"

    assert application.install() == reason
    assert application.why_not() == reason
    (tmp_path / "apps" / "up").touch()
    assert application.install() == application.why_not() == ""


def test_without_npm_its_applications_are_left_out(pinned, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert Application("web", pinned, tmp_path / "apps").install() == "there is no npm here"


def test_an_application_of_python_gets_an_interpreter_of_its_own(pinned, tmp_path):
    application = Application("server", pinned, tmp_path / "apps")

    assert application.install() == ""
    assert application.python.is_file()


def test_what_pip_says_is_the_reason(pinned, tmp_path):
    (pinned / "server.txt").write_text(f"no-such @ {tmp_path.as_uri()}/nothing.whl\n")
    application = Application("server", pinned, tmp_path / "apps")

    assert application.install().startswith("pip failed: ERROR: ")


def test_a_place_that_cannot_be_written_is_a_reason_too(tmp_path, monkeypatch, capsys):
    (tmp_path / "apps").touch()
    application = Application("todomvc", below=tmp_path / "apps")
    monkeypatch.setattr(apps, "applications", lambda: [application])

    assert apps.main([]) == 0
    assert capsys.readouterr().err.startswith("todomvc is not here: [Errno ")


def test_a_name_that_is_not_pinned_is_refused(capsys):
    with pytest.raises(SystemExit):
        apps.main(["emacs"])

    assert "no application is pinned as emacs; there are: " in capsys.readouterr().err


@pytest.mark.parametrize("path", ["tests", "tests/apps", "tests/apps/"])
def test_a_folder_of_tests_needs_the_small_applications(path):
    assert apps.driven_by([path]) == sorted(apps.IN_CHECK)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_jobs_needs_its_application(name):
    path = Application(name).test.relative_to(ROOT)

    assert apps.driven_by([f"{path}::test_x", "tests/registry"]) == [name]


def test_other_tests_need_none():
    assert apps.driven_by(["tests/registry", "tests/e2e/cli"]) == []


SAYING = """import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b'{"port": %d}' % port)
port = int(sys.argv[1])
http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()"""


def test_an_application_answers_until_it_is_left(tmp_path):
    with served([sys.executable, "-c", SAYING, "{port}"], tmp_path) as it:
        assert it.url.endswith(f":{it.json('/')['port']}")

    with pytest.raises(OSError, match="refused"):
        it.get("/")


def test_an_application_that_cannot_start_says_why(tmp_path):
    words = [sys.executable, "-c", "raise SystemExit('no database')"]

    with pytest.raises(AssertionError, match="ended with 1: no database"), served(words, tmp_path):
        pass


def test_an_application_whose_port_is_taken_gets_another(tmp_path):
    once = "import pathlib, sys; seen = pathlib.Path('seen')\nif not seen.exists():\n    "
    taken = f"{once}seen.touch(); sys.exit('Address already in use')\n{SAYING}"

    with served([sys.executable, "-c", taken, "{port}"], tmp_path) as it:
        assert it.json("/")["port"]


class Said:
    """A project whose client says what it is told to."""

    def __init__(self, *said: str) -> None:
        self.said = list(said)

    def ok(self, *words: str, stdin: str | None = None) -> SimpleNamespace:
        return SimpleNamespace(out=self.said.pop(0), err="")


def a_job(*said: str) -> Job:
    return Job(Said(*said), {"calls": 0, "characters": 0})  # type: ignore[arg-type]


def test_calls_and_what_is_read_of_them_are_counted():
    job = a_job("four", "and ten more"[:10])
    job("url")
    job("text")

    assert job.counts == {"calls": 2, "characters": 14}


def test_a_ref_is_read_from_what_was_shown():
    job = a_job('@e1 [button] "Save"\n  @e2 [button] "Save and add" [disabled]\n@e3 [link] (a row)')
    job("snapshot", "-i")

    assert job.ref("button", "Save") == "@e1"
    assert job.ref("button", "and add") == "@e2"
    assert job.ref("link", near="a row") == "@e3"


def test_what_was_shown_last_goes_first():
    job = a_job('@e1 [button] "Go"\n@e2 [link] "Home"', '@e3 [button] "Go"')
    job("snapshot", "-i")
    job("click", "@e2")

    assert (job.ref("button", "Go"), job.ref("link", "Home")) == ("@e3", "@e2")


def test_a_ref_that_several_could_be_is_no_answer():
    job = a_job('@e1 [link] "Add"\n@e2 [link] "Add"')
    job("snapshot", "-i")

    with pytest.raises(AssertionError, match="'Add'"):
        job.ref("link", "Add")


@pytest.mark.parametrize(
    "words", [("js", "1"), ("click", "--at", "1,1"), ("wait", "300"), ("click", "@e1", "--anyway")]
)
def test_a_job_knows_no_workaround(words):
    with pytest.raises(AssertionError, match=r"workaround|sleeps"):
        a_job("done")(*words)


@pytest.mark.parametrize(
    "words", [("text", ".total"), ("click", "#buy"), ("chain", "find tea | click .shop .buy")]
)
def test_a_job_knows_no_class_or_id_that_was_not_shown(words):
    with pytest.raises(AssertionError, match=r"no reply has shown \['(total|buy|shop)'"):
        a_job("done")(*words)


def test_a_job_knows_what_was_shown():
    job = a_job('@e1 [button] [hint=buy] "Buy"', "Clicked")
    job("snapshot", "-i")

    job("click", "#buy")


def report(nodeid: str, **line: object) -> SimpleNamespace:
    return SimpleNamespace(nodeid=nodeid, user_properties=[["job", line]])


def test_the_table_has_a_line_for_each_job():
    cost = {"calls": 4, "characters": 1200}
    stats = {
        "passed": [report("a", application="shop", job="Buy tea.", **cost)],
        "skipped": [report("b", application="news", job="Read it.", calls=0, characters=0)],
        "": [SimpleNamespace(nodeid="c", user_properties=[])],
    }

    assert jobs.table(jobs.lines(stats)) == [
        "| application | job      | result  | calls | characters |",
        "| ----------- | -------- | ------- | ----- | ---------- |",
        "| news        | Read it. | skipped | 0     | 0          |",
        "| shop        | Buy tea. | passed  | 4     | 1200       |",
    ]


def test_the_table_is_printed_and_written(tmp_path, monkeypatch):
    written = tmp_path / "apps" / "jobs.json"
    monkeypatch.setattr(jobs, "TABLE", written)
    told: list[str] = []
    line = {"application": "shop", "job": "Buy tea.", "calls": 4, "characters": 1200}
    terminal = SimpleNamespace(
        stats={"failed": [report("a", **line)]},
        write_sep=lambda *_: None,
        write_line=told.append,
    )

    jobs.pytest_terminal_summary(terminal)  # type: ignore[arg-type]

    assert "failed" in told[2]
    assert json.loads(written.read_text()) == [{**line, "result": "failed"}]


def test_the_files_of_jobs_are_those_of_pinned_applications():
    assert set(PINNED.parent.glob("test_*.py")) == {it.test for it in applications()}
