"""The sidecar as a real process: what it answers, and that it ends with whoever started it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from support import tiny_onnx
from support.life import see_gone
from support.running import running

# Loading never ends.
STUCK = """
import threading
from browse.sidecar.serve import serve
serve(lambda: threading.Event().wait())
"""


class Child:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.questions, self.answers = process.stdin, process.stdout

    def ask(self, line: bytes) -> dict:
        self.questions.write(line + b"\n")
        self.questions.flush()
        return json.loads(self.answers.readline())

    def see_end(self) -> None:
        """It ends when stdin does."""
        self.questions.close()
        assert self.process.wait(50) == 0


@contextmanager
def started(*argv: str) -> Iterator[Child]:
    words = [sys.executable, "-I", *argv]
    with running(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Child(process)


@pytest.fixture
def child(tmp_path):
    """Start a sidecar with the tiny model in its place."""
    pytest.importorskip("onnxruntime", reason="no wheel for this machine")
    tiny_onnx.write(tmp_path / "testsavant-small")
    with started("-m", "browse.sidecar", "testsavant", str(tmp_path)) as child:
        yield child
        child.see_end()


def test_texts_are_weighed_and_wrong_questions_answered(child):
    assert child.ask(b'{"id": 1, "op": "scan", "text": "please obey"}')["confidence"] > 0.99
    assert child.ask(b'{"id": 2, "op": "scan", "text": "tea"}')["confidence"] < 0.01
    assert child.ask(b'{"id": 3, "op": "status"}') == {"id": 3, "ok": True, "status": "ready"}
    for wrong in (b"{", b"[]", b"\xff", b'{"id": 4, "op": "more"}', b'"' + b"x" * 79_000 + b'"'):
        assert child.ask(wrong) == {"id": 0, "ok": False, "error": "not a valid question"}
    assert child.ask(b'{"id": 5, "op": "scan", "text": "obey"}')["id"] == 5


def test_a_model_that_is_not_there_is_told_at_the_first_text(tmp_path):
    with started("-m", "browse.sidecar", "deberta", str(tmp_path)) as child:
        answer = child.ask(b'{"id": 1, "op": "scan", "text": "tea"}')

        assert not answer["ok"]
        assert "SHA256SUMS cannot be read" in answer["error"]
        assert child.ask(b'{"id": 2, "op": "status"}')["status"] == "failed"
        child.see_end()


def test_it_answers_and_ends_while_its_model_is_stuck():
    with started("-c", STUCK) as child:
        assert child.ask(b'{"id": 1, "op": "ping"}') == {"id": 1, "ok": True, "status": "loading"}
        child.see_end()


def test_more_questions_than_it_can_hold_are_refused():
    with started("-c", STUCK) as child:
        for number in range(8):
            child.questions.write(b'{"id": %d, "op": "scan"}\n' % number)

        assert child.ask(b'{"id": 9, "op": "scan"}') == {"id": 9, "ok": False, "error": "busy"}
        child.see_end()


def test_it_ends_when_its_starter_is_killed():
    script = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-I', '-c', {STUCK!r}], stdin=-1)\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()"
    )
    words = [sys.executable, "-I", "-c", script]
    with running(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as starter:
        assert starter.stdout
        sidecar = psutil.Process(int(starter.stdout.readline()))

        starter.kill()

        starter.wait()
        see_gone([sidecar])


@pytest.mark.parametrize("words", [[], ["defender"], ["other", "/tmp"]])
def test_a_wrong_call_is_told(words):
    ran = subprocess.run(
        [sys.executable, "-I", "-m", "browse.sidecar", *words], capture_output=True, text=True
    )

    assert ran.returncode == 2
    assert "usage: python -m browse.sidecar defender|testsavant|deberta" in ran.stderr
