"""The grammar of `har`; that it records and replays is shown end to end."""

import pytest

from browse.core.errors import Code
from support.fakes import a_runner, run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["record"], "har record: no file is named"),
        (["replay"], "har replay: no file is named"),
        (["play", "x.har"], "'play' is not one of: record, replay, stop"),
        (["record", "x.har", "--strict"], "go with replay only"),
        (["replay", "x.har", "--with-secrets"], "goes with record only"),
        (["replay", "x.har", "--strict", "--fallback"], "exclude each other"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
async def test_words_that_make_no_sense_are_refused(words, told):
    said, error = await run(a_runner(), "har", *words)

    assert error
    assert error.code is Code.USAGE
    assert told in said
