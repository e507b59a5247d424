"""What a person types to call this browse again."""

from pathlib import Path

import pytest

import browse
from browse.setup import invocation

ROOT = Path(browse.__file__).resolve().parents[2]
pytestmark = pytest.mark.issue(15)


def test_in_the_checkout_it_is_the_program_there():
    assert invocation.spelled(path="", folder=ROOT) == "./browse"


def test_elsewhere_it_is_the_shorter_way_to_it(tmp_path: Path):
    assert invocation.spelled(path="", folder=ROOT / "docs") == "../browse"
    assert invocation.spelled(path="", folder=tmp_path / "a/b/c/d/e/f/g") == f"{ROOT}/browse"


def test_where_path_leads_to_it_the_name_is_enough(tmp_path: Path):
    (tmp_path / "browse").symlink_to(ROOT / "browse")

    assert invocation.spelled(path=str(tmp_path), folder=ROOT) == "browse"
