"""`BROWSE_PERSIST_STATE`: the sessions of a daemon are there again in the next one."""

import json
import stat

import pytest

from support.cli import Project, lives, until

pytestmark = pytest.mark.e2e

SEEN = """<script>
document.title = [localStorage.l, sessionStorage.s, document.cookie].join("|");
</script>"""
FILL = "localStorage.l = 'l'; sessionStorage.s = 's'; document.cookie = 'c=1'; 0"


@pytest.fixture
def kept(project) -> Project:
    """A project whose daemon keeps its sessions, and saves them often."""
    project.env |= {"BROWSE_PERSIST_STATE": "1", "BROWSE_PERSIST_INTERVAL_MS": "200"}
    return project


def kept_file(project: Project):
    return project.root / ".gstack" / "session-state.json"


def saved(project: Project) -> dict:
    path = kept_file(project)
    nothing: dict = {"pages": [], "cookies": [], "sessions": {}}
    return json.loads(path.read_text()) if path.exists() else nothing


def has_all(state: dict, home: str, other: str) -> bool:
    """Whether all is there of all sessions: what is saved while they change may be half of it."""
    work = state["sessions"].get("work", {"pages": []})
    stored = str(state["pages"]) + str(state["cookies"]) + str(state.get("origins"))
    return (
        [it["url"] for it in state["pages"]] == [home, other]
        and all(word in stored for word in ("'s': 's'", "'name': 'c'", "'value': 'l'"))
        and "'value': 'work'" in str(work)
        and [it["url"] for it in work["pages"]] == [home]
    )


def titles(project: Project, *words: str) -> list[str]:
    rows = project.ok("tabs", "--json", *words).json["tabs"]
    return [row["page"]["title"] for row in rows]


def test_sessions_and_imports_outlive_a_daemon_that_is_killed_and_one_that_stops(kept, site):
    home, other = site.page("/ps-home", SEEN), site.page("/ps-other", "<title>other</title>")
    kept.ok("goto", home)
    kept.ok("js", FILL)
    kept.ok("newtab", other, BROWSE_AGENT="ada")
    kept.ok("goto", home, "--session", "work")
    kept.ok("js", "localStorage.l = 'work'; 0", "--session", "work")
    until(lambda: has_all(saved(kept), home, other), what="the last change in the file")
    family = kept.family()
    family[0].kill()
    until(lambda: not any(map(lives, family)))
    kept.env["BROWSE_PERSIST_INTERVAL_MS"] = "86400000"

    assert stat.S_IMODE(kept_file(kept).stat().st_mode) == 0o600
    assert kept.ok("js", "document.title").page == "l|s|c=1"
    assert kept.ok("title", BROWSE_AGENT="ada").page == "other"
    assert titles(kept) == ["l|s|c=1", "other"]
    assert kept.ok("js", "localStorage.l", "--session", "work").page == "work"

    kept.ok("js", "localStorage.l = 'late'; 0")
    kept.ok("restart")
    assert kept.ok("js", "localStorage.l").page == "late"

    # Scripts stay confined where imported cookies are kept.
    cookies = [{"name": "login", "value": "1", "domain": "shop.example"}]
    kept.ok("cookie-import", "-", "--all", stdin=json.dumps(cookies))
    kept.ok("restart")
    assert '"login"' in kept.ok("cookies").page
    ran = kept.browse("js", "1")
    assert (ran.code, "Imported cookies for: shop.example" in ran.err) == (4, True), ran.out


def test_what_cannot_be_restored_is_set_aside_and_said(kept, site):
    kept_file(kept).parent.mkdir(mode=0o700)
    kept_file(kept).write_text('{"version": 1, "savedAt": "", "cookies": [{"na')

    first = kept.ok("url")

    assert "The kept session was not restored" in first.err
    assert f"The file is now at {kept_file(kept)}.corrupt." in first.err
    assert "was not restored" not in kept.ok("url").err
    kept.ok("goto", site.page("/ps-good", "<title>good</title>"))
    kept.ok("stop")
    aside = kept_file(kept).with_name("session-state.json.corrupt")
    assert aside.read_text().endswith('[{"na')

    newer = {**saved(kept), "version": 9}
    kept_file(kept).write_text(json.dumps(newer))
    assert "a newer browse wrote it (version 9, not 1)" in kept.ok("url").err
    kept.ok("stop")
    assert saved(kept) == newer

    gone = [{"url": "http://127.0.0.1:1/", "sessionStorage": {"http://127.0.0.1:1": {"a": "b"}}}]
    refused = [{"url": "http://169.254.169.254/"}]
    kept_file(kept).write_text(json.dumps({**newer, "version": 1, "pages": [*gone, *refused]}))
    told = kept.ok("tabs").err + kept.ok("goto", "about:blank", "--tab-id", "3").err
    assert "leads where no tab may go now" in told
    kept.ok("stop")
    assert [saved(kept)["pages"][0][key] for key in gone[0]] == [*gone[0].values()]
