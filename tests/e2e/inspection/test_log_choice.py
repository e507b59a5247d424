"""Choosing from the console and the network: by words, kind, outcome, moment, number."""

import json
import re

import pytest

from support.cli import until

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
ICON = "<link rel=icon href=data:,>"
SAID = """<script>
  console.log('Alpha one'); console.warn('beta two'); console.error('ALPHA three');
  console.info('many\\nlines'); console.debug('beta four');
</script>"""


@pytest.fixture
def talking(browser, site):
    """A page that said five things."""
    browser.post("console", "--clear")
    browser.post("goto", site.page("/talking", ICON + SAID))
    until(lambda: len(rows(browser, "console")) == 5, what="all of it")
    return browser


@pytest.fixture
def asking(browser, site):
    """A page whose requests ended in all the ways there are, with one that is open."""
    site.page("/asking-api", "{}", content_type="application/json")
    site.page("/asking.css", "p {}", content_type="text/css")
    held = site.hold("/asking-held")
    browser.post("goto", site.page("/asking-from", ICON))
    browser.post("network", "--clear")
    page = f"""{ICON}<link rel=stylesheet href=/asking.css><script>
      (async () => {{
        await fetch('/asking-api?q=1', {{method: 'POST'}});
        await fetch('/asking-missing');
        await fetch('http://127.0.0.1:1/').catch(() => 0);
        fetch('/asking-held').catch(() => 0);
      }})();
    </script>"""
    browser.post("goto", site.page("/asking", page))
    until(lambda: len(rows(browser, "network")) == 6, what="all requests")
    until(
        lambda: [row["ms"] for row in rows(browser, "network")].count(None) == 1,
        what="all answers but one",
    )
    yield browser
    held.let_go.set()


def rows(browser, command, *flags):
    """Return the entries of the reply, as it has them: newest first."""
    told = json.loads(browser.post(command, *flags, "--json"))
    told = told.get("page", told)
    return told["messages" if command == "console" else "requests"]


def texts(browser, *flags):
    return [row["text"] for row in rows(browser, "console", *flags)]


def paths(browser, *flags):
    return [row["url"].rsplit("/", 1)[-1] for row in rows(browser, "network", *flags)]


def test_the_newest_come_first(talking):
    lines = re.findall(r"\] \[\w+\] (.*)$", talking.ok("console").page, re.M)

    assert lines == ["beta four", "many", "ALPHA three", "beta two", "Alpha one"]
    assert texts(talking) == ["beta four", "many\nlines", "ALPHA three", "beta two", "Alpha one"]


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        (["--filter", "alpha"], ["ALPHA three", "Alpha one"]),
        (["--filter", "y\nl"], ["many\nlines"]),
        (["--filter", ".*"], []),
        (["--type", "warning,debug"], ["beta four", "beta two"]),
        (["--type", "WARN"], ["beta two"]),
        (["--errors", "--filter", "beta"], ["beta two"]),
        (["--last", "2"], ["beta four", "many\nlines"]),
        (["--last", "1", "--filter", "alpha", "--since", "5m"], ["ALPHA three"]),
        (["--last", "99", "--type", "log"], ["Alpha one"]),
    ],
)
def test_flags_choose_from_the_console_together(talking, flags, kept):
    assert texts(talking, *flags) == kept


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        (["--filter", "ASKING-API"], ["asking-api?q=1"]),
        (["--filter", "post "], ["asking-api?q=1"]),
        (["--filter", "unsafe_port"], [""]),
        (["--type", "xhr,fetch", "--status", "404"], ["asking-missing"]),
        (["--type", "document,css"], ["asking.css", "asking"]),
        (["--status", "4xx,failed"], ["", "asking-missing"]),
        (["--status", "2XX", "--type", "fetch"], ["asking-api?q=1"]),
        (["--status", "pending"], ["asking-held"]),
        (["--status", "500"], []),
        (["--last", "2"], ["asking-held", ""]),
    ],
)
def test_flags_choose_from_the_network_together(asking, flags, kept):
    assert paths(asking, *flags) == kept


