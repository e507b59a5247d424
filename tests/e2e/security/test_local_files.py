"""Files of this machine, asked for by pages: every request passes the file policy."""

import json
import re
from pathlib import Path

import pytest

from browse.skills import sandbox
from browse.skills.sandbox import Means
from support.cli import Project, until
from support.skills import write_skill

pytestmark = pytest.mark.e2e

FORBIDDEN = "/etc/passwd"
ITS_WORDS = "root:"
USES_SDK = "import sys; sys.path.insert(0, '_lib')\nfrom browse_client import Browse\n"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cf"
    "c0f01f00050001ff56c72f0d0000000049454e44ae426082"
)


@pytest.fixture
def folder(browser: Project, tmp_path: Path) -> Path:
    made = browser.root / tmp_path.name
    made.mkdir()
    return made


def blocked(browser: Project) -> set[str]:
    """The addresses that were refused, as the log of requests has them."""
    rows = browser.ok("network", "--json").json["page"]["requests"]
    return {row["url"] for row in rows if "may not read" in str(row)}


LOADS = {
    "frame": '<iframe src="file://{}"></iframe>',
    "object": '<object data="file://{}" width=300 height=300></object>',
    "image": '<img src="file://{}">',
    "style sheet": '<link rel=stylesheet href="file://{}">',
    "import": '<style>@import url("file://{}");</style>',
    "script": '<script src="file://{}"></script>',
    "font": '<style>@font-face{{font-family:f;src:url("file://{}")}}p{{font-family:f}}</style><p>x',
    "media": '<video src="file://{}" preload=auto></video>',
    "prefetch": '<link rel=prefetch href="file://{}">',
    "request": "<script>x=new XMLHttpRequest();x.open('GET','file://{}');x.send()</script>",
    "nested": "<iframe srcdoc='<iframe src=\"file://{}\"></iframe>'></iframe>",
    "refresh": '<meta http-equiv=refresh content="0;url=file://{}">',
    "script location": "<script>location='file://{}'</script>",
    "form": "<form action='file://{}'></form><script>document.forms[0].submit()</script>",
}


@pytest.mark.parametrize("how", LOADS)
def test_a_page_in_the_project_loads_no_file_from_elsewhere(browser, folder, how):
    browser.ok("network", "--clear")
    (folder / "evil.html").write_text(
        f"<title>evil</title><p>here</p>{LOADS[how].format(FORBIDDEN)}"
    )

    browser.browse("goto", f"file://{folder}/evil.html")

    until(lambda: f"file://{FORBIDDEN}" in {url.partition("?")[0] for url in blocked(browser)})
    assert ITS_WORDS not in browser.browse("text").out + browser.browse("html").out


def test_a_click_on_a_link_opens_no_file_from_elsewhere_nor_a_listing(browser, folder):
    links = f"""<a id=file href="file://{FORBIDDEN}">f</a> <a id=folder href="file:///etc/">d</a>
    <a id=own href="./">here</a> <a id=saved download href="file://{FORBIDDEN}">s</a>
    <a id=tab target=_blank href="file://{FORBIDDEN}">t</a>"""
    (folder / "links.html").write_text(links)
    for link in ("file", "folder", "own", "saved", "tab"):
        browser.ok("goto", f"file://{folder}/links.html")
        browser.ok("network", "--clear")

        browser.browse("click", f"#{link}")

        until(lambda: re.search("blocked|ERR_FILE_NOT_FOUND", browser.ok("network").out))
        for tab in browser.ok("tabs", "--json").json["tabs"]:
            said = browser.browse("text", "--tab-id", str(tab["id"]))
            assert ITS_WORDS not in said.out, link
            assert "Index of" not in said.out, link


