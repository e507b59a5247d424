"""What is decided when Chromium starts: scripts, logins and flags."""

import base64
import json

import pytest

from support.window import needs_window

pytestmark = [pytest.mark.e2e, pytest.mark.issue(17)]
WORD = base64.b64encode(b"ada:s3cret-pass").decode()


def asks_for_login(site, path: str, got: list[tuple[str, str]]) -> None:
    def answer(request) -> None:
        sent = request.headers.get("authorization", "")
        got.append((request.headers["host"].partition(":")[0], sent))
        body = b"<p>inside" if sent == f"Basic {WORD}" else b"<p>outside"
        request.send_response(200 if body == b"<p>inside" else 401)
        request.send_header("www-authenticate", 'Basic realm="x"')
        request.send_header("content-type", "text/html")
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.answer(path, answer)


def test_scripts_logins_and_flags_are_there_from_the_first_page(project, site, tmp_path):
    got: list[tuple[str, str]] = []
    for path in ("/login/page", "/login/frame", "/login/wrong"):
        asks_for_login(site, path, got)
    logins = tmp_path / "logins"
    logins.write_text(f"http://ada:s3cret-pass@127.0.0.1:{site.port}\n# none of ours: x\n")
    logins.chmod(0o600)
    script = tmp_path / "init.js"
    script.write_text("window.early = `early in ${top === window ? 'page' : 'frame'}`;")
    site.page("/login/inner", "<script>document.write(`<p>${window.early}`)</script>")
    page = (
        "<p id=lang></p><script>document.querySelector('#lang').textContent = window.early"
        f'</script><iframe src="{site.url}/login/frame"></iframe>'
        '<iframe src="/login/inner"></iframe>'
    )
    site.page("/login/frames", page)
    there = f"http://localhost:{site.port}"

    inside = project.ok(
        *("goto", f"{site.url}/login/page", "--http-logins", str(logins)),
        *("--init-script", str(script), "--chromium-flag", "accept-lang=de,fr"),
    )
    saved = project.ok("download", f"{site.url}/login/page", str(project.root / "saved.html"))
    outside = project.ok("goto", f"{there}/login/wrong")
    project.ok("goto", f"{there}/login/frames")
    text = project.ok("snapshot").page
    languages = project.ok("js", "String(navigator.languages)").page
    other = project.browse("url", "--init-script", str(logins))

    assert "(200)" in inside.out
    assert "Downloaded" in saved.out
    assert "(401)" in outside.out
    assert ("127.0.0.1", f"Basic {WORD}") in got
    assert [sent for host, sent in got if host == "localhost"] == [""]
    assert "early in page" in text
    assert "early in frame" in text
    assert "inside" in text
    assert languages == "de,fr"
    assert other.code == 4
    assert "s3cret" not in project.log


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--chromium-flag", "remote-debugging-port=1"], "could drive the browser"),
        (["--init-script", "no-such.js"], "No such file"),
        (["--http-logins", "/dev/null"], "is not a file"),
    ],
)
def test_options_that_cannot_be_used_start_nothing(project, words, said):
    refused = project.browse("url", *words)

    assert refused.code == 6
    assert said in refused.err
    assert not project.state_file.exists()


@needs_window
def test_extensions_are_loaded_without_a_window_and_in_one(project, site, tmp_path):
    folder = tmp_path / "extensions" / "marks"
    folder.mkdir(parents=True)
    scripts = [{"matches": ["<all_urls>"], "js": ["mark.js"], "run_at": "document_end"}]
    manifest = {"manifest_version": 3, "name": "Marks", "version": "1", "content_scripts": scripts}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "mark.js").write_text("document.body.append('marked');")
    page = site.page("/extensions", "<p>page ")

    project.ok("goto", page, "--extensions-dir", str(folder.parent))
    without = project.ok("text").page
    mode = project.ok("status", "--json").json["mode"]
    project.ok("connect")
    project.ok("goto", page)

    assert "marked" in without
    assert mode == "launched"
    assert "marked" in project.ok("text").page
