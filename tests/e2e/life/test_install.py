"""`browse install --skills` through the real client, in a home in which nothing is."""

import json

import pytest

pytestmark = pytest.mark.e2e


def test_skills_are_installed_in_a_clean_home_without_browser_or_daemon(project):
    project.env["GSTACK_CHROMIUM_PATH"] = "/nowhere/chrome"

    home = project.ok("install", "--skills")
    again = project.ok("install", "--skills", "--project", "--host", "codex", "--json").json

    assert home.out.startswith(f"claude ({project.env['HOME']}/.claude/skills): 7 installed")
    assert {row["state"] for row in again["skills"]} == {"installed"}
    assert (
        (project.root / ".agents/skills/automate/SKILL.md").read_text().startswith("---\nname: a")
    )
    assert not project.state_file.exists()
    left = project.ok("install", "--skills", "--remove", "--json")
    assert json.loads(left.out)["ok"] is True
    assert not list((project.root.parent / "home/.claude/skills").iterdir())
