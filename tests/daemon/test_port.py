"""Ports on loopback, with real sockets."""

import errno
import socket

import pytest

from browse.core.errors import BrowseError, Code
from browse.daemon import port


def test_a_free_port_of_the_range_is_found_on_loopback():
    with port.bind(None) as listener:
        host, number = listener.getsockname()

        assert host == "127.0.0.1"
        assert port.LOW <= number <= port.HIGH
        socket.create_connection((host, number)).close()


def test_the_wanted_port_is_bound():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        wanted = probe.getsockname()[1]

    with port.bind(wanted) as listener:
        assert listener.getsockname()[1] == wanted
        assert not listener.getblocking()


def test_a_wanted_port_in_use_is_named():
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]

        with pytest.raises(BrowseError, match=f"Port {number} is in use") as caught:
            port.bind(number)

    assert caught.value.code is Code.PORT_IN_USE
    assert "BROWSE_PORT" in caught.value.hint
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno == errno.EADDRINUSE


def test_ports_in_use_are_passed_over(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        draws = iter([taken, taken, taken])
        monkeypatch.setattr(port, "LOW", 0)
        monkeypatch.setattr("secrets.randbelow", lambda _: next(draws, 0))

        with port.bind(None) as listener:
            assert listener.getsockname()[1] != taken


def test_a_range_that_is_all_in_use_is_an_error_after_some_tries(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(port, "LOW", other.getsockname()[1])
        monkeypatch.setattr(port, "HIGH", other.getsockname()[1])

        with pytest.raises(BrowseError) as caught:
            port.bind(None)

    assert caught.value.code is Code.PORT_IN_USE


def test_a_daemon_with_a_window_has_its_usual_port(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        free = other.getsockname()[1]
    monkeypatch.setattr(port, "OF_WINDOW", free)

    with port.bind(None, headed=True) as listener, port.bind(None, headed=True) as second:
        assert listener.getsockname()[1] == free
        assert second.getsockname()[1] != free
