"""Giving files to a page with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

PAGE = """<label id=label>Photo <input id=one type=file accept=".txt, image/*"></label>
<input id=many type=file multiple hidden><button id=attach onclick="many.click()">Attach</button>
<button id=single onclick="one.click()">Choose</button><button id=go>Go</button>
<input id=name><input id=off type=file disabled><input id=folder type=file webkitdirectory>"""


@pytest.fixture
def page(browser, site):
    for name, text in (("a.txt", "hello"), ("b.pdf", "x")):
        (browser.root / name).write_text(text)
    browser.post("goto", site.page("/upload", PAGE))
    return browser


@pytest.mark.parametrize(
    ("target", "files", "said", "input"),
    [
        ("#one", ["a.txt"], "Uploaded: a.txt (5B)", "one"),
        ("#label", ["a.txt"], "Uploaded: a.txt (5B)", "one"),
        ("#single", ["a.txt"], "Uploaded: a.txt (5B)", "one"),
        ("#many", ["a.txt", "b.pdf"], "Uploaded: a.txt (5B), b.pdf (1B)", "many"),
        ("#attach", ["b.pdf", "a.txt"], "Uploaded: b.pdf (1B), a.txt (5B)", "many"),
    ],
)
def test_upload_gives_files(page, target, files, said, input):
    ran = page.ok("upload", target, *files)

    assert ran.out.startswith(f"{said}\n")
    assert page.ok("js", f"[...{input}.files].map(it => it.name).join()").page == ",".join(files)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["#one", "b.pdf"], "not-actionable", "#one does not accept files like b.pdf"),
        (["#single", "b.pdf"], "not-actionable", "#single does not accept files like b.pdf"),
        (["#one", "a.txt", "a.txt"], "not-actionable", "#one takes one file; 2 were given"),
        (["#name", "a.txt"], "not-actionable", "#name is not a file input"),
        (["#go", "a.txt"], "not-actionable", "#go was clicked, but opens no file chooser"),
        (["#off", "a.txt"], "not-actionable", "#off is disabled"),
        (["#folder", "a.txt"], "not-actionable", "#folder takes a whole folder"),
        (["#one", "none.txt"], "file-unusable", "File not found: none.txt"),
        (["#one", "."], "file-unusable", "Not a file: . is a directory"),
        (["#one", "/etc/hostname"], "path-refused", "Path must be within: "),
        (["#one"], "usage", "<file> is missing"),
    ],
)
def test_upload_says_why_nothing_was_uploaded(page, words, code, said):
    told = page.browse("upload", *words, "--json").json

    assert told["code"] == code
    assert said in told["error"]
    assert page.ok("js", "one.files.length + many.files.length").page == "0"
