"""Cookies of files and of real browsers, imported into ours, and what an import forbids."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tools.programs import where

from support.cli import Project
from support.everyday import cookie_page, visit_with_chromium, visit_with_firefox
from support.keyring import NEEDED, keyring

pytestmark = pytest.mark.e2e
LATER = "Max-Age=90000"
SHOP = [
    "session=1",
    f"host_only=1; {LATER}",
    f"dot=1; Domain=shop.example; {LATER}",
    f"lax=1; SameSite=Lax; {LATER}",
    f"strict=1; SameSite=Strict; HttpOnly; {LATER}",
    f"inside=1; Path=/in; {LATER}",
    f"foreign=é€; {LATER}",
    f"big={'x' * 4093}; {LATER}",
    f"old=1; {LATER}",
]
# Chromium trusts this host without TLS.
LOCAL = [
    f"none=1; SameSite=None; Secure; {LATER}",
    f"__Host-h=1; Secure; Path=/; {LATER}",
    f"__Secure-s=1; Secure; Path=/; {LATER}",
    f"chips=1; SameSite=None; Secure; Path=/; Partitioned; {LATER}",
]
FRAME = [f"framed=1; SameSite=None; Secure; Path=/; Partitioned; {LATER}"]
FIELDS = ("value", "expires", "httpOnly", "secure", "sameSite", "_crHasCrossSiteAncestor")


@pytest.fixture(scope="module")
def desktop(tmp_path_factory) -> Iterator[dict[str, str]]:
    """The way to a keyring, if there is one on this machine."""
    with ExitStack() as stack:
        has_keyring = all(map(where, NEEDED))
        folder = tmp_path_factory.mktemp("desktop")
        yield stack.enter_context(keyring(folder)) if has_keyring else {}


@pytest.fixture(scope="module")
def ours(tmp_path_factory, desktop) -> Iterator[Project]:
    """A daemon of its own: what an import forbids holds until the daemon ends."""
    made = Project.make(tmp_path_factory.mktemp("ours"), **desktop)
    yield made
    made.end()


@pytest.fixture(scope="module")
def home(ours) -> Path:
    return Path(ours.env["HOME"])


@pytest.fixture(scope="module")
def pages(site) -> list[str]:
    cookie_page(site, "/shop", SHOP)
    frame = f"<iframe src='http://127.0.0.1:{site.port}/cookie-frame'></iframe>"
    cookie_page(site, "/local", LOCAL, frame)
    cookie_page(site, "/cookie-frame", FRAME)
    return [f"http://www.shop.example:{site.port}/shop", f"http://localhost:{site.port}/local"]


def keyed(rows: list[dict[str, Any]]) -> dict[tuple, dict[str, Any]]:
    """Return every field of cookies, by what tells them apart."""
    return {
        (row["name"], row["domain"], row["path"], row.get("partitionKey")): {
            name: row.get(name) for name in FIELDS
        }
        for row in rows
    }


def in_session(project: Project, session: str) -> dict[tuple, dict[str, Any]]:
    ran = project.ok("cookies", "--json", "--reveal", "--max-chars", "0", "--session", session)
    return keyed(ran.json["page"]["cookies"])


def names(project: Project, session: str) -> set[str]:
    return {key[0] for key in in_session(project, session)}


def test_every_field_of_a_real_profile_arrives(ours, home, pages):
    profile = home / ".config/BraveSoftware/Brave-Browser"  # without a keyring it is the same
    theirs = keyed(visit_with_chromium(profile, pages))
    with sqlite3.connect(profile / "Default/Cookies") as database:
        database.execute("UPDATE cookies SET expires_utc = 1 WHERE name = 'old'")
    database.close()
    before = (profile / "Default/Cookies").read_bytes()

    ran = ours.ok("cookie-import-browser", "brave", "--all", "--session", "whole", "--json").json

    old = ("old", "www.shop.example", "/", None)
    assert len(theirs) == len(SHOP + LOCAL + FRAME)
    assert in_session(ours, "whole") == {key: theirs[key] for key in theirs if key != old}
    assert (ran["cookies"], ran["refused"]) == (len(theirs) - 1, 1)
    why = "it expired on 1601-01-01"
    assert ran["page"]["refused"] == [{"name": "old", "domain": "www.shop.example", "why": why}]
    assert (profile / "Default/Cookies").read_bytes() == before
    some = ("--domain", "shop.example", "--session", "one")
    said = ours.ok("cookie-import-browser", "brave", *some)
    assert said.out.startswith(
        "Imported 8 cookies for shop.example from Brave, profile Your Chromium (1 did not come)"
    )
    assert said.page == f"old of www.shop.example: {why}"
    assert names(ours, "one") == {it.partition("=")[0] for it in SHOP} - {"old"}
    listed = ours.ok("cookie-import-browser", "--list", "--json").json["profiles"]
    assert ("brave", "Default") in [(it["browser"], it["profile"]) for it in listed]


def test_values_under_a_key_of_the_keyring_arrive(ours, home, pages, desktop):
    if not desktop:
        pytest.skip(f"the keyring's programs are not here: {', '.join(NEEDED)}")
    profile = home / ".config/chromium"
    theirs = keyed(visit_with_chromium(profile, pages[:1], desktop))
    with sqlite3.connect(profile / "Default/Cookies") as database:
        found = database.execute("SELECT substr(encrypted_value, 1, 3) FROM cookies").fetchall()
    database.close()

    ours.ok("cookie-import-browser", "chromium", "--all", "--session", "keyed")

    assert {scheme for (scheme,) in found} == {b"v11"}
    assert in_session(ours, "keyed") == theirs


def test_firefox_s_cookies_arrive(ours, home, pages):
    profile = home / ".mozilla/firefox/abc.default"
    visit_with_firefox(profile, pages[1], home)

    ours.ok("cookie-import-browser", "firefox", "--all", "--session", "fox")

    kept = in_session(ours, "fox")
    host = ("localhost", "/", None)
    assert {key[0] for key in kept} == {"none", "__Host-h", "__Secure-s", "chips", "framed"}
    assert kept["none", *host]["sameSite"] == "None"
    assert kept["__Host-h", *host]["secure"]
    assert kept["framed", "127.0.0.1", "/", "http://localhost"]["_crHasCrossSiteAncestor"]
    assert not kept["chips", "localhost", "/", "http://localhost"]["_crHasCrossSiteAncestor"]


def test_a_file_is_imported_with_a_reason_for_what_does_not_come(ours, site):
    file = ours.root / "cookies.json"
    good = {"name": "a", "value": "1"}
    there = ("--session", "file")
    ours.ok("goto", site.page("/import", "<p>x"), *there)
    ours.ok("cookie", "a=0", *there)
    for broken, message in (
        ('[{"name": "a", "value": "1"}, {"name": "b"}]', "is not a file of cookies"),
        (json.dumps([good, {**good, "domain": "evil.example"}]), "does not match current page"),
        (json.dumps([{"name": "__Host-x", "value": "1"}]), "none can be imported"),
    ):
        file.write_text(broken)
        ran = ours.browse("cookie-import", "cookies.json", *there)
        assert (ran.code, message in ran.err) == (1, True), ran.err
        assert {row["value"] for row in json.loads(ours.ok("cookies", *there).page)} == {"0"}
    bad = [
        {"name": "__Host-x", "value": "1"},
        {"name": "late", "value": "1", "expires": 1000},
        {"name": "odd", "value": "1", "path": "nowhere"},
    ]
    file.write_text(json.dumps({"cookies": [good, *bad, {"name": "b", "value": "2"}]}))

    loaded = ours.ok("cookie-import", "cookies.json", *there)

    kept = {row["name"]: row["value"] for row in json.loads(ours.ok("cookies", *there).page)}
    assert loaded.out.startswith("Loaded 2 cookies from cookies.json\n")
    assert loaded.page.splitlines() == [
        "__Host-x of 127.0.0.1: a `__Host-` cookie must be Secure, with the path / and without a "
        "domain",
        "late of 127.0.0.1: it expired on 1970-01-01",
        "odd of 127.0.0.1: Chromium refused it",
    ]
    assert kept == {"a": "1", "b": "2"}
    # On a page of the import all forms of a script run; in one that it turns into, none does.
    for script, value in (
        ("1 + 1", "2"),
        ("const b = 3; b", "3"),
        ("function () { return 4 }", "4"),
        ("await Promise.resolve(5)", "5"),
        ("({a: 6}).a", "6"),
    ):
        assert ours.ok("js", script, *there).page == value
        ours.ok("wait", "--js", script, *there)
    other = site.page("/turned", "<p>x").replace("127.0.0.1", "other.localhost")
    script = f"location.hostname === 'other.localhost' || void (location.href = '{other}')"
    ran = ours.browse("wait", "--js", script, *there)
    assert (ran.code, "does not match any cookie-imported domain" in ran.err) == (4, True)


def test_ten_thousand_cookies_are_all_accounted_for(ours):
    rows = [
        {"name": f"n{at}", "value": "v" * 50, "domain": f"d{at % 100}.example"}
        for at in range(10_000)
    ]
    words = ["cookie-import", "-", "--all", "--session", "many", "--json", "--max-chars", "0"]

    ran = ours.ok(*words, stdin=json.dumps(rows)).json

    assert ran["cookies"] + ran["refused"] == 10_000
    assert len(in_session(ours, "many")) == ran["cookies"] > 3_000
    assert {it["why"].partition(":")[0] for it in ran["page"]["refused"]} == {
        "Chromium did not keep it"
    }
    assert ours.ok("cookies", "clear", "--session", "many").out.startswith("Removed 3")


@pytest.mark.parametrize(
    ("content", "session"),
    [
        ('[{"name": "a", "value": "1", "domain": "json.example"}]', "json"),
        (".txt.example\tTRUE\t/\tFALSE\t0\ta\t1\n", "txt"),
        ("curl http://curl.example/ -H 'cookie: a=1'", "curl"),
    ],
)
def test_after_every_import_scripts_run_on_its_domains_only(ours, site, content, session):
    other = site.page("/gate", "<p>x").replace("127.0.0.1", "other.localhost")

    ours.ok("cookie-import", "-", "--domain", f"{session}.example", stdin=content)

    ours.ok("goto", other)
    for words in (["js", "1"], ["eval", "1+1"], ["wait", "--js", "true"]):
        ran = ours.browse(*words)
        assert ran.code == 4
        assert "current page (other.localhost) does not match any cookie-imported domain" in ran.err
        assert f"{session}.example" in ran.err
    ours.ok("goto", "about:blank")
    assert ours.ok("js", "1 + 1").page == "2"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["chrom", "--all"], 2, "Did you mean"),
        (["vivaldi", "--all"], 1, "Vivaldi has no cookies on this machine"),
        (["opera", "--all", "--profile", "../x"], 2, "is not the name of a profile"),
        (["opera", "--all", "--profile", "x"], 1, "Opera has no profile 'x'"),
        (["opera", "--domain", "https://x/"], 2, "is not a domain"),
        (["opera", "--all"], 1, "is damaged, or is no database of cookies"),
    ],
)
def test_an_import_that_cannot_be(ours, home, words, code, message):
    broken = home / ".config/opera/Default/Cookies"
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_bytes(b"damaged")

    ran = ours.browse("cookie-import-browser", *words)

    assert (ran.code, message in ran.err) == (code, True), ran.err
