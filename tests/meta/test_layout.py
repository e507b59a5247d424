"""Every module of the package has a test file that mirrors it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "browse"
TESTS = ROOT / "tests"
GENERATED = {"client/_help.py", "client/_names.py"}
# Skills have their tests beside them.
BUNDLED = "skills/bundled/"
# Modules that only make sense with a browser or as part of a whole, and the file that covers each.
ELSEWHERE = {
    "commands/arriving.py": "tests/e2e/test_notes.py",
    "commands/matching.py": "tests/e2e/test_notes.py",
    "commands/notes.py": "tests/e2e/test_notes.py",
    "client/edit.py": "tests/e2e/test_notes.py",
    "client/person.py": "tests/e2e/test_automate.py",
    "commands/automate.py": "tests/e2e/test_automate.py",
    "commands/activity.py": "tests/e2e/test_activity.py",
    "commands/invitation.py": "tests/e2e/test_pairing.py",
    "commands/pairing.py": "tests/e2e/test_pairing.py",
    "dispatch/doors.py": "tests/server/test_gateway.py",
    "server/routes/tunnel.py": "tests/server/test_matrix.py",
    "commands/skill.py": "tests/e2e/test_skills.py",
    "commands/skill_asked.py": "tests/e2e/test_skills.py",
    "commands/skill_keeping.py": "tests/e2e/test_skills.py",
    "commands/skill_listing.py": "tests/e2e/test_skills.py",
    "commands/skill_running.py": "tests/e2e/test_skills.py",
    "commands/skill_checking.py": "tests/e2e/test_recorded_skills.py",
    "commands/skill_recording.py": "tests/e2e/test_recorded_skills.py",
    "skills/recording/manifest.py": "tests/skills/recording/test_codify.py",
    "skills/recording/proof.py": "tests/skills/recording/test_codify.py",
    "skills/recording/script.py": "tests/skills/recording/test_codify.py",
    "commands/replay.py": "tests/e2e/test_replay.py",
    "commands/replaying.py": "tests/e2e/test_replay.py",
    "flow/again.py": "tests/e2e/test_replay.py",
    "commands/sessions.py": "tests/e2e/test_agents.py",
    "server/services.py": "tests/server/test_app.py",
    "server/access.py": "tests/server/test_matrix.py",
    "guard/hosts.py": "tests/adversarial/test_hosts.py",
    "security/confusables.py": "tests/security/test_lookalikes.py",
    "security/blocks.py": "tests/egress/test_pipeline.py",
    "security/lexicon.py": "tests/security/test_features.py",
    "_exit.py": "tests/meta/test_docs.py",
    "browser/annotate.py": "tests/e2e/test_annotate.py",
    "browser/checking.py": "tests/e2e/test_choosing.py",
    "browser/choosing.py": "tests/e2e/test_choosing.py",
    "browser/ending.py": "tests/e2e/test_bad_pages.py",
    "browser/moving.py": "tests/e2e/test_bad_pages.py",
    "browser/element.py": "tests/e2e/test_obstacles.py",
    "browser/capture.py": "tests/e2e/test_logs.py",
    "browser/archive.py": "tests/e2e/test_extraction.py",
    "browser/downloading.py": "tests/e2e/test_extraction.py",
    "browser/evaluate.py": "tests/e2e/test_inspection.py",
    "browser/fetching.py": "tests/e2e/test_extraction.py",
    "browser/incoming.py": "tests/e2e/test_extraction.py",
    "browser/source.py": "tests/e2e/test_extraction.py",
    "browser/states.py": "tests/e2e/test_states.py",
    "browser/failures.py": "tests/e2e/test_navigation.py",
    "browser/har.py": "tests/e2e/test_har.py",
    "browser/listeners.py": "tests/e2e/test_snapshot_flags.py",
    "browser/frame_text.py": "tests/e2e/test_reading.py",
    "browser/emulation.py": "tests/e2e/test_emulation.py",
    "browser/frames.py": "tests/e2e/test_frames.py",
    "browser/launch.py": "tests/e2e/test_life.py",
    "browser/pointer.py": "tests/e2e/test_pointer.py",
    "browser/routes.py": "tests/e2e/test_routing.py",
    "browser/scripts.py": "tests/e2e/test_reading.py",
    "browser/session.py": "tests/e2e/test_life_crash.py",
    "browser/shapes.py": "tests/e2e/test_choosing.py",
    "browser/memory.py": "tests/e2e/test_measures.py",
    "browser/network.py": "tests/e2e/test_logs.py",
    "browser/storage.py": "tests/e2e/test_storage.py",
    "browser/tab.py": "tests/e2e/test_navigation.py",
    "browser/tabs.py": "tests/e2e/test_tabs.py",
    "browser/trace.py": "tests/e2e/test_recording.py",
    "browser/waits.py": "tests/e2e/test_waiting.py",
    "browser/settle.py": "tests/e2e/test_interaction.py",
    "browser/nodes.py": "tests/e2e/test_style.py",
    "browser/styles.py": "tests/e2e/test_style.py",
    "browser/tunnel.py": "tests/browser/test_door.py",
    "browser/protocol.py": "tests/e2e/test_cdp.py",
    "browser/snapshot.py": "tests/e2e/test_snapshot.py",
    "commands/cdp.py": "tests/e2e/test_cdp.py",
    "browser/printing.py": "tests/e2e/test_printing.py",
    "browser/tidying.py": "tests/e2e/test_cleaning.py",
    "commands/cleaning.py": "tests/e2e/test_cleaning.py",
    "commands/printing.py": "tests/e2e/test_printing.py",
    "commands/scanning.py": "tests/e2e/test_scanning.py",
    "commands/visual.py": "tests/e2e/test_visual.py",
    "commands/dialogs.py": "tests/e2e/test_dialogs.py",
    "commands/emulation.py": "tests/e2e/test_emulation.py",
    "commands/frames.py": "tests/e2e/test_frames.py",
    "commands/extraction.py": "tests/e2e/test_extraction.py",
    "commands/scraping.py": "tests/e2e/test_extraction.py",
    "commands/states.py": "tests/e2e/test_states.py",
    "commands/inspection.py": "tests/e2e/test_inspection.py",
    "commands/interaction.py": "tests/e2e/test_interaction.py",
    "commands/keyboard.py": "tests/e2e/test_keyboard.py",
    "commands/meta.py": "tests/e2e/test_meta.py",
    "commands/navigation.py": "tests/e2e/test_navigation.py",
    "commands/reading.py": "tests/e2e/test_reading.py",
    "commands/server.py": "tests/e2e/test_life.py",
    "commands/snapshot.py": "tests/e2e/test_snapshot.py",
    "commands/style.py": "tests/e2e/test_style.py",
    "commands/storage.py": "tests/e2e/test_storage.py",
    "commands/tabs.py": "tests/e2e/test_tabs.py",
    "commands/unseen.py": "tests/e2e/test_hidden.py",
    "commands/waiting.py": "tests/e2e/test_waiting.py",
    "daemon/build.py": "tests/e2e/test_life.py",
    "daemon/lifecycle.py": "tests/e2e/test_life.py",
    "tunnel/provider.py": "tests/tunnel/test_choose.py",
    "setup/check.py": "tests/setup/test_doctor.py",
    "setup/commands.py": "tests/setup/test_main.py",
}


def modules() -> list[str]:
    """List the modules that hold code of their own, relative to the package."""
    found = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
    return [
        name
        for name in found
        if Path(name).name not in ("__init__.py", "__main__.py")
        and name not in GENERATED
        and not name.startswith(BUNDLED)
    ]


def mirror(module: str) -> Path:
    """Name the test file of a module: `core/text.py` → `tests/core/test_text.py`."""
    path = Path(module)
    return TESTS / path.parent / f"test_{path.name.removeprefix('_')}"


@pytest.mark.parametrize("module", modules())
def test_module_has_a_test_file(module: str):
    covered = mirror(module).is_file() or (ROOT / ELSEWHERE.get(module, "-")).is_file()

    assert covered, f"{module} has no test file: write {mirror(module).relative_to(ROOT)}"


@pytest.mark.parametrize(("module", "file"), sorted(ELSEWHERE.items()))
def test_table_holds_only_what_exists(module: str, file: str):
    assert module in modules()
    assert (ROOT / file).is_file()
