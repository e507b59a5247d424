"""A daemon without Chromium, as test harnesses start it: HTTP, and the tunnel's listener."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

from support.cli import Project, ask_each, until

pytestmark = pytest.mark.e2e


@pytest.fixture
def bare(project: Project) -> Project:
    project.env |= {
        "BROWSE_HEADLESS_SKIP": "1",
        "BROWSE_TUNNEL_LOCAL_ONLY": "1",
        "BROWSE_PORT": "0",
    }
    return project


def opened(project: Project) -> dict:
    """Wait for the tunnel's listener; return the state file."""
    return until(lambda: "tunnelLocalPort" in (state := project.state()) and state)


def post(port: int, path: str, body: object, token: str = "") -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode())
    request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_command_that_needs_chromium_says_why_there_is_none(bare: Project):
    ran = bare.browse("url")

    assert ran.code != 0
    assert "BROWSE_HEADLESS_SKIP is set" in ran.err
    assert json.loads(bare.ask("GET", "/health")[1])["status"] == "unhealthy"
    names = ask_each(bare.family(), psutil.Process.name).values()
    assert [name for name in names if "chrom" in name] == []


def test_the_start_of_the_daemon_stays_when_the_tunnel_opens_and_closes(bare: Project):
    bare.browse("url")
    before = opened(bare)

    bare.ok("tunnel", "stop")

    after = bare.state()
    assert "tunnelLocalPort" not in after
    assert after["startedAt"] == before["startedAt"]
    assert 10_000 <= after["port"] <= 60_000


def test_a_file_that_a_remote_agent_names_is_refused_and_written_down(bare: Project):
    bare.browse("url")
    port = opened(bare)["tunnelLocalPort"]
    key = json.loads(bare.ask("POST", "/pair", {"clientId": "codex"})[1])["setup_key"]
    token = json.loads(post(port, "/connect", {"setup_key": key})[1])["token"]

    wanted = {"command": "screenshot", "args": ["/etc/cron.d/x.png"]}
    status, said = post(port, "/command", wanted, token)

    assert (status, json.loads(said)["code"]) == (403, "path-refused")
    log = Path(bare.env["HOME"]) / ".gstack" / "security" / "attempts.jsonl"
    noted = until(lambda: log.exists() and log.read_text(), what="the attempts log")
    assert '"kind":"command_refused","reason":"path-refused"' in noted
    assert "cron.d" not in noted
