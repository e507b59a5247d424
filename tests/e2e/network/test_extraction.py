"""Taking files out of the browser: `download`, `scrape`, `archive`."""

import base64
import hashlib
import json
import shutil
import stat
from pathlib import Path

import pytest

from support.cli import until
from support.life import assert_clear

pytestmark = pytest.mark.e2e

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
PDF = b"%PDF-1.7\n" + b"x" * 900


@pytest.fixture
def folder(browser, request):
    """A folder of the test's own, in which nothing may be left behind."""
    made = browser.root / request.node.name.partition("[")[0]
    made.mkdir(exist_ok=True)
    return made


def names(place) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_download_saves_a_file_and_gives_a_receipt(browser, site, folder):
    browser.post(
        "goto", site.page("/dl-home", "<p>home", set_cookie="login=yes; HttpOnly; Path=/dl-png")
    )
    asked = []

    def answer(request) -> None:
        asked.append(request.headers["cookie"])
        request.send_response(200)
        request.send_header("content-type", "image/png")
        request.send_header("content-disposition", "attachment; filename*=UTF-8''a%20b.png")
        request.send_header("content-length", str(len(PNG)))
        request.end_headers()
        request.wfile.write(PNG)

    url = site.answer("/dl-png", answer)
    target = folder / "a.png"
    target.write_text("an older one")

    told = browser.ok("download", url, str(target))

    digest = hashlib.sha256(PNG).hexdigest()
    assert told.out == (
        f"Downloaded: {target} (5KB, image/png) [a%20b.png]\n"
        f"5,128 of 5,128 bytes, sha256 {digest}, looks like image/png\n"
    )
    assert target.read_bytes() == PNG
    assert mode(target) == 0o600
    assert names(folder) == ["a.png"]
    assert len(asked) == 1
    assert "login=yes" in asked[0]
    assert browser.ok("url").page == f"{site.url}/dl-home"
    assert len(browser.ok("tabs", "--json").json["tabs"]) == 1


def test_download_is_data_with_json_and_has_a_place_of_its_own(browser, site):
    url = site.page("/dl-odd", "<!doctype html><p>please log in", content_type="image/jpeg")

    told = browser.ok("download", f"{url}?token=abcdef", "--json").json

    assert told["type"] == told["declaredType"] == "image/jpeg"
    assert told["sniffedType"] == "text/html"
    assert told["warnings"] == [
        "[warning] it was declared as image/jpeg, but its bytes are text/html"
    ]
    assert "/browse-download-" in told["path"]
    assert told["path"].endswith(".jpg")
    assert told["bytes"] == told["contentLength"] == 31
    assert told["page"]["url"].endswith("?token=****")
    Path(told["path"]).unlink()


ELEMENTS = """
<img id=shown src=/dl-pic.png><img id=later data-src=/dl-pic.png>
<video id=film><source src=/dl-pic.png></video><a id=link href=/dl-moved>x</a>
<iframe id=frame src=/dl-pic.png></iframe>
<img id=inline src="data:image/png;base64,{}"><a id=blob>x</a>
<script>
  const bytes = Uint8Array.from(atob(inline.src.split(",")[1]), (char) => char.charCodeAt(0));
  blob.href = URL.createObjectURL(new Blob([bytes], {{ type: "image/png" }}));
</script>
"""


def test_download_takes_the_file_of_an_element(browser, site, folder):
    site.page("/dl-pic.png", PNG, content_type="image/png")
    elsewhere = f"http://localhost:{site.port}/dl-pic.png"
    site.page("/dl-moved", "", status=302, location=elsewhere)
    html = ELEMENTS.format(base64.b64encode(PNG).decode())
    browser.post("goto", site.page("/dl-elements", html))
    target = folder / "it.png"

    for element in ("shown", "later", "film", "link", "frame", "inline", "blob"):
        target.unlink(missing_ok=True)
        told = json.loads(browser.post("download", f"#{element}", str(target), "--json"))
        assert (element, told["sniffedType"]) == (element, "image/png")
        assert target.read_bytes() == PNG


def test_download_prints_a_data_url_that_is_never_cut(browser, site):
    body = PDF * 100
    url = site.page("/dl-base64", body, content_type="application/pdf")

    told = browser.ok("download", url, "--base64", "--max-chars", "100").out

    assert told.startswith("data:application/pdf;base64,")
    assert base64.b64decode(told.partition(",")[2]) == body
    assert_clear(browser.browse("download", url, "x.pdf", "--base64"), 2, "takes no path")


