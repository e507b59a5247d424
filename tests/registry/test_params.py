"""Parameter types."""

import typing

import pytest

from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.registry.params import Millis, Param, ReadFile, Selector, TabId, Url, WriteFile, whole


def param(hint: object) -> Param:
    return next(item for item in typing.get_args(hint) if isinstance(item, Param))


@pytest.mark.parametrize(("raw", "value"), [("0", 0), ("10", 10), (" 7 ", 7)])
def test_whole_numbers_within_bounds_are_taken(place, raw, value):
    assert whole(0, 10).parse(raw, place) == value


@pytest.mark.parametrize(
    "raw", ["", "-1", "11", "1.0", "1e1", "0x1", "٣", "²", "1_0", "+1", "9" * 5000, "one", "1 2"]
)
def test_anything_else_is_not_a_whole_number(place, raw):
    with pytest.raises(Usage, match="is not a whole number from 0 to 10 apples"):
        whole(0, 10, " apples").parse(raw, place)


@pytest.mark.parametrize(
    ("hint", "raw"),
    [(TabId, "0"), (TabId, "-1"), (Millis, "300001"), (Selector, ""), (Selector, " \n")],
)
def test_a_value_outside_its_type_is_refused(place, hint, raw):
    with pytest.raises(Usage):
        param(hint).parse(raw, place)


def test_a_file_to_write_demands_more_than_one_to_read(place):
    assert (param(WriteFile).scopes, param(WriteFile).local_only) == (Scope.WRITE, True)
    assert not param(ReadFile).scopes
    assert not param(ReadFile).local_only


async def test_the_host_of_an_address_is_resolved_when_it_is_admitted(place):
    asked = []

    async def resolve(host: str) -> list[str]:
        asked.append(host)
        return ["169.254.169.254"]

    rule = param(Url)
    url = rule.parse("http://rebound.example/", place)
    before = list(asked)
    assert rule.admit

    with pytest.raises(BrowseError):
        await rule.admit(url, type(place)(place.cwd, place.roots, resolve))

    assert (before, asked) == ([], ["rebound.example"])
