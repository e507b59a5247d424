"""Every line of addresses.txt, put to the URL policy."""

from pathlib import Path

import pytest

from browse.core.errors import BrowseError
from browse.guard.files import Roots
from browse.guard.urls import check_url

CORPUS = Path(__file__).with_name("addresses.txt")
ROOTS = Roots.of("/nowhere")
CODES = {"url-refused": "refused", "usage": "invalid"}


def cases() -> list[tuple[str, str, str]]:
    found = []
    for line in CORPUS.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            verdict, address, reason = line.split(" | ")
            found.append((verdict, address.encode().decode("unicode_escape"), reason))
    return found


def verdict_on(address: str) -> str:
    try:
        check_url(address, cwd="/nowhere", roots=ROOTS)
    except BrowseError as error:
        return CODES[error.code]
    return "allowed"


@pytest.mark.parametrize(("verdict", "address", "reason"), cases())
def test_address_gets_its_verdict(verdict: str, address: str, reason: str) -> None:
    assert verdict_on(address) == verdict, reason


@pytest.mark.parametrize("address", [c[1] for c in cases() if c[0] == "allowed"])
def test_admitted_address_is_admitted_again_unchanged(address: str) -> None:
    once = check_url(address, cwd="/nowhere", roots=ROOTS)

    assert check_url(once.text, cwd="/nowhere", roots=ROOTS) == once


def test_no_address_is_listed_twice() -> None:
    addresses = [address for _, address, _ in cases()]

    assert len(addresses) == len(set(addresses))
