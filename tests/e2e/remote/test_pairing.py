"""Pairing with the real client, daemon and Chromium; the remote agent has nothing but curl."""

import hashlib
import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import Project, until

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def paired_project(tmp_path_factory) -> Iterator[Project]:
    """A daemon whose owner agreed to remote access; its tunnel ends on this machine."""
    agreed = {"GSTACK_PAIR_AGENT": "on", "BROWSE_TUNNEL_PROVIDER": "none", "BROWSE_TUNNEL": "1"}
    made = Project.make(tmp_path_factory.mktemp("paired"), **agreed)
    made.ok("url")
    until(lambda: "Open since" in made.ok("tunnel").out, what="the tunnel that is open at once")
    made.ok("tunnel", "stop")
    yield made
    made.end()


def curl(command: str, **replaced: str) -> str:
    for word, value in replaced.items():
        command = command.replace(f"${word}", value)
    words = shlex.split(command.replace("\\\n", " "))
    assert words[0] == "curl"
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=150).stdout


def posted(address: str, body: object, bearer: str = "") -> tuple[int, str]:
    words = ["curl", "-sS", "-w", "\n%{http_code}", address, "-d", json.dumps(body)]
    out = curl(shlex.join([*words, "-H", f"Authorization: Bearer {bearer}"]))
    said, _, status = out.rpartition("\n")
    return int(status), said


def fetched(url: str, token: str, path: str) -> bytes:
    words = ["curl", "-sS", "-G", f"{url}/file", "--data-urlencode", f"path={path}"]
    words += ["-H", f"Authorization: Bearer {token}"]
    return subprocess.run(words, capture_output=True, check=True, timeout=150).stdout


def commands(block: str) -> list[str]:
    """Take the curl commands out of the instructions, as an agent would."""
    return re.findall(r"^  (curl (?:.*\\\n)*.*)$", block, re.MULTILINE)


def test_an_agent_with_nothing_but_curl_follows_the_instructions(paired_project, site):
    owner = paired_project
    owner.ok("goto", site.page("/owners-own", "<title>Bank</title><p>balance"))
    block = owner.ok("pair-agent", "--client", "laptop").out
    connect, newtab, look, _ = commands(block)

    token = json.loads(curl(connect))["token"]
    there = site.page("/for-the-agent", "<button>Go</button>")
    curl(newtab.replace("https://example.com", there), TOKEN=token)

    seen = curl(look, TOKEN=token)
    assert '[button] "Go"' in seen
    assert f"--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {there}) [" in seen
    assert "401" in curl(connect.replace("curl -sS", "curl -sS -w %{http_code}"))
    assert "balance" in owner.ok("text").page
    assert "laptop  scopes=read,write,admin,meta" in owner.ok("tunnel", "agents").out
    told = owner.ok("tunnel", "agents", "--json").json
    assert told == json.loads(owner.ask("GET", "/agents")[1])
    assert token not in str(told)


