"""The grammar of `har`; that it records and replays is shown end to end."""

import pytest

from browse.core.errors import Code
from support.fakes import a_runner, run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["record"], "har record: <file> is missing"),
        (["replay"], "har replay: <file> is missing"),
        (["record", "x.har", "--strict"], "har record: Unknown flag: --strict"),
        (["replay", "x.har", "--with-secrets"], "har replay: Unknown flag: --with-secrets"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
async def test_words_that_make_no_sense_are_refused(words, told):
    said, error = await run(a_runner(), "har", *words)

    assert error
    assert error.code is Code.USAGE
    assert told in said
