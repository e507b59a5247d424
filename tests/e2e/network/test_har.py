"""Recording the network, and living without it."""

import json
import stat

import pytest

pytestmark = pytest.mark.e2e

PAGE = """<title>Shop</title><h1>Shop</h1><p id=said></p><script>
const headers = {authorization: 'Bearer HU' + 'SH-1'};
fetch('/har/stock', {method: 'POST', body: 'item=tea', headers})
  .then((answer) => answer.text()).then((words) => { said.textContent = words; });
</script>"""


@pytest.fixture
def browser(browser):
    yield browser
    browser.browse("har", "stop")
    browser.post("unroute")


@pytest.fixture
def shop(site) -> str:
    site.page(
        "/har/stock", "12 left", content_type="text/plain", set_cookie="sid=HUSH-2; Path=/har"
    )
    site.page("/har/old", "", status=302, location="/har/shop")
    return site.page("/har/shop", PAGE)


def record(browser, url: str, *flags: str) -> dict:
    browser.ok("har", "record", "shop.har", *flags)
    browser.ok("goto", url)
    browser.ok("wait", "--text", "12 left")
    told = browser.ok("har", "stop", "--json").json
    assert told["path"] == str(browser.root / "shop.har")
    return told


def gone(site, *paths: str) -> None:
    """Let the site say something else from now on."""
    for path in paths:
        site.page(path, "the network was asked")


def test_a_recording_answers_in_place_of_the_network_and_tells_what_it_lacks(browser, site, shop):
    record(browser, f"{site.url}/har/old")
    gone(site, "/har/stock", "/har/old", "/har/shop", "/har/other")
    browser.ok("route", "/har/ruled", "--body", "from a rule")

    browser.ok("har", "replay", "shop.har")
    browser.ok("goto", f"{site.url}/har/old")
    browser.ok("wait", "--text", "12 left")
    other = browser.browse("goto", f"{site.url}/har/other?token=HUSH-3")
    browser.ok("goto", f"{site.url}/har/ruled")
    ruled = browser.ok("text").page
    state = browser.ok("har")
    ended = browser.ok("har", "stop", "--json").json
    browser.ok("goto", shop)

    assert "refuses it" in other.err
    assert ruled == "from a rule"
    assert state.page == f"1x GET {site.url}/har/other?token=****"
    assert "Misses: 1" in state.out
    assert (ended["missed"], ended["strict"]) == (1, True)
    assert ended["page"]["misses"][0]["count"] == 1
    assert browser.ok("text").page == "the network was asked"


def test_what_is_missing_may_come_from_the_network(browser, site, shop):
    record(browser, shop)
    gone(site, "/har/shop", "/har/other")

    browser.ok("har", "replay", "shop.har", "--fallback")
    browser.ok("goto", f"{site.url}/har/other")
    other = browser.ok("text").page
    browser.ok("goto", shop)

    assert other == "the network was asked"
    assert browser.ok("text", "h1").page == "Shop"
    assert browser.ok("har", "stop").page == f"1x GET {site.url}/har/other"


def test_logins_stay_out_of_the_file_unless_asked_for(browser, shop):
    told = record(browser, shop)
    masked = (browser.root / "shop.har").read_text()
    mode = stat.S_IMODE((browser.root / "shop.har").stat().st_mode)
    warned = browser.ok("har", "record", "plain.har", "--with-secrets").out
    browser.ok("reload")
    browser.ok("wait", "--text", "12 left")
    stopped = browser.ok("har", "stop").out

    assert told["requests"] >= 2
    assert mode == 0o600
    assert "HUSH" not in masked
    assert "sid=****; Path=/har" in masked
    assert "HUSH-1" in (browser.root / "plain.har").read_text()
    assert "plain text" in warned
    assert "plain text" in stopped


def test_a_file_that_is_no_har_changes_nothing(browser, site, shop):
    record(browser, shop)
    whole = (browser.root / "shop.har").read_bytes()
    (browser.root / "half.har").write_bytes(whole[: len(whole) // 2])

    half = browser.browse("har", "replay", "half.har")
    missing = browser.browse("har", "replay", "missing.har")

    assert half.code != 0
    assert "not a whole HAR" in half.err
    assert "File not found" in missing.err
    assert browser.ok("har", "--json").json == {"state": None}
    assert (
        json.loads(browser.post("js", "fetch('/har/shop').then(r => r.status)", "--json"))["page"][
            "value"
        ]
        == 200
    )


def test_there_is_one_at_a_time_and_nothing_to_stop_without(browser):
    browser.ok("har", "record", "one.har")

    second = browser.browse("har", "record", "two.har")
    replay = browser.browse("har", "replay", "two.har")
    browser.ok("har", "stop", "other.har")
    none = browser.browse("har", "stop")

    assert "A HAR is being recorded" in second.err
    assert replay.code != 0
    assert "No HAR is being recorded" in none.err
    assert json.loads((browser.root / "other.har").read_text())["log"]["entries"] == []
    assert not (browser.root / "one.har").exists()