def test_the_tunnel_shows_nothing_of_the_owners_and_ends_when_revoked(paired_project, site):
    owner = paired_project
    owner.ok("goto", site.page("/owners-secret", "<p>my secret"))
    secret_tab = next(
        row["id"] for row in owner.ok("tabs", "--json").json["tabs"] if row["current"]
    )
    told = owner.ok("pair-agent", "--client", "guest", "--headless", "--json").json
    url, token = told["url"], ""
    assert url != owner.state()["port"]

    def ask(path: str, body: object, bearer: str = "") -> tuple[int, str]:
        return posted(url + path, body, bearer or token)

    token = json.loads(ask("/connect", {"setup_key": told["setup_key"]})[1])["token"]
    assert ask("/command", {"command": "newtab"})[0] == 200
    for body, code in (
        ({"command": "text", "tabId": secret_tab}, "tab-not-yours"),
        ({"command": "closetab", "args": [f"{secret_tab}"]}, "tab-not-yours"),
        ({"command": "cookies"}, "surface"),
        ({"command": "stop"}, "surface"),
        ({"command": "screenshot", "args": ["/tmp/x.png"]}, "path-refused"),
        ({"command": "goto", "args": ["file:///etc/passwd"]}, "path-refused"),
        ({"command": "pair-agent"}, "surface"),
    ):
        status, said = ask("/command", body)
        assert (status, json.loads(said)["code"]) == (403, code), said
    assert ask("/command", {"command": "url"}, owner.state()["token"])[0] == 403
    assert ask("/pair", {})[0] == 404
    assert ask("/command", {"command": "eval", "args": ["6 * 7"]})[1].count(" 42\n") == 1
    assert ask("/sidebar-chat", {"message": "hello"})[0] == 200

    assert "Revoked guest" in owner.ok("tunnel", "revoke", "guest").out
    assert ask("/command", {"command": "url"})[0] == 401
    assert owner.browse("tunnel", "revoke", "guest").code == 2
    assert owner.ok("tunnel").out.startswith("Open since ")
    assert owner.ok("tunnel", "stop").out.startswith("The tunnel is closed.")
    assert owner.ok("tunnel").out == "Closed: it was stopped\n"
    attempts = owner.root.parent / "home" / ".gstack" / "security" / "attempts.jsonl"
    log = until(
        lambda: attempts.exists() and "root_token_on_tunnel" in (it := attempts.read_text()) and it,
        what="the log of attempts",
    )
    assert '"reason":"disallowed_command:cookies"' in log
    assert "127.0.0.1" not in log
    assert token not in log


def test_a_remote_agent_fetches_its_screenshots_and_no_other_file(paired_project, site):
    owner = paired_project
    told = owner.ok("pair-agent", "--client", "painter", "--json").json
    url = told["url"]
    token = json.loads(posted(f"{url}/connect", {"setup_key": told["setup_key"]})[1])["token"]
    opened = {"command": "newtab", "args": [site.page("/seen", "<h1>Seen</h1>")]}
    assert posted(f"{url}/command", opened, token)[0] == 200

    taken = {"command": "screenshot", "args": ["--json"]}
    path = json.loads(posted(f"{url}/command", taken, token)[1])["path"]

    assert fetched(url, token, path).startswith(b"\x89PNG")
    owners = owner.ok("screenshot", "--json").json["path"]
    for other in (owners, str(owner.root / ".gstack" / "browse.json"), "/etc/passwd"):
        assert b'"path-refused"' in fetched(url, token, other)
    owner.ok("tunnel", "stop")


