"""Lists of pages: lines, CSV, sitemaps, and what is wrong with them."""

import gzip
import shutil
import sys
from types import SimpleNamespace

import pytest

from browse.core.errors import BrowseError
from browse.fleet.urls import UrlList


def urls(path, column: str = "") -> list[str]:
    return [page.url for page in UrlList(str(path), column).pages()]


def written(tmp_path, name: str, content: str | bytes):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_blanks_comments_and_repeated_lines_are_left_out(tmp_path):
    path = written(tmp_path, "u.txt", "\ufeffhttp://a/\r\n\n  \n# b\n http://c/ \nhttp://a/\n")

    found = UrlList(str(path))

    assert [(page.n, page.url) for page in found.pages()] == [(0, "http://a/"), (1, "http://c/")]
    assert (found.total, found.twice) == (2, 1)


def test_a_long_list_is_counted_and_numbered(tmp_path):
    path = written(tmp_path, "u.txt", "".join(f"http://a/{n % 90_000}\n" for n in range(100_000)))

    found = UrlList(str(path))

    assert (found.total, found.twice) == (90_000, 10_000)
    assert [page.n for page in found.pages()] == list(range(90_000))


def test_a_column_of_a_csv_file(tmp_path):
    path = written(tmp_path, "u.csv", 'name,Site\n"a, b",http://a/\nshort\nc,"http://c/?x=1,2"\n')

    assert urls(path, "site") == ["http://a/", "http://c/?x=1,2"]


def test_a_csv_file_that_names_its_column_needs_no_flag(tmp_path):
    assert urls(written(tmp_path, "u.csv", "id,URL\n1,http://a/\n")) == ["http://a/"]


def test_a_column_that_is_not_there_is_told_with_those_that_are(tmp_path):
    with pytest.raises(BrowseError, match="no column named 'site'") as refused:
        urls(written(tmp_path, "u.csv", "id,page\n1,http://a/\n"), "site")

    assert "id, page" in refused.value.hint


ZIPPED = gzip.compress(b"http://a/\n" * 99, mtime=0)
SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://a/1</loc><lastmod>2026</lastmod></url><url><loc> http://a/2?x=1&amp;y=2
</loc></url></urlset>"""


def test_a_sitemap(tmp_path):
    found = ["http://a/1", "http://a/2?x=1&y=2"]

    assert urls(written(tmp_path, "s.xml", SITEMAP)) == found
    assert urls(written(tmp_path, "s.xml.gz", gzip.compress(SITEMAP.encode()))) == found


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("u.txt", b"http://a/\xff\n", "not UTF-8"),
        ("u.txt", "http://a/".encode("utf-16"), "UTF-"),
        ("u.txt", "http://a/\n".encode("utf-16-le"), "NUL"),
        ("s.xml", "<urlset><url>", "not sitemap"),
        ("s.xml", '<!DOCTYPE x [<!ENTITY a "b">]><urlset/>', "entities"),
        ("s.xml", "<sitemapindex><sitemap><loc>x</loc></sitemap></sitemapindex>", "an index"),
        ("s.xml.gz", b"no gzip", "cannot be read"),
        ("u.txt.gz", ZIPPED[:-9], "cannot be read"),
        ("u.txt.gz", ZIPPED[:12] + b"x" * 40, "cannot be read"),
        ("s.xml", b'<?xml version="1.0" encoding="gb2312"?><urlset/>', "not sitemap"),
        ("s.xml", b'<?xml version="1.0" encoding="tea"?><urlset/>', "not sitemap"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, name, content, why):
    with pytest.raises(BrowseError, match=why):
        urls(written(tmp_path, name, content))


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"http://a/\xe9\n", "latin1"),
        ("http://a/".encode("utf-16"), "utf-16"),
        ("http://a/\n".encode("utf-16-le"), "utf-16le"),
    ],
)
def test_another_encoding_is_told_with_what_converts_it(tmp_path, content, encoding):
    with pytest.raises(BrowseError) as refused:
        urls(written(tmp_path, "u.txt", content))

    assert f"iconv -f {encoding} " in refused.value.hint


def test_an_index_of_sitemaps_is_refused_with_what_to_do(tmp_path):
    index = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc> http://a/s1.xml.gz </loc></sitemap></sitemapindex>"""

    with pytest.raises(BrowseError, match=r"such as http://a/s1\.xml\.gz$") as refused:
        urls(written(tmp_path, "s.xml", index))
    assert "curl -O" in refused.value.hint


def test_an_address_is_no_list(tmp_path):
    with pytest.raises(BrowseError, match="cannot be read") as refused:
        UrlList("https://a/sitemap.xml")
    assert "curl -O https://a/sitemap.xml" in refused.value.hint


def test_stdin_that_does_not_fit_is_told(monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=None))

    with pytest.raises(BrowseError, match="cannot hold the list: No space left"):
        UrlList("-")


def test_a_list_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BrowseError, match="cannot be read: No such file"):
        UrlList(str(tmp_path / "none.txt"))
