"""Which script a caller ran last, how many run at once, and what they tell at their end."""

import json

import pytest

from browse.core.errors import BrowseError
from browse.skills import script_runs
from browse.skills.process import Ended
from browse.skills.script_runs import LastScript, ScriptError, ScriptRuns


def test_the_last_script_of_each_caller_is_kept():
    runs = ScriptRuns()
    for number in range(script_runs.MAX_KEPT + 1):
        runs.keep(f"agent-{number}", LastScript(str(number), {}, ""))
    runs.keep("agent-7", LastScript("newer", {}, ""))

    assert runs.last("agent-7").source == "newer"
    with pytest.raises(BrowseError, match="no script without an error"):
        runs.last("agent-0")


def test_only_so_many_scripts_of_a_caller_run_at_once():
    runs = ScriptRuns()
    held = [runs.one_more("ada") for _ in range(script_runs.MAX_AT_ONCE)]
    for each in held:
        each.__enter__()

    with pytest.raises(BrowseError, match="run already"), runs.one_more("ada"):
        pass
    with runs.one_more("grace"):
        pass
    held[0].__exit__(None, None, None)
    with runs.one_more("ada"):
        pass


@pytest.mark.parametrize(
    "output",
    [
        b"", b"[]", b'{"result": 1}x', b'{"exit": "x"}', b'{"exit": -5}', b'{"exit": 256}', b"\xff",
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_word_of_the_runner_is_none(output):
    assert script_runs.told(Ended(output=bytearray(output))) is None


def test_an_error_is_shown_with_its_line():
    error = {"line": 3, "text": "x()", "what": "No.", "hint": "look", "detail": "words", "code": ""}
    told = script_runs.told(Ended(output=bytearray(json.dumps({"error": error}).encode())))

    assert told
    assert told.error
    assert told.error.page == "line 3: x()\nNo.\nwords\n(look)"


@pytest.mark.parametrize(("code", "cause"), [("ref-stale", "ref-stale"), ("obey me", ""), ("", "")])
def test_only_a_code_of_ours_is_told_as_the_cause(code, cause):
    assert ScriptError(3, "x()", "No.", code).cause == cause
