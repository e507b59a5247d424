"""Where modules and their tests are: every folder is small, every module has a test."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "browse"
TESTS = ROOT / "tests"
MAX_MODULES = 22
GENERATED = {"client/_help.py", "client/_names.py", "mcp/_offer.py"}
# Skills have their tests beside them.
BUNDLED = "skills/bundled/"
# Their behaviour needs a browser: the tests are in tests/e2e, one folder per group of the help
# (test_commands_used.py looks that every command is run there). Rules that need none have a mirror.
WITH_A_BROWSER = ("browser/", "commands/")
# What only shows in a larger whole, and the test of that whole.
PART_OF = {
    "client/edit.py": "tests/e2e/skills/test_notes.py",
    "client/person.py": "tests/e2e/skills/test_automate.py",
    "daemon/lifecycle.py": "tests/e2e/life/test_life.py",
    "daemon/persistence.py": "tests/e2e/life/test_persistence.py",
    "dispatch/page_reply.py": "tests/e2e/reading/test_hidden.py",
    "dispatch/services.py": "tests/dispatch/test_runner.py",
    "dispatch/site_notes.py": "tests/e2e/skills/test_notes.py",
    "dispatch/replay.py": "tests/e2e/skills/test_replay.py",
    "inbox/taking.py": "tests/e2e/panel/test_inbox.py",
    "fleet/commands.py": "tests/e2e/fleet/test_machines.py",
    "fleet/head.py": "tests/e2e/fleet/test_machines.py",
    "fleet/launch.py": "tests/e2e/fleet/test_machines.py",
    "fleet/machine.py": "tests/e2e/fleet/test_map.py",
    "fleet/mapping.py": "tests/e2e/fleet/test_map.py",
    "fleet/place.py": "tests/e2e/fleet/test_machines.py",
    "fleet/running.py": "tests/e2e/fleet/test_machines.py",
    "fleet/runs.py": "tests/e2e/fleet/test_map.py",
    "fleet/visit.py": "tests/e2e/fleet/test_map.py",
    "fleet/worker.py": "tests/e2e/fleet/test_map.py",
    "flow/find_again.py": "tests/e2e/skills/test_replay.py",
    "security/classifier/lexicon.py": "tests/security/classifier/test_features.py",
    "mcp/client_call.py": "tests/mcp/test_stdio.py",
    "mcp/prompts.py": "tests/mcp/test_server.py",
    "mcp/resources.py": "tests/mcp/test_server.py",
    "mcp/runs.py": "tests/mcp/test_tools.py",
    "server/routes/memory.py": "tests/e2e/panel/test_side_panel.py",
    "server/routes/shared_tabs.py": "tests/e2e/attach/test_shared_tabs.py",
    "server/routes/tunnel.py": "tests/server/test_matrix.py",
    "setup/commands.py": "tests/setup/test_main.py",
    "skills/recording/manifest.py": "tests/skills/recording/test_codify.py",
    "skills/recording/proof.py": "tests/skills/recording/test_codify.py",
    "skills/recording/script.py": "tests/skills/recording/test_codify.py",
    "server/routes/view.py": "tests/e2e/view/test_taking_over.py",
    "view/live_view.py": "tests/e2e/view/test_viewers.py",
    "view/shown_tab.py": "tests/e2e/view/test_viewers.py",
    "tunnel/invitation.py": "tests/e2e/remote/test_pairing.py",
    "guard/hosts.py": "tests/adversarial/test_hosts.py",
}

# The SDK stands alone: skills copy it, and its names are those that authors of skills know.
STANDS_ALONE = "sdk/"


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
    """Return the test file of a module: `core/text.py` → `tests/core/test_text.py`."""
    path = Path(module)
    return TESTS / path.parent / f"test_{path.name.removeprefix('_')}"


@cache
def imported() -> frozenset[str]:
    """List the modules that a test imports from, as paths relative to the package."""
    names: set[str] = set()
    for path in TESTS.rglob("*.py"):
        source = path.read_text("utf-8")
        for package, words in re.findall(r"from (browse[\w.]*) import (\([^)]*\)|.*)", source):
            names.add(package)
            names.update(f"{package}.{word}" for word in re.findall(r"\w+", words))
    return frozenset(name.removeprefix("browse.").replace(".", "/") + ".py" for name in names)


def test_every_module_has_a_test():
    alone = [name for name in modules() if not name.startswith(WITH_A_BROWSER)]
    tested = {name for name in alone if mirror(name).is_file()} | imported() | PART_OF.keys()

    # What is named here is missing.
    assert [str(mirror(name).relative_to(ROOT)) for name in alone if name not in tested] == []


@pytest.mark.parametrize(("module", "file"), sorted(PART_OF.items()))
def test_the_table_holds_only_what_exists(module: str, file: str):
    assert module in modules()
    assert (ROOT / file).is_file()


def test_a_mirror_has_its_module():
    scripts = {path.relative_to(PACKAGE).with_suffix(".py") for path in PACKAGE.rglob("*.cjs")}
    known = {mirror(str(module)) for module in (*modules(), *scripts)}
    mirrors = [path for room in WITH_A_BROWSER for path in (TESTS / room).glob("*/test_*.py")]
    # Corpora of pages, each with a test of all of them.
    corpora = {"aria", "hidden"}

    assert [it for it in mirrors if it not in known and it.parent.name not in corpora] == []


def test_folders_are_small():
    sizes = Counter(Path(module).parent.as_posix() for module in modules())

    assert {folder: size for folder, size in sizes.items() if size > MAX_MODULES} == {}


def test_a_class_name_stands_once():
    names = Counter(
        name
        for module in modules()
        if not module.startswith(STANDS_ALONE)
        for name in re.findall(r"^class (\w+)", (PACKAGE / module).read_text("utf-8"), re.MULTILINE)
    )
    # A name with an underscore belongs to its module alone.
    repeated = {name for name, count in names.items() if count > 1 and name[0] != "_"}

    assert repeated == set()


def test_a_command_is_declared_in_the_folder_of_its_group():
    import browse.commands  # noqa: F401 - declares them
    from browse.registry.spec import Group, declared

    folders = {
        Group.NETWORK: "network",
        Group.SETUP: "commands",  # browse.setup.commands: they run without a daemon
    }
    misplaced = {
        spec.name: spec.handler.__module__
        for spec in declared()
        if folders.get(spec.group, spec.group.value.lower())
        not in spec.handler.__module__.split(".")
    }

    assert misplaced == {}
