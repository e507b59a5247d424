"""Skills that tests write."""

import json
from pathlib import Path

from browse.core.paths import Paths
from browse.skills.contents import digest
from browse.skills.installed import Skill, Tier, read_skill
from browse.skills.template import SDK
from browse.skills.trust import SkillDecisions

HEAD = '---\nhost: "*"\n---\n'
ASKS_FOR_TRUST = '---\nhost: "*"\ntrusted: true\n---\n'
SAYS_HELLO = 'print(\'{"hello": "world"}\')'


def write_skill(
    root: Path, name: str, script: str = SAYS_HELLO, *, head: str = HEAD, sdk: bool = False
) -> Path:
    """Write a skill into a tier's folder."""
    folder = root / name
    (folder / "_lib").mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(head.encode())
    (folder / "script.py").write_text(script)
    if sdk:
        (folder / "_lib" / "browse_client.py").write_bytes(SDK.read_bytes())
    return folder


def a_skill(root: Path, script: str, *, head: str = HEAD, name: str = "some-skill") -> Skill:
    """Write a skill and read it back."""
    return read_skill(write_skill(root, name, script, head=head), Tier.GLOBAL)


def trust_skill(home: Path, folder: Path) -> None:
    """Trust a skill, as the person with this home does at a terminal."""
    skill = read_skill(folder, Tier.PROJECT)
    SkillDecisions(home / ".gstack" / "security" / "skills").trust(skill, digest(skill))


def paths_in(folder: Path) -> Paths:
    """Make a project and a home in a folder."""
    return Paths(folder / "project" / ".gstack" / "browse.json", folder / "home" / ".gstack")


def attempts(**tries: str) -> str:
    """Write a script that tries expressions and prints what came of each: `ok`, or the error."""
    return f"""
import json, os, socket, sys
found = {{}}
for name, code in json.loads({json.dumps(json.dumps(tries))}).items():
    try:
        eval(code)
        found[name] = "ok"
    except Exception as exc:
        found[name] = type(exc).__name__
print(json.dumps(found))
"""
