"""Parameter types."""

import typing

import pytest
from msgspec.structs import replace

from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.guard.blocklist import Blocklist
from browse.guard.files import Roots
from browse.guard.sites import Sites
from browse.registry.params import (
    Condition,
    Millis,
    Param,
    ReadFile,
    Selector,
    TabId,
    Url,
    WriteFile,
    whole,
)


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
    [
        *((TabId, "0"), (TabId, "-1"), (Millis, "300001"), (Selector, ""), (Selector, " \n")),
        *((Condition, raw) for raw in ("", " ", "text=", "url=", "gone= ")),
    ],
)
def test_a_value_outside_its_type_is_refused(place, hint, raw):
    with pytest.raises(Usage):
        param(hint).parse(raw, place)


@pytest.mark.parametrize("raw", ["text=Saved", "url=/done", "gone=#x", "#x", "a=", "gone"])
def test_a_condition_is_taken_as_it_is(place, raw):
    assert param(Condition).parse(raw, place) == raw


def test_a_file_to_write_demands_more_than_one_to_read(place):
    assert (param(WriteFile).scopes, param(WriteFile).local_only) == (Scope.WRITE, True)
    assert not param(ReadFile).scopes
    assert not param(ReadFile).local_only


@pytest.mark.parametrize("caller", ["owner", "skill", "tunnel"])
@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("http://169.254.169.254/", Code.URL_REFUSED),
        ("javascript:alert(1)", Code.URL_REFUSED),
        ("http://elsewhere.test/", Code.URL_REFUSED),
        ("http://evil.ok.test/", Code.URL_REFUSED),
        ("file:///etc/passwd", Code.PATH_REFUSED),
    ],
)
async def test_the_rules_hold_for_every_caller(place, tmp_path, caller, raw, code):
    """A skill has folders of its own; who comes through the tunnel has none."""
    roots = {"owner": place.roots, "skill": Roots.of(str(tmp_path)), "tunnel": Roots(())}[caller]
    (tmp_path / "blocklist.txt").write_text("evil.ok.test")
    sites = Sites(("*.ok.test", "169.254.169.254"), Blocklist(tmp_path / "blocklist.txt"), "block")
    env = replace(place, roots=roots, sites=sites, remote=caller == "tunnel")
    rule = param(Url)
    assert rule.admit

    with pytest.raises(BrowseError) as refused:
        await rule.admit(rule.parse(raw, env), env)

    assert refused.value.code is code


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
