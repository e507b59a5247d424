"""Which skills the owner trusts: by the hash of their files, and only files of the owner."""

import os
import shutil

import pytest

from browse.core.errors import BrowseError
from browse.skills import contents, running
from browse.skills.installed import Broken, InstalledSkills, Tier, read_skill
from browse.skills.trust import SkillDecisions, Trust
from support.skills import ASKS_FOR_TRUST, a_skill, paths_in, write_skill

ANOTHER_USER = 54321
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to another user")


@pytest.fixture
def decisions(tmp_path) -> SkillDecisions:
    return SkillDecisions(tmp_path / "home" / ".gstack" / "security" / "skills")


@pytest.fixture
def skill(tmp_path):
    return a_skill(tmp_path / "tier", "print(1)")


def trust(decisions, skill) -> None:
    decisions.trust(skill, contents.digest(skill))


def test_a_skills_own_file_only_asks_for_trust(tmp_path, decisions):
    skill = a_skill(tmp_path, "print(1)", head=ASKS_FOR_TRUST)

    assert decisions.trust_of(skill) is Trust.ASKED


def test_trust_is_given_once_and_taken_back(tmp_path, decisions, skill):
    assert decisions.trust_of(skill) is Trust.NONE

    trust(decisions, skill)
    assert decisions.trust_of(skill) is Trust.GIVEN
    (record,) = (tmp_path / "home" / ".gstack" / "security" / "skills").iterdir()
    assert record.stat().st_mode & 0o777 == 0o600

    assert decisions.untrust(skill)
    assert decisions.trust_of(skill) is Trust.NONE
    assert not decisions.untrust(skill)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "script.py").write_text("print(2)"),
        lambda folder: (folder / "SKILL.md").write_text('---\nhost: "*"\n---\nmore\n'),
        lambda folder: (folder / "_lib" / "json.py").write_text("evil"),
        lambda folder: (folder / "script.py").rename(folder / "other.py"),
    ],
)
def test_any_change_of_a_file_ends_trust(decisions, skill, change):
    trust(decisions, skill)

    change(skill.folder)

    assert decisions.trust_of(skill) is Trust.CHANGED
    assert decisions.untrust(skill)
    assert decisions.trust_of(skill) is Trust.NONE


def test_the_same_files_elsewhere_are_trusted(tmp_path, decisions, skill):
    trust(decisions, skill)
    copy = tmp_path / "other" / skill.name
    shutil.copytree(skill.folder, copy)

    assert decisions.trust_of(read_skill(copy, Tier.PROJECT)) is Trust.GIVEN


@needs_root
@pytest.mark.parametrize("place", ["", "SKILL.md", "script.py", "_lib"])
async def test_a_skill_of_another_user_is_neither_trusted_nor_run(decisions, skill, place):
    trust(decisions, skill)
    os.chown(skill.folder / place, ANOTHER_USER, -1)

    assert decisions.trust_of(skill) is not Trust.GIVEN
    with pytest.raises(BrowseError, match="belongs to another user"):
        await running.run(skill, (), {}, scratch=None, port=1, limit_s=9, hear=_nobody)
    with pytest.raises(BrowseError, match="belongs to another user"):
        await running.test(skill, Trust.NONE, limit_s=9, hear=_nobody)


async def _nobody(_: str) -> None:
    return


@needs_root
def test_a_folder_that_another_user_prepared_below_a_sticky_one_has_no_usable_skills(tmp_path):
    """As in /tmp/project/.gstack/browser-skills, with root at work in /tmp/project."""
    paths = paths_in(tmp_path)
    for name in ("theirs", "hackernews-frontpage"):
        write_skill(paths.project_skills, name, head=ASKS_FOR_TRUST)
    for path in (tmp_path / "project").rglob("*"):
        os.chown(path, ANOTHER_USER, -1)

    skills = InstalledSkills(paths)

    found = {each.name: each for each in skills.every() if each.tier is Tier.PROJECT}
    assert all(isinstance(each, Broken) for each in found.values())
    for name in found:
        with pytest.raises(BrowseError) as caught:
            skills.find(name)
        assert "belongs to another user" in caught.value.page


@needs_root
def test_a_folder_that_another_user_could_exchange_is_not_trusted(tmp_path, decisions, skill):
    os.chown(skill.folder.parent, ANOTHER_USER, -1)

    with pytest.raises(BrowseError, match="can be changed by another user"):
        trust(decisions, skill)


@pytest.mark.parametrize("place", ["", "script.py"])
def test_what_everyone_may_write_is_not_trusted(decisions, skill, place):
    trust(decisions, skill)
    (skill.folder / place).chmod(0o777)

    assert decisions.trust_of(skill) is not Trust.GIVEN


def test_a_folder_below_a_sticky_one_can_be_trusted(tmp_path, decisions):
    sticky = tmp_path / "sticky"
    sticky.mkdir()
    sticky.chmod(0o1777)
    skill = a_skill(sticky, "print(1)")

    trust(decisions, skill)
    assert decisions.trust_of(skill) is Trust.GIVEN

    sticky.chmod(0o777)
    assert decisions.trust_of(skill) is not Trust.GIVEN


def test_a_link_is_not_trusted(decisions, skill):
    (skill.folder / "more.py").symlink_to("/etc/hostname")

    with pytest.raises(BrowseError, match="is neither a file nor a folder"):
        trust(decisions, skill)


@needs_root
@pytest.mark.parametrize("whole_folder", [True, False])
def test_a_decision_that_another_user_wrote_does_not_count(
    tmp_path, decisions, skill, whole_folder
):
    trust(decisions, skill)
    folder = tmp_path / "home" / ".gstack" / "security" / "skills"
    os.chown(folder if whole_folder else next(folder.iterdir()), ANOTHER_USER, -1)

    assert decisions.trust_of(skill) is Trust.NONE


@pytest.mark.parametrize("raw", [b"", b"{}", b"[", b"\xff", b'{"skill": 1, "folder": "x"}'])
def test_a_damaged_decision_does_not_count(tmp_path, decisions, skill, raw):
    trust(decisions, skill)
    next((tmp_path / "home/.gstack/security/skills").iterdir()).write_bytes(raw)

    assert decisions.trust_of(skill) is Trust.NONE


def test_names_and_contents_do_not_run_together(tmp_path, decisions):
    one = write_skill(tmp_path / "one", "some-skill", "")
    two = write_skill(tmp_path / "two", "some-skill", "")
    (one / "a").write_bytes(b"")
    (one / "b").write_bytes(b"1 a 0\n")
    (two / "a").write_bytes(b"1 b 6\n1 a 0\n")
    hashes = {contents.digest(read_skill(each, Tier.GLOBAL)) for each in (one, two)}

    assert len(hashes) == 2


def test_a_file_that_is_too_large_or_one_too_many_is_refused(skill, monkeypatch):
    monkeypatch.setattr(contents, "MAX_BYTES", 5)
    with pytest.raises(BrowseError, match="larger than 5 bytes"):
        contents.digest(skill)
    monkeypatch.setattr(contents, "MAX_FILES", 1)
    with pytest.raises(BrowseError, match="more than 1 files"):
        contents.digest(skill)


def test_approval_is_not_trust_and_ends_with_a_change(decisions, skill):
    decisions.approve(skill)
    assert decisions.is_approved(skill)
    assert decisions.trust_of(skill) is Trust.NONE

    trust(decisions, skill)
    decisions.untrust(skill)
    assert decisions.is_approved(skill)

    skill.script.write_text("print(2)")
    assert not decisions.is_approved(skill)
