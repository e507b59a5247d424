"""Frames at any byte boundary, output as it comes, and an exception that says how far it came."""

import os
import socket
import threading

import pytest

from browse.client import wire
from support.fake_daemon import FRAMES_HEAD, TOKEN, FakeDaemon, frames, rejects, says, sends


def ask(daemon, *words: str, stdin: bytes = b"", quiet: bool = False) -> int:
    block = "\0".join(["cwd=/x", "", *words, ""]).encode()
    data = wire.request(daemon.port, TOKEN, block, stdin)
    return wire.exchange(daemon.port, data, reader=wire.ReplyReader(quiet=quiet))


@pytest.fixture
def state(tmp_path):
    return tmp_path / "browse.json"


def test_request_is_what_the_daemon_expects():
    data = wire.request(81, "tok", b"cwd=/x\0tab=3\0\0goto\0http://a/\0", b"in")

    assert data == (
        b"POST /command HTTP/1.0\r\nHost: 127.0.0.1:81\r\nAuthorization: Bearer tok\r\n"
        b"Content-Type: application/x-browse-argv\r\nX-Browse-Argv: 29\r\n"
        b"Content-Length: 31\r\n\r\ncwd=/x\0tab=3\0\0goto\0http://a/\0in"
    )


def test_stdout_stderr_and_exit_code_come_back(state, capfd):
    with FakeDaemon(state, says(b"out\n", b"err\n", 3)) as daemon:
        assert ask(daemon, "text") == 3

    assert capfd.readouterr() == ("out\n", "err\n")


BODY = b"1 5\nhello. 0\n2 3\nerr1 3\n\n\xc3\xa9x 7\n"


@pytest.mark.parametrize("cut", range(len(BODY) + 1))
def test_a_reply_may_be_cut_anywhere(capfdbinary, cut):
    reply = wire.ReplyReader()
    reply.feed(BODY[:cut])
    reply.feed(BODY[cut:])
    reply.end_line()

    assert reply.exit == 7
    assert capfdbinary.readouterr() == (b"hello\n\xc3\xa9\n", b"err")


def test_a_reply_may_come_byte_by_byte(capfdbinary):
    reply = wire.ReplyReader()
    for at in range(len(BODY)):
        reply.feed(BODY[at : at + 1])

    assert reply.exit == 7
    assert capfdbinary.readouterr() == (b"hello\n\xc3\xa9", b"err")


def test_the_http_head_may_come_byte_by_byte(state, capfd):
    def script(peer, _):
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(FRAMES_HEAD)):
            peer.sendall(FRAMES_HEAD[at : at + 1])
        peer.sendall(frames(b"late\n"))

    with FakeDaemon(state, script) as daemon:
        assert ask(daemon, "text") == 0

    assert capfd.readouterr().out == "late\n"


def test_what_follows_the_exit_frame_is_ignored(capfd):
    reply = wire.ReplyReader()
    reply.feed(b"x 0\n1 3\nabc")

    assert reply.exit == 0
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("out", "shown"), [(b"a", "a\n"), (b"a\n", "a\n"), (b"", ""), (b"a\n\n", "a\n\n")]
)
def test_stdout_ends_with_a_newline(state, capfd, out, shown):
    with FakeDaemon(state, says(out)) as daemon:
        ask(daemon, "text")

    assert capfd.readouterr().out == shown


def test_stderr_gets_no_newline_added(state, capfd):
    with FakeDaemon(state, says(b"", b"no end")) as daemon:
        ask(daemon, "text")

    assert capfd.readouterr() == ("", "no end")


def test_quiet_copies_nothing(state, capfd):
    with FakeDaemon(state, says(b"out", b"err", 5)) as daemon:
        assert ask(daemon, "stop", quiet=True) == 5

    assert capfd.readouterr() == ("", "")


def test_large_output_comes_whole(state, capfdbinary):
    out = os.urandom(1 << 20) * 5

    with FakeDaemon(state, says(out + b"\n")) as daemon:
        assert ask(daemon, "html") == 0

    assert capfdbinary.readouterr().out == out + b"\n"


def test_large_stdin_goes_whole(state, capfd):
    stdin = os.urandom(1 << 20) * 8

    with FakeDaemon(state) as daemon:
        ask(daemon, "chain", stdin=stdin)

    assert daemon.requests[0].stdin == stdin


@pytest.mark.parametrize(
    "body", [b"3 1\na", b"1 x\n", b"1\n", b"\n", b"1 -1\n", b"hello world", b"a" * 40, b" 0\n"]
)
def test_frames_that_make_no_sense_are_refused(body):
    with pytest.raises(wire.Failure) as caught:
        wire.ReplyReader().feed(body + b"\n")
    assert caught.value.code == 6


