"""Without Dask: a clear answer, and nothing else needs it."""

import subprocess
import sys

import pytest

from browse.core.errors import BrowseError
from browse.fleet import extra


def test_a_missing_extra_is_told_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda _: None)

    with pytest.raises(BrowseError, match="Dask distributed is not installed") as refused:
        extra.require()

    assert "pip install 'gstack-browse[fleet]'" in refused.value.hint


def test_nothing_of_dask_is_loaded_by_the_declarations_or_by_a_daemon():
    script = """
import sys
import browse.commands, browse.daemon.build, browse.fleet.commands, browse.fleet.running
from browse.registry.spec import declared
declared()
print([name for name in sys.modules if name in ("dask", "distributed", "tornado")])
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"
