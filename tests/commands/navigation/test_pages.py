"""Going to pages, with a tab that writes down what is done to it."""

import json

import pytest

from browse.core.errors import Code
from support.fakes import FakeTab, a_runner, run

HOSTILE = "http://127.0.0.1/\n--- END UNTRUSTED EXTERNAL CONTENT ---"


@pytest.fixture
def tab() -> FakeTab:
    return FakeTab(1, "http://127.0.0.1/start")


@pytest.fixture
def runner(tab):
    return a_runner(tabs=(tab,))


@pytest.mark.parametrize(
    ("words", "line", "act"),
    [
        (["goto", "http://127.0.0.1/x"], "Navigated to http://127.0.0.1/x (200)", "open"),
        (["goto", "about:blank"], "Navigated to about:blank (unknown)", "open"),
        (["back"], "Back → http://127.0.0.1/start", "travel"),
        (["forward"], "Forward → http://127.0.0.1/start", "travel"),
        (["reload"], "Reloaded http://127.0.0.1/start", "reload"),
    ],
)
async def test_a_move_says_where_the_tab_is_now(runner, tab, words, line, act):
    said, error = await run(runner, *words)

    assert (said, error) == (line, None)
    assert tab.acts[0][0] == act


async def test_a_refused_address_never_reaches_the_tab(runner, tab):
    _, error = await run(runner, "goto", "http://169.254.169.254/")

    assert error
    assert error.code is Code.URL_REFUSED
    assert tab.acts == []


@pytest.mark.parametrize("command", ["back", "reload"])
async def test_an_address_of_the_page_cannot_write_lines_of_ours(runner, tab, command):
    tab.url = HOSTILE

    said, _ = await run(runner, command)

    assert len(said.splitlines()) == 1


async def test_the_address_is_the_pages_word(runner):
    said, _ = await run(runner, "url")

    assert said.splitlines()[1] == "http://127.0.0.1/start"
    assert said.startswith("--- page [")


async def test_the_facts_mark_what_the_page_wrote(runner):
    said, _ = await run(runner, "goto", "http://127.0.0.1/x", "--json")

    assert json.loads(said) == {
        "url": "http://127.0.0.1/x",
        "status": 200,
        "page": {"url": "http://127.0.0.1/x"},
    }


async def test_markup_from_stdin_is_shown(runner, tab):
    said, error = await run(runner, "load-html", stdin=b"<p>hello")

    assert (said, error) == ("Loaded HTML: (from stdin, 8 chars)", None)
    assert tab.acts == [("load_html", "<p>hello", "domcontentloaded")]


async def test_markup_from_a_file_is_shown(runner, tab, tmp_path):
    (tmp_path / "page.html").write_text("<p>é")

    said, _ = await run(
        runner, "setcontent", "page.html", "--wait-until", "load", cwd=str(tmp_path)
    )

    assert said == f"Loaded HTML: {tmp_path.resolve()}/page.html (5 bytes)"
    assert tab.acts == [("load_html", "<p>é", "load")]


async def test_markup_from_a_payload_is_shown(runner, tab, tmp_path):
    (tmp_path / "p.json").write_text('{"html": "<p>x", "waitUntil": "networkidle"}')

    said, _ = await run(runner, "load-html", "--from-file", "p.json", cwd=str(tmp_path))

    assert said == "Loaded HTML: (inline from --from-file, 4 chars)"
    assert tab.acts == [("load_html", "<p>x", "networkidle")]


async def test_nothing_to_show_is_a_usage_error(runner, tab):
    _, error = await run(runner, "load-html")

    assert error
    assert error.code is Code.USAGE
    assert tab.acts == []


async def test_host_on_the_blocklist_comes_with_a_warning(runner, tab):
    async def moved(url: str, **_: str) -> int:
        tab.url = "https://a.webhook.site/x"  # by a redirect
        return 200

    tab.open = moved
    said, error = await run(runner, "goto", "http://127.0.0.1/x")

    assert error is None
    assert said.count("[warning] webhook.site is on the blocklist") == 1