def test_download_ends_what_is_too_large_as_soon_as_it_is(browser, site, folder):
    stream = site.endless("/dl-endless")
    huge = site.cut("/dl-huge", b"x", announced=300 * 1024 * 1024)

    assert_clear(browser.browse("download", stream.url, "--base64"), 1, "larger than 10 MB")
    assert stream.let_go.wait(150)
    assert_clear(browser.browse("download", huge, f"{folder}/x"), 1, "larger than 200 MB")
    assert names(folder) == []


def test_a_download_that_fails_says_why_and_leaves_nothing(browser, site, folder):
    def broken_chunks(request) -> None:
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("transfer-encoding", "chunked")
        request.end_headers()
        request.wfile.write(b"3\r\nabc\r\n")
        request.close_connection = True

    html = "<p id=words>x</p><video id=live src=/live.m3u8></video><a id=mail href=mailto:a@b>x</a>"
    browser.post("goto", site.page("/dl-failing", html))
    site.page("/dl-meta", "", status=302, location="http://169.254.169.254/latest")
    kept = folder / "kept"
    kept.write_text("older")
    failing = {
        site.page("/dl-404", "gone", status=404): (1, "Download failed: HTTP 404 Not Found"),
        site.cut("/dl-cut", b"x" * 10, announced=500): (1, "before the length that was announced"),
        site.answer("/dl-chunks", broken_chunks): (1, "broke off before its end"),
        f"{site.url}/dl-meta": (4, "address that is refused"),
        site.page("/dl-circle", "", status=302, location="/dl-circle"): (1, "in a circle"),
        site.page("/x.mpd", "", content_type="text/xml"): (1, "DASH stream"),
        site.page("/dl-list", "#EXTM3U", content_type="application/x-mpegURL"): (1, "HLS stream"),
        "http://127.0.0.1:1/x": (1, "browsers refuse that port"),
        "http://169.254.169.254/x": (4, "metadata"),
        "file://./kept": (2, "cannot be downloaded"),
        "data:text/plain;base64,@": (1, "not valid base64"),
        "blob:http://127.0.0.1/none": (1, "could not be read"),
        "#words": (1, "#words has no address; it was pressed, and no download began"),
        "#live": (1, "HLS stream"),
        "#mail": (4, "not of the web"),
        "#nowhere": (3, "Nothing on the page matches"),
    }

    for place, (code, words) in failing.items():
        assert_clear(browser.browse("download", place, str(kept), cwd=folder), code, words)
    assert names(folder) == ["kept"]
    assert kept.read_text() == "older"


def test_download_gives_the_login_that_is_in_the_address(browser, site):
    def answer(request) -> None:
        wanted = "Basic " + base64.b64encode(b"me:pass word").decode()
        known = request.headers["authorization"] == wanted
        request.send_response(200 if known else 401)
        request.send_header("www-authenticate", 'Basic realm="r"')
        request.end_headers()
        request.wfile.write(b"the private file")

    url = site.answer("/dl-login", answer)

    assert_clear(browser.browse("download", url, "--base64"), 1, "HTTP 401 Unauthorized")
    told = browser.ok("download", url.replace("//", "//me:pass%20word@"), "--json")
    assert told.json["bytes"] == 16
    assert "pass" not in told.out.replace(told.json["path"], "")
    Path(told.json["path"]).unlink()


def test_download_navigate_takes_the_download_that_an_address_starts(browser, site, folder):
    name = 'attachment; filename="the report.pdf"'
    site.page("/dl-file", PDF, content_type="application/pdf", content_disposition=name)
    behind = site.page("/dl-behind", "<script>location = '/dl-file'</script>preparing…")
    site.page("/dl-away", "", status=302, location="http://169.254.169.254/latest")
    browser.post("goto", site.page("/dl-stay", "<p>stay"))
    target = folder / "report.pdf"

    told = browser.ok("download", behind, str(target), "--navigate").out

    assert told.startswith(f"Downloaded: {target} (1KB, application/pdf) [the%20report.pdf]\n")
    assert target.read_bytes() == PDF
    assert mode(target) == 0o600
    away = browser.browse("download", f"{site.url}/dl-away", f"{folder}/y", "--navigate")
    assert_clear(away, 4, "address that is refused")
    gone = browser.browse("download", f"{site.url}/dl-none", f"{folder}/y", "--navigate")
    assert_clear(gone, 1, "HTTP 404 Not Found")
    assert names(folder) == ["report.pdf"]
    assert browser.ok("url").page == f"{site.url}/dl-stay"


def test_a_cut_off_download_frees_its_tab_and_leaves_nothing(browser, site, folder):
    held = site.hold("/dl-held")
    process = browser.start("download", held.url, f"{folder}/x")
    assert held.arrived.wait(150)

    process.kill()
    process.communicate()

    assert browser.ok("js", "1 + 1").page == "2"
    held.let_go.set()
    until(lambda: not names(folder), what="the draft to be removed")