@pytest.mark.parametrize(
    "reply",
    [
        b"SSH-2.0-x\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nx 0\n",
        b"x" * (wire.MAX_HEAD_BYTES + 1),
    ],
)
def test_a_stranger_on_the_port_is_recognised(state, reply):
    with FakeDaemon(state, sends(reply)) as daemon, pytest.raises(wire.Failure) as caught:
        ask(daemon, "url")
    assert caught.value.code == 6


def test_nobody_listening_is_refused(state):
    with FakeDaemon(state) as daemon:
        pass

    with pytest.raises(wire.Refused):
        ask(daemon, "url")


@pytest.mark.parametrize("part", [b"", b"HTTP/1.1 2", FRAMES_HEAD, FRAMES_HEAD + b"1 9\nhal"])
def test_a_reply_that_ends_early_is_lost(state, part):
    with FakeDaemon(state, sends(part)) as daemon, pytest.raises(wire.ReplyLost):
        ask(daemon, "url")


def test_half_a_line_is_ended_when_the_reply_is_lost(state, capfd):
    with (
        FakeDaemon(state, sends(FRAMES_HEAD + b"1 9\nhal")) as daemon,
        pytest.raises(wire.ReplyLost),
    ):
        ask(daemon, "url")

    assert capfd.readouterr().out == "hal\n"


def test_a_reset_is_lost(state):
    def script(peer, _):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    with FakeDaemon(state, script) as daemon, pytest.raises(wire.ReplyLost):
        ask(daemon, "url")


def test_silence_is_told_apart_from_an_end(state, monkeypatch):
    monkeypatch.setattr(wire, "SILENCE_SECONDS", 0.05)
    done = threading.Event()

    def script(peer, _):
        assert done.wait(150)

    with FakeDaemon(state, script) as daemon:
        with pytest.raises(wire.Silent):
            ask(daemon, "wait")
        done.set()


def test_heartbeats_are_not_silence(state, monkeypatch, capfd):
    monkeypatch.setattr(wire, "SILENCE_SECONDS", 2.0)
    pause = threading.Event()  # never set: its time limit paces the beats

    def script(peer, _):
        peer.sendall(FRAMES_HEAD)
        for _beat in range(8):  # together they outlast the silence that is allowed
            pause.wait(0.3)
            peer.sendall(b". 0\n")
        peer.sendall(frames(b"done\n"))

    with FakeDaemon(state, script) as daemon:
        assert ask(daemon, "wait") == 0

    assert capfd.readouterr().out == "done\n"


def test_another_status_carries_its_body(state):
    daemon = FakeDaemon(state, rejects(403, error="no"))

    with daemon, pytest.raises(wire.Rejected) as caught:
        ask(daemon, "url")

    assert (caught.value.status, caught.value.body) == (403, b'{"error": "no"}')


def test_an_answer_before_all_was_read_is_heard(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def serve():
            peer, _ = listener.accept()
            with peer:
                peer.recv(10)
                peer.sendall(b"HTTP/1.1 413 Too Large\r\n\r\n{}")
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(1 << 20):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(wire.Rejected) as caught:
            wire.exchange(port, bytes(1 << 24))
        thread.join()

    assert caught.value.status == 413


def test_writes_go_on_where_a_descriptor_would_block():
    read, write = os.pipe()
    os.set_blocking(write, False)
    data = os.urandom(1 << 20)
    seen = []

    def drain():
        while piece := os.read(read, 1 << 16):
            seen.append(piece)

    thread = threading.Thread(target=drain)
    thread.start()
    wire.write_all(write, data)
    os.close(write)
    thread.join()
    os.close(read)

    assert b"".join(seen) == data


def test_a_request_that_nobody_read_is_dropped_and_nothing_ran(state):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        client = threading.Thread(target=listener_closes, args=(listener,))
        client.start()
        with pytest.raises(wire.Dropped):
            wire.exchange(port, wire.request(port, TOKEN, b"\0url\0", b""))
        client.join()


def listener_closes(listener: socket.socket) -> None:
    """Take the connection, see that words have come, and close without reading them."""
    peer, _ = listener.accept()
    peer.recv(1, socket.MSG_PEEK)
    peer.close()


def test_a_request_that_was_read_is_lost(state):
    with FakeDaemon(state, sends(b"")) as daemon, pytest.raises(wire.ReplyLost) as caught:
        ask(daemon, "url")

    assert not isinstance(caught.value, wire.Dropped)
