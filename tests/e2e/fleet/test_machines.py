"""`fleet up`, `join`, `run`, `--on`, `status` and `down`, with real workers."""

import json
import signal

import psutil
import pytest

from support.cli import Project, lives, until
from support.fleets import ended

pytestmark = [pytest.mark.e2e, pytest.mark.issue(19)]
LOGIN = "<script>document.cookie = 'who=me; path=/'</script>"


def test_status_lists_the_workers(fleet):
    shown = fleet.ok("status").out
    rows = json.loads(fleet.ok("--json").out)["workers"]

    assert shown.startswith("Head: tls://127.0.0.1:")
    assert sorted((row["name"], row["tabs"]) for row in rows) == [("local-1", 2), ("local-2", 2)]


def test_a_command_runs_on_a_machine_as_it_does_here(fleet, site):
    url = site.page("/fleet-words", "<main>Tea</main>")

    opened = fleet.project.ok("--on", "local-1", "goto", url)
    text = fleet.project.ok("--on=local-1", "text", "main")
    wrong = fleet.project.browse("--on", "local-1", "click", "@e99")
    piped = fleet.project.browse("--on", "local-1", "chain", stdin='[["url"]]')

    assert opened.out.startswith("Navigated to")
    assert text.page == "Tea"
    assert (wrong.code, wrong.out) == (3, "")
    assert "fleet-words" in piped.out


def test_a_login_stays_in_its_session_on_its_machine(fleet, site):
    site.page("/fleet-login", LOGIN)
    seen = site.page(
        "/fleet-account",
        "<main></main><script>"
        "document.querySelector('main').textContent = document.cookie || 'nobody'"
        "</script>",
    )
    urls, out = fleet.urls([seen, f"{seen}?2", f"{seen}?3"]), fleet.out()
    fleet.project.ok("--on", "local-1/shop", "goto", f"{site.url}/fleet-login")

    there = fleet.ok("map", urls, "--do", "text main", "--on", "local-1/shop")
    elsewhere = fleet.ok("map", urls, "--do", "text main", "--on", "local-2/shop")
    beside = fleet.ok("map", urls, "--do", "text main", "--on", "local-1", "--out", str(out))

    assert told(there.out) == [("local-1", "who=me")] * 3
    assert told(elsewhere.out) == [("local-2", "nobody")] * 3
    assert told(out.read_text()) == [("local-1", "nobody")] * 3
    assert "3 pages of 3 done" in beside.out


def told(lines: str) -> list[tuple[str, str]]:
    found = map(json.loads, lines.splitlines())
    return [(row["worker"], row["result"]["page"]["text"]) for row in found]


def test_a_worker_that_is_not_there_is_told_with_those_that_are(fleet):
    ran = fleet.project.browse("--on", "m9", "url")

    assert ran.code == 6
    assert "no worker 'm9'" in ran.err
    assert "there are: local-1, local-2" in ran.err


def test_files_of_a_worker_are_in_its_own_folder(fleet, site):
    url = site.page("/fleet-picture", "<h1>Tea</h1>")

    fleet.project.ok("--on", "local-2", "goto", url)
    fleet.project.ok("--on", "local-2", "screenshot", "tea.png")

    assert (fleet.home / "browse-fleet/local-2/tea.png").stat().st_size > 100


def test_another_machine_joins_with_keys_of_its_own_and_leaves_at_ctrl_c(fleet, tmp_path):
    address = fleet.note()["address"]
    keys = json.loads(fleet.ok("keys", "m3", "--json").out)["file"]
    other = Project.make(tmp_path)

    joining = other.start("fleet", "join", address, "--name", "m3", "--keys", keys)
    assert joining.stdout
    assert joining.stdout.readline() == f"Worker m3 has joined {address}.\n".encode()
    where = fleet.project.ok("--on", "m3", "url")
    state = tmp_path / "home/browse-fleet/m3/.gstack/browse.json"
    daemon = psutil.Process(json.loads(state.read_text())["pid"])
    family = [daemon, *daemon.children(recursive=True)]
    joining.send_signal(signal.SIGINT)
    code, out, _ = ended(joining)

    assert "about:blank" in where.out
    assert (code, out) == (0, "Worker m3 has left.\n")
    until(lambda: not any(map(lives, family)), what="the end of its daemon")


def test_a_machine_with_keys_of_another_fleet_is_refused(fleet, tmp_path):
    other = Project.make(tmp_path)
    other.ok("fleet", "keys")

    ran = other.browse("fleet", "join", fleet.note()["address"])

    assert ran.code == 6
    assert "does not take our keys" in ran.err
    assert "browse fleet keys <name>" in ran.err


def test_a_second_worker_of_the_same_name_is_refused(fleet, tmp_path):
    keys = json.loads(fleet.ok("keys", "m4", "--json").out)["file"]
    other = Project.make(tmp_path)

    ran = other.browse(
        "fleet", "join", fleet.note()["address"], "--name", "local-1", "--keys", keys
    )

    assert ran.code == 6
    assert "has a worker named local-1 already" in ran.err
    assert not (tmp_path / "home/browse-fleet/local-1").exists()


def test_a_worker_that_was_killed_is_started_again_with_its_browser(fleet):
    daemon = fleet.daemon("local-2").pid
    fleet.kill(next(it for it in fleet.note()["workers"] if it["name"] == "local-2"))

    fleet.up()

    assert fleet.daemon("local-2").pid == daemon
    assert "local-2" in fleet.ok("status").out


def test_nothing_of_the_fleet_listens_beyond_this_machine_and_all_files_are_private(fleet):
    own = [it["pid"] for it in (fleet.note()["head"], *fleet.note()["workers"])]
    listening = [
        it.laddr.ip
        for pid in own
        for it in psutil.Process(pid).net_connections("inet")
        if it.status == psutil.CONN_LISTEN
    ]
    folder = fleet.home / ".gstack/fleet"

    assert set(listening) == {"127.0.0.1"}
    assert {it.stat().st_mode & 0o777 for it in folder.iterdir() if it.is_file()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