MEDIA = """
<main><img src=/sc/1.png><img src=/sc/1.png><img data-src=/sc/2><img src=/sc/none.png>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><video src=/sc/film.mp4></video>
<video src=/live.m3u8></video><audio src=/sc/meta></audio></main>
<div id=host></div><img id=last src=/sc/3.png>
<script>host.attachShadow({mode: "open"}).innerHTML = "<img src=/sc/4.png>"</script>
"""


@pytest.fixture
def gallery(browser, site):
    for path in ("/sc/1.png", "/sc/3.png", "/sc/4.png"):
        site.page(path, PNG, content_type="image/png")
    site.page("/sc/2", b"GIF89a" + b"x" * 2000, content_type="image/gif")
    site.page("/sc/film.mp4", b"\0\0\0\x18ftypmp42", content_type="video/mp4")
    site.page("/sc/meta", "", status=302, location="http://169.254.169.254/")
    site.page("/sc/none.png", "gone", status=404)
    browser.post("goto", site.page("/sc/gallery", MEDIA))
    return browser


def test_scrape_saves_each_file_once_and_a_manifest(gallery, site, folder):
    place = folder / "new" / "media"

    told = gallery.ok("scrape", "media", "--dir", str(place)).out.splitlines()

    assert told == [
        f"Scraped into {place}",
        "  [1/7] image-001.png (5KB)",
        "  [2/7] image-002.gif (2KB)",
        "  [3/7] FAILED: Download failed: HTTP 404 Not Found",
        "  [4/7] video-004.mp4 (0KB)",
        "  [5/7] FAILED: The page or the server names an address that is refused.",
        "  [6/7] image-006.png (5KB)",
        "  [7/7] image-007.png (5KB)",
        "Skipped: 2 (streams, data: and blob: addresses)",
        "Summary: 5 succeeded, 2 failed, 17KB total",
    ]
    manifest = json.loads((place / "manifest.json").read_text())
    assert [row["path"] for row in manifest["files"]][:2] == ["image-001.png", "image-002.gif"]
    assert manifest["files"][0]["src"] == f"{site.url}/sc/1.png"
    assert manifest["files"][2]["error"] == "Download failed: HTTP 404 Not Found"
    assert (manifest["succeeded"], manifest["failed"], manifest["skipped"]) == (5, 2, 2)
    assert len(names(place)) == 6
    assert (mode(place), mode(place / "image-001.png")) == (0o700, 0o600)


def test_scrape_keeps_to_kind_selector_and_limit(gallery, folder):
    told = gallery.ok("scrape", "images", "--limit", "1", "--json", "--dir", str(folder)).json
    assert (told["succeeded"], told["left_out"], told["skipped"]) == (1, 4, 1)

    told = gallery.ok("scrape", "images", "--selector", "#last", "--json").json
    assert [row["src"].rpartition("/")[2] for row in told["page"]["files"]] == ["3.png"]
    assert "/browse-scrape-" in told["dir"]
    shutil.rmtree(told["dir"])

    told = gallery.ok("scrape", "videos", "--json", "--dir", str(folder)).json
    assert [row["path"] for row in told["page"]["files"]] == ["video-001.mp4"]


def test_bad_words_are_refused(browser):
    missing = browser.browse("scrape", "images", "--selector", "#nowhere")

    assert_clear(browser.browse("scrape", "sounds"), 2, "not one of: images, videos, media")
    assert_clear(browser.browse("scrape", "images", "--limit", "201"), 2, "from 1 to 200")
    assert_clear(browser.browse("scrape", "images", "--dir", "/etc/x"), 4, "Path must be within")
    assert_clear(browser.browse("scrape", "images", "--dir", ""), 2, "the folder is empty")
    assert_clear(missing, 3, "Nothing on the page matches")
    assert_clear(browser.browse("download", " "), 2, "the address is empty")
    assert_clear(browser.browse("download", "ftp://a/b"), 4, "ftp")
    assert_clear(browser.browse("archive", "/etc/page.mhtml"), 4, "Path must be within")


def test_archive_saves_the_page_with_what_it_shows(browser, site, folder):
    site.page("/ar.gif", GIF, content_type="image/gif")
    browser.post("goto", site.page("/ar", "<h1>Archived</h1><img src=/ar.gif>"))
    browser.post("wait", "--load")

    told = browser.ok("archive", str(folder / "page.mhtml")).out

    saved = (folder / "page.mhtml").read_bytes()
    kept = round(len(saved) / 1024)
    assert told == f"Archive saved: {folder / 'page.mhtml'} ({kept}KB, MHTML)\n"
    assert b"multipart/related" in saved
    assert b"Archived" in saved
    assert b"Content-Type: image/gif" in saved
    assert mode(folder / "page.mhtml") == 0o600
