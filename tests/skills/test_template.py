import subprocess
import sys

import pytest

from browse.skills import run_tests, staging, template
from browse.skills.installed import Tier, read_skill
from support.skills import paths_in


@pytest.mark.parametrize(
    ("host", "start"),
    [
        ("shop.example.com", "https://shop.example.com/"),
        ("*", "about:blank"),
        ("*.a.example", "about:blank"),
    ],
)
def test_a_new_skill_is_whole_and_its_tests_pass(tmp_path, host, start):
    staged = staging.stage(paths_in(tmp_path), "price-list", template.files("price-list", host))

    skill = read_skill(staged, Tier.GLOBAL)
    assert (skill.about.name, skill.about.host) == ("price-list", host)
    assert skill.about.args[0].default == start
    assert not skill.about.trusted
    assert not any(b"@@" in path.read_bytes() for path in staged.rglob("*.*") if path.is_file())
    ran = subprocess.run(
        [sys.executable, "-I", run_tests.__file__, str(staged)], capture_output=True, text=True
    )
    assert ran.stdout == '{"passed": 2, "failed": 0}\n', ran.stderr
