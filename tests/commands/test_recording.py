"""The grammar of `trace` and `video`; that they record is shown end to end."""

import pytest

from browse.core.errors import Code
from support.fakes import a_runner, run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("trace stop", "trace stop: <file> is missing"),
        ("video stop", "video stop: <file> is missing"),
        ("trace start x.zip", "trace start: unexpected argument 'x.zip'"),
        ("video stop x.webm --size 99x99", "video stop: Unknown flag: --size"),
        ("video start --size 1280", "'1280' is not a size"),
        ("video start --size 15x99", "from 16x16 to 4096x4096"),
        ("video start --size 99x4097", "from 16x16 to 4096x4096"),
        ("video start --size 99999x99", "from 16x16 to 4096x4096"),
    ],
)
async def test_words_that_make_no_sense_are_refused(words, told):
    said, error = await run(a_runner(), *words.split())

    assert error
    assert error.code is Code.USAGE
    assert told in said
