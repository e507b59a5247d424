"""The grammar of `wait`; that it waits is shown end to end."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared
from browse.registry.table import Table
from support.fakes import a_runner, run

PLACE = Surroundings("/tmp", Roots.of("/tmp"))
WAIT = Table(declared()).find("wait")


def bound(*words: str) -> Bound:
    return bind(WAIT, words, PLACE)


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ([], 20),
        (["#x"], 20),
        (["500"], 5.5),
        (["#x", "1000"], 6),
        (["--networkidle", "5000"], 10),
        (["#x", "1000", "--timeout", "2000"], 7),
        (["300000"], 305),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_the_command_may_take_as_long_as_it_was_told_to_wait(words, seconds):
    assert bound(*words).deadline_s() == seconds


@pytest.mark.parametrize("word", ["", "  ", "300001", "9" * 50])
def test_a_target_that_is_neither_a_selector_nor_a_time_is_refused(word):
    with pytest.raises(BrowseError) as caught:
        bound(word)

    assert caught.value.code is Code.USAGE


async def test_time_is_let_pass():
    assert (await run(a_runner(), "wait", "1"))[0] == "Waited 1 ms"


async def test_nothing_to_wait_for_is_a_usage_error_that_asks_no_page():
    _, error = await run(a_runner(), "wait")

    assert error
    assert error.code is Code.USAGE
