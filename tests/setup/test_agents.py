"""The skills for agents: put where they are looked for, replaced only where they are ours."""

from pathlib import Path

import pytest

from browse.core.errors import BrowseError, Code
from browse.setup import agents

NAMES = [name for name, _ in agents.skills()]


def states(rows: list[agents.SkillInstall]) -> set[str]:
    return {row.state for row in rows}


def test_there_are_the_skills_that_were_promised():
    assert NAMES == [
        "automate",
        "browse",
        "connect-chrome",
        "pair-agent",
        "scrape",
        "setup-browser-cookies",
        "skillify",
    ]


def test_they_are_installed_once_and_then_current(tmp_path: Path):
    first = agents.install("claude", tmp_path / "skills", force=False)

    assert states(first) == {"installed"}
    assert states(agents.install("claude", tmp_path / "skills", force=False)) == {"current"}
    text = (tmp_path / "skills/scrape/SKILL.md").read_bytes()
    assert text.startswith(b"---\nname: scrape\n")
    assert agents.is_ours(text)


def test_an_older_one_of_ours_is_replaced(tmp_path: Path):
    path = tmp_path / "scrape/SKILL.md"
    path.parent.mkdir()
    path.write_bytes(agents.marked(b"what an older version said\n"))

    rows = {row.name: row.state for row in agents.install("claude", tmp_path, force=False)}

    assert rows["scrape"] == "updated"
    assert b"older version" not in path.read_bytes()


@pytest.mark.parametrize("change", [b"my own words", b"\nand a line of mine"])
def test_one_that_a_person_changed_or_wrote_is_left_alone(tmp_path: Path, change: bytes):
    agents.install("claude", tmp_path, force=False)
    path = tmp_path / "scrape/SKILL.md"
    mine = change if change == b"my own words" else path.read_bytes() + change
    path.write_bytes(mine)

    rows = agents.install("claude", tmp_path, force=False)
    kept = agents.remove("claude", tmp_path, force=False)

    assert [row.name for row in rows if row.state == "changed"] == ["scrape"]
    assert [row.name for row in kept if row.state == "changed"] == ["scrape"]
    assert path.read_bytes() == mine
    assert f"left alone, it was changed: {path}" in "\n".join(
        agents.report_lines("claude", path, rows)
    )
    assert states(agents.install("claude", tmp_path, force=True)) == {"installed", "updated"}
    assert agents.is_ours(path.read_bytes())


def test_a_text_changed_above_our_line_is_not_ours():
    assert not agents.is_ours(agents.marked(b"one\n").replace(b"one", b"two"))
    assert not agents.is_ours(b"")


@pytest.mark.parametrize("linked", ["scrape", "scrape/SKILL.md"])
@pytest.mark.parametrize("force", [False, True])
def test_a_link_is_never_followed(tmp_path: Path, linked: str, force: bool):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "scrape").mkdir(parents=True)
    (elsewhere / "scrape/SKILL.md").write_text("theirs")
    place = tmp_path / "skills" / linked
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere / linked)

    rows = {it.name: it.state for it in agents.install("claude", tmp_path / "skills", force=force)}
    gone = {it.name: it.state for it in agents.remove("claude", tmp_path / "skills", force=force)}

    assert rows["scrape"] == gone["scrape"] == "link"
    assert (elsewhere / "scrape/SKILL.md").read_text() == "theirs"


def test_they_are_removed_with_their_folders_and_nothing_else(tmp_path: Path):
    agents.install("claude", tmp_path, force=False)
    (tmp_path / "scrape/notes.txt").write_text("mine")

    assert states(agents.remove("claude", tmp_path, force=False)) == {"removed"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scrape"]
    assert [path.name for path in (tmp_path / "scrape").iterdir()] == ["notes.txt"]
    assert states(agents.remove("claude", tmp_path, force=False)) == {"absent"}


def test_without_a_name_those_hosts_are_meant_that_are_used_here(tmp_path: Path):
    assert agents.chosen([], tmp_path) == ["claude"]
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".config/opencode").mkdir(parents=True)
    assert agents.chosen([], tmp_path) == ["codex", "opencode"]
    (tmp_path / ".codex").rmdir()
    (tmp_path / ".agents/skills").mkdir(parents=True)
    assert agents.chosen([], tmp_path) == ["codex", "opencode"]
    assert agents.chosen(["gemini", "gemini"], tmp_path) == ["gemini"]
    assert agents.chosen(["all", "claude"], tmp_path) == list(agents.HOSTS)


def test_each_host_has_its_places(tmp_path: Path):
    places = {
        name: (
            agents.folder(name, tmp_path, project=False).relative_to(tmp_path).as_posix(),
            agents.folder(name, tmp_path, project=True).relative_to(tmp_path).as_posix(),
        )
        for name in agents.HOSTS
    }

    assert places == {
        "claude": (".claude/skills", ".claude/skills"),
        "codex": (".agents/skills", ".agents/skills"),
        "cursor": (".cursor/skills", ".cursor/skills"),
        "opencode": (".config/opencode/skills", ".opencode/skills"),
        "gemini": (".gemini/skills", ".gemini/skills"),
    }


def test_a_project_is_found_upwards_or_there_is_none(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "a/b").mkdir(parents=True)

    assert agents.project_here(tmp_path / "a/b") == tmp_path
    with pytest.raises(BrowseError, match="no project here"):
        agents.project_here(Path("/"))


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "skills").write_text("a file where a folder should be")

    with pytest.raises(BrowseError) as caught:
        agents.install("claude", tmp_path / "skills", force=False)

    assert caught.value.code is Code.FILE_UNUSABLE
    assert str(tmp_path / "skills") in caught.value.message
