from pathlib import Path

from script import address, parse_package

PAGE = (Path(__file__).parent / "fixtures" / "pypi-org-2026-11-16.html").read_text("utf-8")


def test_all_facts_are_found():
    assert parse_package(PAGE) == {
        "name": "tea-timer",
        "version": "3.2.1",
        "summary": "Tells when the tea is ready & not before.",
        "released": "2026-09-30T18:04:11+0000",
        "license": "MIT License (MIT)",
        "python": ">=3.11",
        "links": {
            "Homepage": "https://tea.example/",
            "Source": "https://github.com/leaf/tea-timer",
        },
        "maintainers": ["brewer", "pot"],
        "latest": True,
    }


def test_an_old_version_is_told():
    old = PAGE.replace("status-badge--good", "status-badge--warn")

    assert parse_package(old)["latest"] is False


def test_a_page_that_is_something_else_gives_empty_facts():
    found = parse_package("<h1>404</h1>")

    assert (found["name"], found["version"], found["links"]) == ("", "", {})


def test_a_name_becomes_an_address_and_an_address_stays():
    assert address("tea-timer") == "https://pypi.org/project/tea-timer/"
    assert address("http://127.0.0.1/p") == "http://127.0.0.1/p"
