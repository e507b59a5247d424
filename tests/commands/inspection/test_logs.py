"""Which flags of `network` go together."""

import pytest

from browse.core.errors import Code
from support.fakes import a_runner, run


@pytest.mark.parametrize(
    "words",
    [
        ["--clear", "--bodies"],
        ["--capture", "stop", "--filter", "api"],
        ["--stop", "--export", "x.jsonl"],
    ],
)
async def test_flags_that_do_not_go_together(words):
    _, error = await run(a_runner(), "network", *words)

    assert error
    assert error.code is Code.USAGE
    assert "do not go together" in error.message


async def test_a_filter_must_be_a_regular_expression():
    said, error = await run(a_runner(), "network", "--capture", "--filter", "(")

    assert error
    assert "--filter: not a regular expression" in said


async def test_a_capture_is_begun_once_and_ended_once():
    runner = a_runner()

    said = [
        (await run(runner, "network", *words))[0]
        for words in (
            ["--capture", "--filter", "api"],
            ["--capture"],
            ["--capture", "stop"],
            ["--stop"],
            ["--bodies"],
        )
    ]

    assert said[0] == "Network capture started (filter: api). Use --capture stop to stop."
    assert said[1].startswith("Capture already active. Use --capture stop first.")
    assert said[2] == "Network capture stopped. 0 responses captured (0 KB)."
    assert said[3].startswith("network: no capture is active")
    assert said[4] == "No captured responses."
