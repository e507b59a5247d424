"""Sub-commands: the grammar that callers rely on, and what must be true of every family."""

import pytest

from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import Surroundings
from browse.registry.shared_flags import shared_flags
from browse.registry.spec import Family, declared, families
from browse.registry.table import CommandTable

FAMILIES = families(declared())
TABLE = CommandTable(declared())
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("skill", "skill list"),
        ("domain-skill", "domain-skill list"),
        ("tunnel --json", "tunnel status"),
        ("automate --json", "automate status"),
        ("session", "session list"),
        ("har", "har status"),
        ("trace", "trace status"),
        ("video", "video status"),
        ("emulate", "emulate list"),
        ("storage --session-storage", "storage list"),
        ("storage --session-storage get theme", "storage get"),
        ("domain-skill --host a.example save", "domain-skill save"),
        ("domain-skill --host rm show", "domain-skill show"),
        ("domain-skill remove a.example --global", "domain-skill rm"),
        ("domain-skill delete a.example", "domain-skill rm"),
        ("skill --timeout 90s run price-list", "skill run"),
        ("skill run price-list -- run --fast", "skill run"),
        ("skill --tab-id 2 --from 4 record price-list --stage", "skill record"),
        ("automate --pin begin", "automate begin"),
        ("mouse --button right down", "mouse down"),
        ("mouse move -5 10", "mouse move"),
        ("mouse wheel 0,400", "mouse wheel"),
        ("emulate device iPhone 15", "emulate device"),
        ("emulate geo -33.8,151.2", "emulate geo"),
        ("video --size 1280x720 start", "video start"),
        ("state list", "state list"),
    ],
)
def test_words_that_were_taken_before_are_taken(typed: str, name: str):
    spec, rest = TABLE.split(typed.split())

    assert bind(spec, rest, Surroundings("/nowhere", Roots.of("/nowhere"))).spec.name == name


@every_family
def test_the_default_of_a_family_is_one_of_it(family: Family):
    words = [spec.words[0] for spec in FAMILIES[family]]

    assert family.default in ("", *words)


@every_family
def test_the_summary_of_a_family_is_a_sentence(family: Family):
    assert family.summary.endswith(".")
    assert family.summary[0].isupper()


@every_family
def test_a_flag_takes_a_value_in_all_of_a_family_or_in_none(family: Family):
    """Else the word that names a sub-command could not be found among flags."""
    args = [arg for spec in FAMILIES[family] for arg in (*spec.flags, *shared_flags(spec))]

    switches = {arg.spelled for arg in args if arg.switch}
    assert switches & {arg.spelled for arg in args if not arg.switch} == set()
