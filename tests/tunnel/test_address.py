"""Finding the public address of a tunnel in what a program prints."""

import re

import pytest

from browse.core.errors import BrowseError, Code
from browse.tunnel.address import AddressFinder

# What well-known programs print, and what of it is the address.
PRINTED = {
    "cloudflared": (
        "INF Thank you for trying Cloudflare Tunnel (https://www.cloudflare.com/website-terms/)",
        "INF |  https://neat-tea-pot.trycloudflare.com                            |",
        "https://neat-tea-pot.trycloudflare.com",
    ),
    "tailscale": (
        "|-- proxy http://127.0.0.1:3000",
        "https://box.tail1234.ts.net/",
        "https://box.tail1234.ts.net",
    ),
    "ngrok": (
        't=2026 msg="starting web service" addr=127.0.0.1:4040 url=http://127.0.0.1:4040',
        'msg="started tunnel" addr=http://localhost:80 url=https://a1.ngrok-free.app',
        "https://a1.ngrok-free.app",
    ),
    "serveo": (
        "Press g to start a GUI session.",
        "Forwarding HTTP traffic from https://abc.serveo.net",
        "https://abc.serveo.net",
    ),
    "with a port": ("up", "listening on http://203.0.113.7:8080, enjoy", "http://203.0.113.7:8080"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_address_of_a_known_program_is_found(name):
    noise, line, url = PRINTED[name]
    finder = AddressFinder()

    assert finder.needs_a_line
    assert finder.look(noise) is None
    assert finder.look(line) == url


@pytest.mark.parametrize(
    "line",
    [
        "",
        "http://localhost:8080",
        "http://x.localhost",
        "http://127.8.9.1/",
        "http://0.0.0.0:80",
        "https://example.com/manual",
        "https://example.com:80x",
        "ftp://example.com",
        "https://",
    ],
)
def test_what_is_local_or_a_link_is_not_taken(line):
    assert AddressFinder().look(line) is None


@pytest.mark.parametrize(
    ("url", "pattern", "line", "found"),
    [
        ("", r"at (\S+) now", "at http://127.0.0.1:9/ now", "http://127.0.0.1:9"),
        ("", r"https://\S+", "see https://x.example/a/b", "https://x.example/a/b"),
        ("http://x.example:{found}", r"port (\d+)", "Allocated port 41 for", "http://x.example:41"),
        ("https://x.example", "ready", "it is ready", "https://x.example"),
    ],
)
def test_settings_say_what_the_line_looks_like(url, pattern, line, found):
    finder = AddressFinder(url, re.compile(pattern))

    assert finder.needs_a_line
    assert finder.look("nothing of the kind") is None
    assert finder.look(line) == found


def test_a_fixed_address_needs_no_line():
    finder = AddressFinder("https://x.example/")

    assert not finder.needs_a_line
    assert finder.fixed == "https://x.example"


@pytest.mark.parametrize("found", ["x.example", "javascript:alert(1)", "http://[", "http://a b"])
def test_what_is_no_address_is_refused(found):
    with pytest.raises(BrowseError) as caught:
        AddressFinder("", re.compile("at (.*)")).look(f"at {found}")

    assert caught.value.code is Code.TUNNEL
    assert caught.value.page == found


@pytest.mark.parametrize("url", ["x.example", "http://x.example:99999", "https://" + "x" * 999])
def test_a_fixed_address_that_is_none_is_refused(url):
    with pytest.raises(BrowseError, match="not an http or https address"):
        AddressFinder(url)


def test_a_group_that_took_no_part_is_no_address():
    with pytest.raises(BrowseError):
        AddressFinder("", re.compile("a(b)?")).look("a")


def test_a_place_for_what_is_found_needs_a_pattern():
    with pytest.raises(BrowseError, match="PATTERN is not set") as caught:
        AddressFinder("http://x.example:{found}")

    assert caught.value.code is Code.SETTING_INVALID
