from pathlib import Path

from script import address, parse_releases

PAGE = (Path(__file__).parent / "fixtures" / "github-com-2026-11-16.html").read_text("utf-8")


def test_releases_are_found_in_order():
    assert [release["tag"] for release in parse_releases(PAGE)] == [
        "v2.1.0-rc.1",
        "v2.0.0",
        "v1.9+x",
    ]


def test_a_release_has_all_its_facts():
    assert parse_releases(PAGE)[1] == {
        "tag": "v2.0.0",
        "name": "2.0: Darjeeling & more",
        "url": "https://github.com/leaf/kettle/releases/tag/v2.0.0",
        "date": "2026-10-01T09:30:00Z",
        "latest": True,
        "prerelease": False,
        "notes": "What changed Boils faster (#12) No lid needed",
    }


def test_a_candidate_is_marked():
    assert [release["prerelease"] for release in parse_releases(PAGE)] == [True, False, False]


def test_a_repository_without_releases_gives_none():
    assert parse_releases("<main><h2>No releases here</h2></main>") == []


def test_a_name_becomes_an_address_and_an_address_stays():
    assert address("leaf/kettle") == "https://github.com/leaf/kettle/releases"
    assert address("http://127.0.0.1/r") == "http://127.0.0.1/r"
