"""The judge is a real child process here: one that behaves, and ones that do not."""

import asyncio
import json
import shlex
import sys
from pathlib import Path

import psutil
import pytest

from browse.security.combine import Label, Layer, Signal
from browse.security.judge import Judge
from support.cli import until
from support.life import see_gone
from support.running import running

DOUBT = [Signal(Layer.WORDS, 0.5)]


@pytest.fixture
def judge(tmp_path: Path):
    """Make a judge of a Python script."""

    def make(script: str, *, limit_s: float = 20.0) -> Judge:
        file = tmp_path / "judge.py"
        file.write_text(f"import json, sys\n{script}\n")
        return Judge([sys.executable, "-I", str(file)], limit_s=limit_s)

    return make


async def test_its_answer_is_a_signal(judge):
    asked = judge("print(json.dumps({'verdict': 'block', 'confidence': 0.9, 'reason': 'x'}))")

    said = await asked.ask("words", source="https://a.example", signals=DOUBT)

    assert said == Signal(Layer.JUDGE, 0.9, Label.BLOCK)


async def test_it_is_told_the_text_the_source_and_the_signals(judge, tmp_path):
    note = tmp_path / "asked.json"
    asked = judge(
        f"open({str(note)!r}, 'w').write(sys.stdin.read())\n"
        'print(\'{"verdict": "safe", "confidence": 1}\')'
    )

    await asked.ask("some words\ud800", source="https://a.example", signals=DOUBT)

    assert json.loads(note.read_text()) == {
        "text": "some words\ufffd",
        "source": "https://a.example",
        "signals": [{"layer": "words", "confidence": 0.5}],
    }


async def test_it_is_not_asked_without_a_doubt(judge, tmp_path):
    note = tmp_path / "asked"
    asked = judge(f"open({str(note)!r}, 'w')")

    said = await asked.ask("words", source="x", signals=[Signal(Layer.WORDS, 0.39)])

    assert said is None
    assert not note.exists()


async def test_without_a_command_there_is_no_judge():
    assert await Judge(()).ask("words", source="x", signals=DOUBT) is None


@pytest.mark.parametrize(
    "script",
    [
        "print('perhaps')",
        "print(json.dumps({'verdict': 'fine', 'confidence': 1}))",
        "print(json.dumps({'verdict': 'block', 'confidence': 2}))",
        "print(json.dumps({'verdict': 'block'}))",
        "sys.stdout.buffer.write(b'\\xff\\xfe')",
        "sys.stdout.write('x' * 1_000_000)",
        "sys.exit(3)",
        "import os; os.kill(os.getpid(), 9)",
    ],
)
async def test_garbage_and_death_are_no_vote_and_one_warning(judge, caplog, script):
    asked = judge(script)

    said = [await asked.ask("the page's words", source="x", signals=DOUBT) for _ in range(2)]

    assert said == [None, None]
    assert len(caplog.records) == 1
    assert "the page's words" not in caplog.text


async def test_a_command_that_does_not_exist_is_no_vote(caplog):
    said = await Judge(["/nowhere/judge"]).ask("words", source="x", signals=DOUBT)

    assert said is None
    assert "has no say" in caplog.text


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_one_that_hangs_is_ended_with_all_that_it_started(tmp_path, caplog):
    note = tmp_path / "pid"
    script = f"sleep 600 & echo $! > {shlex.quote(str(note))}; wait"
    asked = Judge(["sh", "-c", script], limit_s=3.0)

    said = await asked.ask("words", source="x", signals=DOUBT)

    assert said is None
    assert "no answer within 3 s" in caplog.text
    until(lambda: not is_running(int(note.read_text())))


async def test_a_question_that_nobody_reads_does_no_harm(judge):
    asked = judge('sys.stdin.close(); print(\'{"verdict": "warn", "confidence": 0.7}\')')

    said = await asked.ask("long " * 100_000, source="x", signals=DOUBT)

    assert said == Signal(Layer.JUDGE, 0.7, Label.WARN)


async def test_two_questions_at_once(judge):
    asked = judge('print(\'{"verdict": "warn", "confidence": 0.7}\')')

    both = await asyncio.gather(*(asked.ask("words", source="x", signals=DOUBT) for _ in range(2)))

    assert [said.label for said in both if said] == [Label.WARN, Label.WARN]


async def test_one_that_is_not_there_is_told_with_the_reason(tmp_path, caplog):
    asked = Judge([str(tmp_path / "none")])

    assert await asked.ask("words", source="x", signals=DOUBT) is None
    assert "it could not be started: No such file or directory" in caplog.text


async def test_it_does_not_see_the_daemons_token(judge, monkeypatch):
    monkeypatch.setenv("AUTH_TOKEN", "0123456789abcdef")
    asked = judge(
        "import os\n"
        "verdict = 'block' if 'AUTH_TOKEN' in os.environ else 'safe'\n"
        "print(json.dumps({'verdict': verdict, 'confidence': 1}))"
    )

    assert await asked.ask("words", source="x", signals=DOUBT) == Signal(
        Layer.JUDGE, 1.0, Label.SAFE
    )


DAEMON = """
import asyncio, sys
from browse.security.combine import Layer, Signal
from browse.security.judge import Judge
asyncio.run(Judge(sys.argv[1:]).ask("words", source="x", signals=[Signal(Layer.WORDS, 0.5)]))
"""


def test_one_that_hangs_ends_when_the_daemon_is_killed(tmp_path):
    note = tmp_path / "pid"
    script = tmp_path / "judge.py"
    script.write_text(
        "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}}\\n')\nsignal.pause()\n"
    )
    with running([sys.executable, "-c", DAEMON, sys.executable, "-I", str(script)]) as daemon:
        until(lambda: note.exists() and note.read_text().endswith("\n"), what="the judge")
        hanging = psutil.Process(int(note.read_text()))
        daemon.kill()

        daemon.wait()

    see_gone([hanging])