def test_a_reload_does_not_follow_a_link_that_took_the_files_place(browser, folder):
    page = folder / "page.html"
    page.write_text("<p>mine")
    browser.ok("goto", f"file://{page}")
    page.unlink()
    page.symlink_to(FORBIDDEN)

    ran = browser.browse("reload")

    assert (ran.code, ITS_WORDS in browser.browse("text").out) == (4, False), ran.err
    assert "this tab may not read that file" in ran.err


def test_no_caller_opens_the_state_file(browser, folder):
    (folder / "frame.html").write_text(f'<iframe src="file://{browser.state_file}"></iframe>')
    browser.ok("network", "--clear")

    assert browser.browse("goto", f"file://{browser.state_file}").code == 4
    browser.ok("goto", f"file://{folder}/frame.html")

    until(lambda: blocked(browser))
    assert browser.state()["token"] not in browser.ok("text").out


def test_an_upload_gives_the_file_that_was_checked_whatever_takes_its_place(browser, site, folder):
    (folder / "mine.txt").write_text("mine")
    browser.ok("goto", site.page("/upload-once", "<input type=file>"))
    browser.ok("upload", "input", str(folder / "mine.txt"))
    (folder / "mine.txt").unlink()
    (folder / "mine.txt").symlink_to(FORBIDDEN)

    given = "document.querySelector('input').files[0]"
    said = browser.ok("js", f"(f => f.text().then(words => f.name + ': ' + words))({given})")

    assert said.page == "mine.txt: mine"


def test_a_page_of_files_works_with_all_its_parts(browser, folder):
    (folder / "deep ä%#").mkdir()
    (folder / "deep ä%#" / "style.css").write_text("p { color: rgb(1, 2, 3) }")
    (folder / "pixel.png").write_bytes(PIXEL)
    (folder / "code.js").write_text("document.title = 'ran'")
    (folder / "plain").write_text("plain words")
    (folder / "inner.html").write_text("<p>inner words")
    (folder / "index.html").write_text(
        '<meta charset=utf-8><link rel=stylesheet href="deep%20%C3%A4%25%23/style.css">'
        "<script src=code.js></script><p>outer words</p><img src=pixel.png>"
        "<iframe src=inner.html></iframe><iframe src=plain></iframe>"
        "<a id=next href=inner.html>n</a><a id=tab href=inner.html target=_blank>t</a>"
    )

    said = browser.ok("goto", f"file://{folder}/index.html")
    until(lambda: "true" in browser.ok("js", "document.readyState == 'complete'").out)

    assert "(200)" in said.out
    seen = browser.ok("js", "getComputedStyle(document.querySelector('p')).color + document.title")
    assert "rgb(1, 2, 3)ran" in seen.out
    assert "1" in browser.ok("js", "document.images[0].naturalWidth").page
    words = browser.ok("text").out
    assert all(part in words for part in ("outer words", "inner words", "plain words"))
    browser.ok("click", "#tab")
    assert until(lambda: "inner.html" in browser.ok("tabs").out)
    browser.ok("click", "#next")
    assert browser.ok("text").page == "inner words"
    browser.ok("back")
    browser.ok("reload")
    assert "outer words" in browser.ok("text").out


def test_a_missing_part_of_a_page_is_reported_as_missing(browser, folder):
    (folder / "gap.html").write_text("<img src=gone.png>")
    browser.ok("network", "--clear")

    browser.ok("goto", f"file://{folder}/gap.html")

    until(lambda: "ERR_FILE_NOT_FOUND" in browser.ok("network").out)


