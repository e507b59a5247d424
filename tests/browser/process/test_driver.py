"""The driver process, started by ourselves: real Node, no browser."""

import json
import os
import stat
import subprocess
from pathlib import Path

import psutil
import pytest

from browse.browser.process import chromium, driver


def test_the_driver_lives_until_its_stdin_is_closed():
    process = driver.start(os.environ)

    assert process is not None
    lives = psutil.Process(process.pid)
    assert lives.is_running()
    os.close(process.stdin)
    assert lives.wait(150) == 0
    os.close(process.stdout)


def test_the_driver_loads_only_what_it_needs(tmp_path):
    told = tmp_path / "loaded"
    script = tmp_path / "tell.cjs"
    script.write_text(
        "const all = () => Object.keys(require.cache).join('\\n');\n"
        f"process.on('exit', () => require('fs').writeFileSync({json.dumps(str(told))}, all()));"
    )

    process = driver.start({**os.environ, "NODE_OPTIONS": f'--require "{script}"'})

    assert process is not None
    os.close(process.stdin)
    psutil.Process(process.pid).wait(150)
    os.close(process.stdout)
    names = {Path(line).name for line in told.read_text().splitlines()}
    assert "load_driver.cjs" in names
    assert not names & {"utilsBundle.js", "cli.js"}


@pytest.mark.parametrize(
    ("bundle", "quiet", "printed"),
    [
        ("module.exports = {};", "", "all run-driver"),
        (
            "\nvar init_driver = __esm(\nfunction runDriver() {\ninit_coreBundle();\n",
            "",
            "all run-driver",
        ),
        (
            "const __esm = (all) => all;"
            "\nvar init_driver = __esm(() => {});\nfunction runDriver() {\n}"
            "\ninit_coreBundle();\n",
            "1",
            "all run-driver",
        ),
        (
            "const __esm = (all) => all;\n"
            'const { png, zip, debug } = require("./utilsBundle");\n'
            "var open;"
            "\nvar init_driver = __esm(() => { open = zip.open; debug('pw:api')('a line'); });"
            "\nfunction runDriver() {"
            " console.log('driver', debug.enabled('pw:api'), open(1), png(2), new png(3).it); }"
            "\ninit_coreBundle();\n",
            "",
            "driver false loaded,1 2 3",
        ),
    ],
    ids=["another", "one that fails", "one that cannot be quiet", "one as we know it"],
)
def test_a_bundle_that_is_not_as_expected_is_loaded_as_a_whole(tmp_path, bundle, quiet, printed):
    (tmp_path / "lib").mkdir()
    (tmp_path / "cli.js").write_text("console.log('all', ...process.argv.slice(2))")
    (tmp_path / "lib" / "coreBundle.js").write_text(bundle)
    (tmp_path / "lib" / "utilsBundle.js").write_text(
        "function png(it) { if (!new.target) return it; this.it = it; }\n"
        "module.exports = { png, zip: { open: (it) => `loaded,${it}` } };"
    )
    node = chromium.driver_package().parent / "node"

    words = [node, driver.LOAD_DRIVER, tmp_path, "run-driver"]
    environ = {**os.environ, driver.QUIET: quiet}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environ)

    assert done.stdout.strip() == printed


def test_a_node_that_cannot_be_run_is_left_to_playwright_to_report():
    assert driver.start({"PLAYWRIGHT_NODEJS_PATH": "/nowhere/node"}) is None


def test_the_driver_gets_a_folder_and_a_cache_of_our_own(tmp_path):
    cache = tmp_path / "cache"

    made = driver.environment({"A": "1"}, cache, tmp_path / "scratch")

    assert made["A"] == "1"
    assert made["NODE_OPTIONS"] == f'{driver.SMALL_HEAP} --require "{driver.DROP_EVENTS}"'
    assert made["TMPDIR"] == str(tmp_path / "scratch")
    assert made["NODE_COMPILE_CACHE"] == str(cache)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


@pytest.mark.parametrize("quiet", [True, False])
def test_only_the_setting_makes_the_driver_quiet(tmp_path, quiet):
    made = driver.environment({driver.QUIET: "1"}, tmp_path / "cache", tmp_path, quiet=quiet)

    assert bool(made[driver.QUIET]) is quiet


def test_a_cache_of_the_users_own_is_used(tmp_path):
    made = driver.environment({"NODE_COMPILE_CACHE": "/theirs"}, tmp_path / "cache", tmp_path)

    assert made["NODE_COMPILE_CACHE"] == "/theirs"


def test_options_of_the_users_own_are_kept(tmp_path):
    made = driver.environment({"NODE_OPTIONS": "--no-warnings"}, tmp_path / "cache", tmp_path)

    assert made["NODE_OPTIONS"].startswith(f"--no-warnings {driver.SMALL_HEAP} ")


def test_a_home_that_cannot_be_written_to_does_not_stop_the_start(tmp_path):
    (tmp_path / "file").write_text("")

    made = driver.environment({}, tmp_path / "file" / "cache", tmp_path)

    assert "NODE_COMPILE_CACHE" not in made
    assert made["TMPDIR"] == str(tmp_path)
