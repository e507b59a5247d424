"""`confirm`, `skill trust`, `automate begin --pin`, `login add`: questions at a terminal.

The question is asked on the controlling terminal itself, whatever stdin and stdout are, so that a
program that only runs commands cannot answer it.
"""

import os

from browse import _exit
from browse.client import main, wire

MAX_ANSWER_BYTES = 1024


def answer(words: list[str]) -> int:
    """Ask the person, and send the words with the answer."""
    terminal = _terminal(" ".join(words))
    try:
        if words[0] == "automate":
            code, typed = 0, _chosen(terminal)
        elif words[0] == "login":
            code, typed = 0, _secrets(terminal)
        else:
            code = _show(terminal, words)
            typed = b"" if code else _ask(terminal, b"> ").strip()
    finally:
        os.close(terminal)
    if code:
        return code
    if not typed:
        raise wire.Failure(_exit.REFUSED, "Nothing was typed, so nothing was done.")
    return main.online(words[0], words, typed)


def _terminal(command: str) -> int:
    try:
        return os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError as exc:
        raise wire.Failure(
            _exit.REFUSED,
            "This asks a person, and there is no terminal here to ask one at.",
            f"The person types it in a terminal of their own: browse {command}",
        ) from exc


def _show(terminal: int, words: list[str]) -> int:
    """Ask the daemon to describe what is asked, on the terminal and not on our stdout."""
    plain = [word for word in words if word != "--json"]
    kept = os.dup(wire.STDOUT)
    os.dup2(terminal, wire.STDOUT)
    try:
        return main.online(words[0], [*plain, "--show"])
    finally:
        os.dup2(kept, wire.STDOUT)
        os.close(kept)


def _chosen(terminal: int) -> bytes:
    first = _ask(terminal, b"A PIN for this automation: ").strip()
    if first and first != _ask(terminal, b"Once more: ").strip():
        raise wire.Failure(_exit.USAGE, "The two are not the same; nothing was done.")
    return first


def _secrets(terminal: int) -> bytes:
    """Ask for what nobody else shall read: it goes to the daemon as stdin."""
    password = _ask(terminal, b"Password (empty for none): ")
    seed = _ask(terminal, b"Seed of its one-time codes (empty for none): ").strip()
    return password + b"\n" + seed + b"\n" if password or seed else b""


def _ask(terminal: int, prompt: bytes) -> bytes:
    """Read a line without echo."""
    import termios  # only a question to a person comes here

    before = termios.tcgetattr(terminal)
    silent = list(before)
    silent[3] &= ~termios.ECHO
    # Input typed before the question was shown does not count as an answer.
    termios.tcsetattr(terminal, termios.TCSAFLUSH, silent)
    try:
        wire.write_all(terminal, prompt)
        typed = os.read(terminal, MAX_ANSWER_BYTES)
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
        wire.write_all(terminal, b"\n")
    return typed.strip(b"\r\n")