def test_a_cursor_shows_only_what_came_later(talking):
    cursor = re.search(r"--since (\d+)\]$", talking.ok("console", "--last", "1").out, re.M)
    assert cursor
    nothing = talking.ok("console", "--since", cursor[1])
    talking.post("js", "console.log('later')")
    until(lambda: len(texts(talking)) == 6, what="the later one")

    later = talking.ok("console", "--since", cursor[1], "--json").json

    assert nothing.out.splitlines() == [
        "(no console messages that match)",
        f"[only what comes later: --since {cursor[1]}]",
    ]
    assert [row["text"] for row in later["page"]["messages"]] == ["later"]
    assert later["cursor"] == int(cursor[1]) + 100_000


def test_a_moment_shows_only_what_came_since(talking):
    moment = rows(talking, "console")[0]["at"]
    talking.post("js", "await new Promise(done => setTimeout(done, 20)); console.log('later')")
    until(lambda: len(texts(talking)) == 6, what="the later one")
    since = rows(talking, "console")[0]["at"]

    assert texts(talking, "--since", since)[:1] == ["later"]
    assert "Alpha one" in texts(talking, "--since", moment[:10])
    assert len(texts(talking, "--since", since)) < 6


def test_the_last_ones_come_on_pages_that_growth_does_not_move(talking):
    """The note says how many are left, since others have become the last ones by then."""
    first = talking.ok("console", "--last", "4", "--max-chars", "120")
    talking.post("js", "console.log('later')")
    until(lambda: len(texts(talking)) == 6, what="the later one")
    note = re.search(r"left out: add (--last \d+ --after \d+) for the rest", first.out)
    assert note
    second = talking.ok("console", *note[1].split())

    said = re.findall(r"\] \[\w+\] (.*)$", f"{first.page}\n{second.page}", re.M)
    assert said == ["beta four", "many", "ALPHA three", "beta two"]


def test_data_that_is_cut_says_how_to_go_on(talking):
    told = talking.ok("console", "--last", "3", "--json", "--max-chars", "20").json
    cut = told["truncated"]
    rest = talking.ok(
        "console", "--last", str(cut["last"]), "--json", "--after", str(cut["next"])
    ).json

    kept = [row["text"] for part in (told, rest) for row in part["page"]["messages"]]
    assert kept == ["beta four", "many\nlines", "ALPHA three"]


def test_a_filter_does_not_confirm_what_is_masked(browser, site):
    browser.post("console", "--clear")
    browser.post("goto", site.page("/masked", f"{ICON}<input type=password id=p>"))
    browser.post("fill", "#p", "correcthorse")
    browser.post("js", "console.log('it is ' + document.querySelector('#p').value)")
    until(lambda: texts(browser), what="the message")

    assert texts(browser, "--filter", "it is")
    assert not texts(browser, "--filter", "correcth")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["console", "--since", "yesterday"], "--since: 'yesterday' is no moment and no cursor"),
        (["console", "--since", "5"], "--since: '5' is no moment and no cursor"),
        (["console", "--since", "999999999999999"], "is no cursor of this log"),
        (["console", "--since", "2999-01-01"], "--since: '2999-01-01' is yet to come: it is "),
        (["console", "--type", "log,fetch"], "--type: 'fetch' is no level of console messages"),
        (["console", "--type", ","], "--type: ',' is no level of console messages"),
        (["console", "--last", "0"], "--last: '0' is not a whole number from 1"),
        (["console", "--filter", " "], "--filter: the text is empty"),
        (["console", "--clear", "--last", "1"], "console: --clear clears the whole log"),
        (["network", "--type", "log"], "--type: 'log' is no type of request"),
        (["network", "--status", "4x"], "--status: '4x' is no status"),
        (["network", "--status", "404,999"], "--status: '999' is no status"),
        (["network", "--clear", "--status", "404"], "these flags do not go together"),
        (["network", "--bodies", "--since", "5m"], "these flags do not go together"),
    ],
)
def test_a_bad_value_is_told(browser, words, said):
    ran = browser.browse(*words)

    assert ran.code == 2
    assert said in ran.err
    assert ran.err.count("\n") >= 2  # and what to type instead
