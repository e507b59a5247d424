"""Skills of gstack: `script.ts`, run by bun or node, in the same sandbox."""

import os

import pytest

from browse.core.errors import BrowseError
from browse.skills import running, runtimes
from browse.skills.installed import Tier, read_skill
from browse.skills.trust import Trust
from support.skills import HEAD

LONG_S = 30.0
needs_a_runtime = pytest.mark.skipif(
    not (runtimes._bun() or runtimes._node()), reason="neither bun nor a new node is here"
)
needs_bun = pytest.mark.skipif(not runtimes._bun(), reason="bun is not here")
SDK = "export class Client { constructor(readonly port: number) {} }\n"
SCRIPT = """
import { Client } from './_lib/browse-client';
import * as fs from 'fs';
function tried(path: string): string {
  try { fs.readFileSync(path); return 'ok'; } catch (problem: any) { return problem.code; }
}
if (import.meta.main) {
  const port: number = new Client(Number(process.env.GSTACK_PORT)).port;
  const found = ['SKILL.md', '/etc/passwd', '/proc/1/environ'].map(tried);
  console.log(JSON.stringify({ words: process.argv.slice(2), port, found }));
}
"""


async def nobody(_: str) -> None:
    return


@pytest.fixture
def skill(tmp_path):
    folder = tmp_path / "typed"
    (folder / "_lib").mkdir(parents=True)
    (folder / "SKILL.md").write_text(HEAD)
    (folder / "script.ts").write_text(SCRIPT)
    (folder / "_lib" / "browse-client.ts").write_text(SDK)
    return read_skill(folder, Tier.GLOBAL)


def only(monkeypatch, name: str) -> None:
    """Let only one of the two programs be found."""
    found = runtimes._found
    monkeypatch.setattr(runtimes, "_found", lambda word: found(word) if word == name else "")


@needs_a_runtime
@pytest.mark.parametrize("name", ["bun", "node"])
async def test_a_typed_script_runs_in_the_sandbox(skill, monkeypatch, name):
    only(monkeypatch, name)
    if runtimes.missing(skill):
        pytest.skip(f"there is no {name} for it here")

    async with running.scratch_folder(Trust.NONE) as scratch:
        ended = await running.run(
            skill, ["--arg", "a=b"], {"GSTACK_PORT": "7"},
            scratch=scratch, port=1, limit_s=LONG_S, hear=nobody,
        )  # fmt: skip

    _, found = running.document(skill, ended, LONG_S)
    assert found == {
        "words": ["--arg", "a=b"], "port": 7, "found": ["ok", "EACCES", "EACCES"],
    }  # fmt: skip


@needs_bun
async def test_typed_tests_are_run_and_counted(skill):
    tests = skill.folder / "script.test.ts"
    test = "import { test, expect } from 'bun:test';\ntest('it', () => expect(1).toBe({}));\n"

    tests.write_text(test.replace("{}", "1"))
    ended = await running.test(skill, Trust.NONE, limit_s=LONG_S, hear=nobody)
    assert running.tests_passed(skill, ended, LONG_S) == 1

    tests.write_text(test.replace("{}", "2"))
    ended = await running.test(skill, Trust.NONE, limit_s=LONG_S, hear=nobody)
    with pytest.raises(BrowseError, match="1 of 1 tests failed"):
        running.tests_passed(skill, ended, LONG_S)


@pytest.mark.parametrize("old", ["", "v20.20.2", "v24.1.9", "nonsense"])
def test_what_is_missing_is_told(skill, tmp_path, monkeypatch, old):
    programs = tmp_path / "bin"
    programs.mkdir()
    if old:
        (programs / "node").write_text(f"#!/bin/sh\necho {old}\n")
        (programs / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("HOME", str(tmp_path))

    assert runtimes.missing(skill) == "script.ts needs bun, or node 24.2 or later"
    with pytest.raises(BrowseError, match=r"script\.ts needs bun, or node 24\.2"):
        runtimes.of_script(skill, ())
    (skill.folder / "script.test.ts").touch()
    with pytest.raises(BrowseError, match="need bun"):
        runtimes.of_tests(skill)


def test_python_goes_first(skill):
    (skill.folder / "script.py").write_text("print(1)")

    assert skill.script.name == "script.py"
    assert runtimes.missing(skill) == ""
    assert os.fspath(skill.script) in runtimes.of_script(skill, ()).words
