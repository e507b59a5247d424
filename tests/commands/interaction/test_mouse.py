"""How long scrolling may take, and how its distance is written."""

import pytest

from browse.commands.interaction.mouse import scroll
from browse.core.errors import Usage
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared


def bound(*words: str) -> Bound:
    (spec,) = [spec for spec in declared() if spec.handler is scroll]
    return bind(spec, words, Surroundings("/nowhere", Roots.of("/nowhere")))


@pytest.mark.parametrize(
    ("typed", "by"),
    [("0,600", (0, 600)), ("-200,0", (-200, 0)), ("300", (0, 300)), (" 1 , -2 ", (1, -2))],
)
def test_distance_is_right_and_down(typed, by):
    assert bound("--by", typed).values["by"] == by


@pytest.mark.parametrize("typed", ["", "far", "1,2,3", "1.5", "9999999", "٣,٤", ","])
def test_what_is_no_distance_is_refused(typed):
    with pytest.raises(Usage, match="not a distance"):
        bound(f"--by={typed}")


def test_the_deadline_grows_with_what_was_asked_for():
    once = bound().deadline_s() or 0
    often = bound("--times", "20", "--wait", "3000").deadline_s() or 0

    assert often >= once + 19 * 3
