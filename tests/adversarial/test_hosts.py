"""The host of an address is what ada reads, the WHATWG's parser of Node and others, or none."""

from pathlib import Path
from unicodedata import category, normalize

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.errors import BrowseError
from browse.guard.files import Roots
from browse.guard.hosts import PORTS, host_of
from browse.guard.urls import check_url
from support.hostile import fuzz

CORPUS = Path(__file__).with_name("hosts.txt")
WEB = {f"{scheme}:" for scheme in PORTS}
# What an address is made of, and what has been mistaken for it.
PIECES = [
    "http:", "//", "/", "\\", "@", ":", "?", "#", "[", "]", "::1", "a", "example.com", "EXAMPLE",
    "127.0.0.1", "0x7f.1", "2130706433", "1.2.3.4.5", "08", ".", "..", "%2e", "%41", "%00", "%ff",
    "%E3%80%82", "\u3002", "\uff0e", "\uff11", "\u00ad", "\u200b", "\u200d", "\u206a", "\u00df",
    "\u03c2", "\u0130", "\ufb00", "\u2488", "\u2100", "\t", "\n", " ", "\0", "|", "<", "_", "-",
    "80", "65536", "user", "\u00e9", "e\u0301", "\u65e5\u672c", "xn--", "xn--zca", "\uff20",
    "\uff0f", "\uff1a", "\u13a0", "\u0345", "\U0001f4a9", "\u0378", "\U000e0041",
]  # fmt: skip
STARTS = ["http://", "https://", "http:", "ws://", "HTTP:\\\\", ""]
addresses = st.tuples(
    st.sampled_from(STARTS),
    st.lists(st.sampled_from(PIECES) | st.characters(codec="utf-8"), max_size=6),
).map(lambda parts: parts[0] + "".join(parts[1]))


def cases() -> list[tuple[str, str, str]]:
    found = []
    for line in CORPUS.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            host, rest = line.split(" | ", 1)
            address, reason = rest.rsplit(" | ", 1)
            found.append(("" if host == "-" else host, _read(address), reason))
    return found


def _read(address: str) -> str:
    return address.encode().decode("unicode_escape")


def by_the_standard(url: str) -> str | None:
    """Return the host as ada reads it, "" for an address that is not of the web; None: invalid."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return None
    if parsed.protocol not in WEB:
        return ""
    return parsed.hostname.removeprefix("[").removesuffix("]").removesuffix(".")


def agrees(ours: str, url: str) -> bool:
    """No host is always right; one that the standard has none for stays in its xn-- form."""
    theirs = by_the_standard(url)
    return not ours or (ours == theirs if theirs is not None else "xn--" in ours)


@pytest.mark.parametrize(("host", "address", "reason"), cases())
def test_the_host_is_what_a_browser_reads(host: str, address: str, reason: str) -> None:
    assert host_of(address) == host, reason
    assert agrees(host, address), by_the_standard(address)


@fuzz
@given(addresses)
def test_the_host_is_the_standards_or_none(address: str) -> None:
    assert agrees(host_of(address), address)


@fuzz
@given(addresses)
def test_what_was_checked_is_what_a_browser_goes_to(address: str) -> None:
    try:
        url = check_url(address, cwd="/nowhere", roots=Roots(()))
    except BrowseError:
        return

    assert url.host == host_of(address) == host_of(url.text)
    assert agrees(url.host, url.text)


def test_no_character_is_read_differently() -> None:
    """Every one that is changed, dropped or refused by somebody, in the middle of a name."""
    listed = map(chr, (*range(0x80, 0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE0200)))
    changed = [char for char in listed if category(char) != "Lo" or normalize("NFKC", char) != char]
    urls = [f"http://a{char}b.example/" for char in changed if category(char) not in ("Co", "So")]

    assert [ascii(url) for url in urls if not agrees(host_of(url), url)] == []


def test_no_address_is_listed_twice() -> None:
    listed = [address for _, address, _ in cases()]

    assert len(listed) == len(set(listed))
