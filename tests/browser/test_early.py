"""Chromium started ahead of the driver, with a stand-in for both: the real Node, no browser."""

import json
import stat
import subprocess

import pytest

from browse.browser import early, find
from browse.core.settings import Settings

NODE = find.driver_package().parent / "node"
# As the driver does it: a spawn with a pipe flag and a profile folder of its own.
DRIVER = """
const { spawn } = require("node:child_process");
const [file, ...args] = JSON.parse(process.argv[2]);
setTimeout(() => {
  const pipes = ["--remote-debugging-pipe", "--user-data-dir=/mine"];
  const child = spawn(file, [...args, ...pipes], { stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  const options = process.env.NODE_OPTIONS ?? null;
  child.on("close", () => console.log(JSON.stringify({ said, options })));
}, 300);
"""
PROGRAM = '#!/bin/sh\necho started >> {log}\necho "$@"\n{tail}\n'


@pytest.fixture
def launch(tmp_path):
    (tmp_path / "driver.cjs").write_text(DRIVER)
    log = tmp_path / "log"

    def run(*words: str, tail: str = "", key: str = "k", name: str = "program") -> tuple[dict, int]:
        program = tmp_path / name
        program.write_text(PROGRAM.format(log=log, tail=tail))
        program.chmod(0o700)
        log.write_text("")
        done = subprocess.run(
            [NODE, tmp_path / "driver.cjs", json.dumps([str(program), *words])],
            env={
                "PATH": "/usr/bin:/bin",
                "NODE_OPTIONS": f'--require "{early.SCRIPT}"',
                "BROWSE_EARLY_PLAN": str(tmp_path / "plan.json"),
                "BROWSE_EARLY_KEY": key,
                "BROWSE_EARLY_PROFILE": "/early",
            },
            capture_output=True,
            check=True,
            timeout=30,
        )
        return json.loads(done.stdout), log.read_text().count("started")

    run.plan = tmp_path / "plan.json"  # type: ignore[attr-defined]
    return run


def test_the_first_launch_is_the_drivers_own_and_is_remembered(launch):
    told, started = launch("--one", tail="sleep 0.1")

    assert "--user-data-dir=/mine" in told["said"]
    assert started == 1
    assert stat.S_IMODE(launch.plan.stat().st_mode) == 0o600
    assert "--user-data-dir=" in json.loads(launch.plan.read_text())["args"]


def test_the_next_launch_gets_the_process_that_was_started_early(launch):
    launch("--one", tail="sleep 1")

    told, started = launch("--one", tail="sleep 1")

    assert "--user-data-dir=/early" in told["said"]
    assert started == 1


@pytest.mark.parametrize(
    ("words", "more"),
    [(("--two",), {}), (("--one",), {"key": "another"}), (("--one",), {"name": "another"})],
)
def test_what_does_not_fit_is_started_as_the_driver_wants_it(launch, words, more):
    launch("--one", tail="sleep 1")

    told, _ = launch(*words, tail="sleep 1", **more)

    assert "--user-data-dir=/mine" in told["said"]
    assert words[0] in told["said"]


def test_an_early_process_that_has_ended_is_not_handed_over(launch):
    launch("--one")

    told, started = launch("--one")

    assert "--user-data-dir=/mine" in told["said"]
    assert started == 2


def test_a_damaged_plan_is_no_plan(launch):
    launch.plan.write_text("{")

    told, started = launch("--one", tail="sleep 0.1")

    assert ("--user-data-dir=/mine" in told["said"], started) == (True, 1)


def test_children_of_the_driver_do_not_inherit_the_preload(launch):
    assert launch("--one")[0]["options"] is None


def test_without_a_chromium_nothing_is_started_early(tmp_path):
    settings = Settings(chromium_path=str(tmp_path / "missing"))

    assert early.environment(settings, tmp_path, tmp_path) == {}


def test_another_browser_needs_another_command_line(tmp_path):
    keys = set()
    for name in ("one", "two"):
        chromium = tmp_path / name
        chromium.write_text("#!/bin/sh\n")
        chromium.chmod(0o700)
        settings = Settings(chromium_path=str(chromium))
        keys.add(early.environment(settings, tmp_path, tmp_path)["BROWSE_EARLY_KEY"])

    assert len(keys) == 2
