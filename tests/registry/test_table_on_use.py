"""Commands that are declared when they are used: the same as if all were declared at the start."""

import subprocess
import sys

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.commands._modules import MODULES
from browse.core.errors import BrowseError
from browse.registry.spec import declared
from browse.registry.table import CommandTable
from browse.registry.table_on_use import TableOnUse

LOADED = """
import sys
import browse.daemon.build
from browse.commands._modules import MODULES
from browse.registry.table_on_use import TableOnUse
TableOnUse(MODULES).split(["url"])
print(*sorted(name for name in sys.modules if name.startswith("browse.commands.")))
"""


def test_it_finds_every_command_as_the_table_of_all_does():
    on_use, whole = TableOnUse(MODULES), CommandTable(declared())

    for name in (name for spec in declared() for name in spec.names):
        words = [*name.split(), "a", "--json"]
        assert on_use.split(words) == whole.split(words), name


@pytest.mark.parametrize("words", [["gto"], ["skil"], ["get", "nothing"], ["state", "x"]])
def test_it_suggests_what_the_table_of_all_suggests(words):
    said = []
    for table in (TableOnUse(MODULES), CommandTable(declared())):
        with pytest.raises(BrowseError) as raised:
            table.split(words)
        said.append((raised.value.code, raised.value.message, raised.value.hint))

    assert said[0] == said[1]


def test_a_command_that_is_not_in_the_list_yet_is_found():
    assert TableOnUse({}).split(["goto", "a"])[0].name == "goto"


def test_a_daemon_loads_the_command_that_is_used_and_no_other():
    done = subprocess.run(
        [sys.executable, "-I", "-c", LOADED], capture_output=True, text=True, check=True
    )

    loaded = done.stdout.split()
    assert set(loaded) <= {
        "browse.commands._modules",
        "browse.commands.navigation",
        *MODULES["url"],
    }
    assert set(MODULES["url"]) <= set(loaded)
