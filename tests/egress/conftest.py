"""Envelopes with a number that tests know."""

import pytest

NUMBER = "0123abcd"


@pytest.fixture(autouse=True)
def known_number(monkeypatch):
    """Have a number that the page knows as well: the worst case."""
    monkeypatch.setattr("browse.egress.envelope.secrets.token_hex", lambda _: NUMBER)