@pytest.mark.skipif(
    sandbox.available().means is not Means.LANDLOCK, reason="this kernel has no Landlock"
)
def test_a_sandboxed_skill_reads_no_file_through_a_page(browser, skills):
    key = Path(browser.env["HOME"]) / ".ssh" / "id_ed25519"
    key.parent.mkdir(exist_ok=True)
    key.write_text("PRIVATE KEY")
    (browser.root / "notes.txt").write_text("PRIVATE NOTES")
    state = str(browser.state_file)
    wanted = [str(key), state, str(browser.root / "notes.txt"), FORBIDDEN, str(browser.root) + "/"]
    script = (
        USES_SDK
        + f"""
import json, os
own, found = os.environ["TMPDIR"], []
client = Browse()
def say(*words):
    try:
        found.append(client.command(*words)[:5_000])  # error pages of some browsers are long
    except Exception as exc:
        found.append(str(exc))
def read(name, markup):
    open(f"{{own}}/{{name}}.html", "w").write(markup)
    say("goto", f"file://{{own}}/{{name}}.html")
    say("wait", "--networkidle")
    for tab in json.loads(client.command("tabs", "--json"))["tabs"]:
        say("text", "--tab-id", str(tab["id"]))
        say("html", "--tab-id", str(tab["id"]))
for number, path in enumerate({wanted!r}):
    read(f"frame{{number}}", f'<iframe src="file://{{path}}"></iframe>')
    read(f"move{{number}}", f'<meta http-equiv=refresh content="0;url=file://{{path}}">')
    read(f"popup{{number}}", f'<script>open("file://{{path}}")</script>')
    os.symlink(path, f"{{own}}/link{{number}}.html")
    read(f"linked{{number}}", f'<iframe src="link{{number}}.html"></iframe>')
open(f"{{own}}/mine.txt", "w").write("MY OWN")
read("mine", '<iframe src="mine.txt"></iframe>')
print(json.dumps(found))
"""
    )
    write_skill(skills, "nosy", script, sdk=True)

    found = json.loads(browser.ok("skill", "run", "nosy", "--timeout=300s").out)

    words = json.dumps(found)
    assert "MY OWN" in words
    for secret in ("PRIVATE", ITS_WORDS, browser.state()["token"], "notes.txt</a>"):
        assert secret not in words


def test_a_skill_that_uses_the_owners_page_gets_nothing_more_from_it(browser, folder, skills):
    (folder / "other.html").write_text("<p>OTHER WORDS")
    (folder / "shown.html").write_text("<p>shown</p><a href=other.html>next</a>")
    script = (
        USES_SDK
        + """
import json
client, found = Browse(), []
for words in (["text"], ["click", "a"], ["text"]):
    try:
        found.append(client.command(*words))
    except Exception as exc:
        found.append(str(exc))
print(json.dumps(found))
"""
    )
    write_skill(skills, "guest", script, sdk=True)
    browser.ok("goto", f"file://{folder}/shown.html")

    found = browser.ok("skill", "run", "guest").out

    assert "shown" in found
    assert "OTHER WORDS" not in found
    browser.ok("goto", f"file://{folder}/other.html")
    assert browser.ok("text").page == "OTHER WORDS"


def test_a_state_folder_with_another_name_is_closed_too(project, tmp_path):
    kept = tmp_path / "elsewhere" / "kept"
    kept.mkdir(parents=True)
    project.env["BROWSE_STATE_FILE"] = str(kept / "daemon.json")
    (tmp_path / "elsewhere" / "link").symlink_to(kept)
    try:
        project.ok("status")
        for words in (
            ("goto", f"file://{kept}/daemon.json"),
            ("load-html", f"{kept}/daemon.json"),
            ("scan", f"{tmp_path}/elsewhere/link/daemon.json"),
            ("screenshot", f"{kept}/x.png"),
            ("js", "1", "--out", f"{kept}/daemon.json"),
        ):
            assert project.browse(*words).code == 4, words
    finally:
        project.ok("stop")


def test_output_that_is_not_named_goes_to_a_private_folder_below_tmpdir(project, temporary):
    one, two = (project.ok("screenshot", "--json").json["path"] for _ in range(2))

    assert one != two
    assert Path(one).is_relative_to(temporary.resolve())
    assert Path(one).parent.stat().st_mode & 0o777 == 0o700
    assert project.ok("goto", f"file://{one}").code == 0
    assert project.ok("pdf", str(temporary / "mine.pdf")).code == 0
