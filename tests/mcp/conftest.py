"""A host that has started `browse mcp`."""

import pytest

from support.mcp_host import Host


@pytest.fixture
def host(tmp_path):
    (tmp_path / ".git").mkdir()
    made = Host(tmp_path)
    yield made
    made.close()
