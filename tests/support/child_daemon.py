"""A process in place of `browse.daemon`: the same files, locks and reports, no browser.

Run as `python -I child_daemon.py <manner>`; the manners are the functions in MANNERS.
"""

import contextlib
import fcntl
import os
import signal
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
from support.fake_daemon import FRAMES_HEAD, frames, read_request, write_state

STATE = Path(os.environ["BROWSE_STATE_FILE"])
LIFE_SECONDS = 240
STOPPING = b'HTTP/1.1 503 No\r\n\r\n{"error": "stopping", "code": "daemon-stopping"}'


def report(text: str) -> None:
    fd = int(os.environ["BROWSE_READY_FD"])
    os.write(fd, text.encode())
    os.close(fd)


def lock(phase: str = "serving") -> int:
    fd = os.open(STATE.parent / "browse-daemon.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)  # a client that looks at it has it for a moment
    os.ftruncate(fd, 0)
    tell(fd, phase)
    return fd


def tell(fd: int, phase: str) -> None:
    os.pwrite(fd, f"{os.getpid()}\n{phase:<8}\n".encode(), 0)


def wait_for(name: str) -> None:
    """Wait until the test has made this file."""
    while not (STATE.parent / name).exists():
        time.sleep(0.01)


def serve(**changes: object) -> None:
    """Answer every command with its words; end on `stop` and `restart`."""
    lock()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        write_state(STATE, listener.getsockname()[1], **changes)
        report("ready\n")
        while True:
            peer, _ = listener.accept()
            with peer, contextlib.suppress(ConnectionError):
                request = read_request(peer)
                ends = request.words[0] in ("stop", "restart")
                text = "Daemon stopped.\n" if ends else f"{os.getpid()} {request.words}\n"
                peer.sendall(FRAMES_HEAD + frames(text.encode()))
                if ends:
                    break
        STATE.unlink()


def dies() -> None:
    for number in range(30):
        print(f"trouble line {number}", file=sys.stderr)
    sys.exit(1)


def reports_error() -> None:
    report("error 1\nNo usable Chromium was found.\nType `browse install` to get one.")


def never_ready() -> None:
    signal.pause()


def deaf_to_term() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()


def old_version() -> None:
    serve(binaryVersion="0.0.9")


def loses_state() -> None:
    """Live on with a damaged state file."""
    lock()
    STATE.write_text("{")
    report("ready\n")
    signal.pause()


def facts() -> None:
    """Leave on record what the client gave to its child."""
    fds = {int(entry.name) for entry in list(Path("/proc/self/fd").iterdir()) if entry.exists()}
    told = {
        "cwd": str(Path.cwd()),
        "session": os.getsid(0) == os.getpid(),
        "fds": sorted(fds - {0, 1, 2, int(os.environ["BROWSE_READY_FD"])}),
        "stdin": str(Path("/proc/self/fd/0").readlink()),
        "stdout": str(Path("/proc/self/fd/1").readlink()),
        "term": signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
    }
    (STATE.parent / "facts").write_text(repr(told))
    serve()


def slow() -> None:
    """Be ready only when the test has made the file `go`."""
    wait_for("go")
    serve()


def starts_slowly() -> None:
    """Say that it starts until the test has made the file `go`, then serve."""
    held = lock("starting")
    wait_for("go")
    os.close(held)
    serve()


def ends_slowly() -> None:
    """Serve until there is the file `end`, then say that it ends until there is `go`."""
    held = lock("serving")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        write_state(STATE, listener.getsockname()[1])
        report("ready\n")
        wait_for("end")
        tell(held, "ending")
        STATE.unlink()
    wait_for("go")


def says_nothing_of_itself() -> None:
    """Hold the lock as daemons did before there were phases, and have no state."""
    held = lock("")
    os.ftruncate(held, 0)
    os.pwrite(held, str(os.getpid()).encode(), 0)
    report("ready\n")
    wait_for("go")


def finds_another() -> None:
    """Find, the first time, that another daemon is there, which is gone when it is looked for."""
    if (STATE.parent / "found").exists():
        serve()
    (STATE.parent / "found").touch()
    report("taken\n")


def ready_and_gone() -> None:
    """Be ready and end before the client can look, the first two times."""
    if (STATE.parent / "children").read_text().count("\n") > 2:
        serve()
    report("ready\n")


def steps() -> None:
    """Take three steps, each as long as the test wants, then serve."""
    for number in range(3):
        wait_for(f"go{number}")
        os.write(int(os.environ["BROWSE_READY_FD"]), b"step\n")
    wait_for("go3")
    serve()


def dies_when_asked() -> None:
    """Take one request and end without a word."""
    lock()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        write_state(STATE, listener.getsockname()[1])
        report("ready\n")
        peer, _ = listener.accept()
        read_request(peer)
        os._exit(9)


def dies_when_asked_to_stop() -> None:
    """Serve one command, then end without a word at the next, and leave the state behind."""
    lock()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        write_state(STATE, listener.getsockname()[1])
        report("ready\n")
        peer, _ = listener.accept()
        with peer:
            read_request(peer)
            peer.sendall(FRAMES_HEAD + frames(b"ok\n"))
        peer, _ = listener.accept()
        read_request(peer)
        os._exit(9)


def stops_when_asked() -> None:
    """Serve one command, answer the next with "I am stopping" and go."""
    lock()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        write_state(STATE, listener.getsockname()[1])
        report("ready\n")
        for reply in (FRAMES_HEAD + frames(b"ok\n"), STOPPING):
            peer, _ = listener.accept()
            with peer:
                read_request(peer)
                peer.sendall(reply)


MANNERS = {
    manner.__name__: manner
    for manner in (
        serve, dies, dies_when_asked, dies_when_asked_to_stop, stops_when_asked,
        reports_error, never_ready, deaf_to_term, old_version, loses_state, facts, slow,
        starts_slowly, ends_slowly, says_nothing_of_itself, finds_another, ready_and_gone, steps,
    )
}  # fmt: skip

if __name__ == "__main__":
    signal.alarm(LIFE_SECONDS)  # whatever a test forgets, it does not stay
    with (STATE.parent / "children").open("a") as record:
        record.write(f"{os.getpid()}\n")
    MANNERS[sys.argv[1]]()