@pytest.mark.parametrize(
    "words",
    [
        ["pair-agent", "--client", "root"],
        ["pair-agent", "--client", "a\nb"],
        ["pair-agent", "--client", "x" * 10_240],
        ["pair-agent", "--restrict", "read,sudo"],
        ["pair-agent", "--restrict", "control"],
        ["pair-agent", "--restrict"],
        ["pair-agent", "--domain", "https://x"],
        ["pair-agent", "--local", "nobody"],
        ["tunnel", "revoke"],
        ["tunnel", "fly"],
        ["token", ""],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_bad_words_are_refused(browser, words):
    ran = browser.browse(*words)

    assert ran.code == 2
    assert len(ran.err) < 1500


def test_without_consent_the_block_is_for_this_machine_and_says_so(browser):
    ran = browser.ok("pair-agent", "--client", "near")

    assert f"http://127.0.0.1:{browser.state()['port']}/connect" in ran.out
    assert "Remote access is off" in ran.out
    browser.ok("tunnel", "revoke", "near")


def test_an_agent_on_this_machine_finds_what_it_needs_in_its_folder(browser):
    ran = browser.ok("pair-agent", "--local", "codex")

    path = browser.root.parent / "home" / ".codex" / "browse-remote.json"
    assert f"Wrote {path}" in ran.out
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["setup_key"].startswith("gsk_setup_")
    browser.ok("tunnel", "revoke", "remote-agent")


def test_a_token_for_a_program_of_this_machine(browser):
    token = browser.ok("token", "script", "--restrict", "read").out.strip()

    status, said = browser.ask(
        "POST", "/command", {"command": "reload"}, authorization=f"Bearer {token}"
    )

    assert (status, json.loads(said)["code"]) == (403, "scope")
    browser.ok("tunnel", "revoke", "script")


def test_a_receipt_that_was_changed_is_named(browser):
    file = Path(browser.env["HOME"]) / ".gstack" / "security" / "egress.jsonl"
    assert browser.ok("tunnel", "receipts", "--json").json["lines"] == 0
    file.parent.mkdir(parents=True, exist_ok=True)
    first = '{"host": "a", "prev": ""}'
    second = f'{{"host": "b", "prev": "{hashlib.sha256(first.encode()).hexdigest()}"}}'
    file.write_text(f"{first}\n{second}\n")
    whole = browser.ok("tunnel", "receipts").out
    file.write_text(f"{first.replace('a', 'c')}\n{second}\n")

    broken = browser.browse("tunnel", "receipts")

    file.unlink()
    assert whole == f"2 receipts, none of them changed: {file}\n"
    assert broken.code == 1
    assert "Line 2 of" in broken.err
    assert "the line before it was changed" in broken.err


def test_the_tunnel_is_opened_and_closed_by_hand(paired_project):
    paired_project.ok("tunnel", "stop")

    opened = paired_project.ok("tunnel", "start").out
    again = paired_project.ok("tunnel", "start").out

    assert opened.startswith("The tunnel is open: http")
    assert again == f"{opened.rstrip()} (it was open already)\n"
    assert paired_project.ok("tunnel", "stop").out.startswith("The tunnel is closed.")


@pytest.mark.issue(15)
def test_an_agent_that_may_only_read_opens_a_tab_and_reads_it(paired_project, site):
    owner = paired_project
    block = owner.ok("pair-agent", "--client", "reader", "--restrict", "read").out
    connect, newtab, look, text = commands(block)
    token = json.loads(curl(connect))["token"]
    there = site.page("/for-the-reader", "<p>Only words</p><button>Go</button>")

    curl(newtab.replace("https://example.com", there), TOKEN=token)

    assert '[button] "Go"' in curl(look, TOKEN=token)
    assert "Only words" in curl(text, TOKEN=token)
    assert "click" not in block
    assert "fill" not in block
    url = connect.split()[2].removesuffix("/connect")
    status, said = posted(f"{url}/command", {"command": "click", "args": ["button"]}, token)
    assert (status, json.loads(said)["code"]) == (403, "scope")


@pytest.mark.issue(15)
def test_the_owner_lends_a_tab_and_takes_it_back(paired_project, site):
    owner = paired_project
    there = site.page("/lent", "<p>Lent words</p>")
    tab = owner.ok("newtab", there, "--json").json["tabId"]
    told = owner.ok("pair-agent", "--client", "borrower", "--restrict", "read", "--json").json

    def ask(*words: str) -> tuple[int, str]:
        return posted(f"{told['url']}/command", {"command": words[0], "args": words[1:]}, token)

    token = json.loads(posted(f"{told['url']}/connect", {"setup_key": told["setup_key"]})[1])[
        "token"
    ]
    assert ask("text")[0] == 403
    assert f"Lent tab {tab} to borrower" in owner.ok("tab", f"{tab}", "--lend", "borrower").out
    assert "Lent words" in ask("text")[1]
    assert owner.ok("tab", f"{tab}", "--take").out == f"Switched to tab {tab}\n"
    assert ask("text")[0] == 403
    assert "no agent named 'nobody' is paired" in owner.browse("tab", "1", "--lend", "nobody").err


@pytest.mark.issue(15)
def test_a_tab_elsewhere_is_not_lent_to_an_agent_of_some_sites(paired_project, site):
    owner = paired_project
    owner.ok("pair-agent", "--client", "narrow", "--domain", "example.com")
    tab = owner.ok("newtab", site.page("/elsewhere", "<p>x"), "--json").json["tabId"]

    ran = owner.browse("tab", f"{tab}", "--lend", "narrow")

    assert ran.code != 0
    assert "does not cover the page" in ran.err
