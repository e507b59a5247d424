from pathlib import Path

from browse.setup.check import Check, Scene
from browse.setup.doctor import CHECKS, examine


def well(_: Scene) -> Check:
    return Check("kettle", True, "it is on", "never shown")


def unwell(_: Scene) -> Check:
    return Check("pot", False, "it is cracked", "buy another")


def test_all_well(scene: Scene):
    lines: list[str] = []

    result = examine(lines.append, scene, [well])
    assert lines == ["✓ kettle: it is on"]
    assert result.data == {
        "ok": True,
        "checks": [{"name": "kettle", "ok": True, "detail": "it is on", "fix": ""}],
    }


def test_a_failed_check_shows_its_fix_and_the_rest_still_run(scene: Scene):
    lines: list[str] = []

    result = examine(lines.append, scene, [unwell, well])
    assert lines == ["✗ pot: it is cracked", "    → buy another", "✓ kettle: it is on"]
    assert result.text == "Not well: pot."
    assert result.data["ok"] is False


def test_the_real_checks_change_nothing(scene: Scene, tmp_path: Path):
    before = sorted(tmp_path.rglob("*"))

    examine(lambda _: None, scene, CHECKS)
    assert sorted(tmp_path.rglob("*")) == before


def test_every_check_has_a_name_of_its_own(scene: Scene):
    names = [look(scene).name for look in CHECKS]

    assert len(set(names)) == len(names)
