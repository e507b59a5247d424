"""Running whole skills, without a daemon: what their scripts may do, and what counts as success."""

import json
import os
import resource
import shutil

import pytest

from browse.core.errors import BrowseError, Code
from browse.skills import running, sandbox
from browse.skills.process import Ended
from browse.skills.sandbox import Means
from browse.skills.trust import Trust
from support.skills import a_skill, attempts

LONG_S = 30.0
CLONE = {"aarch64": 220}.get(os.uname().machine, 56)
needs_a_sandbox = pytest.mark.skipif(
    sandbox.available().means is Means.NOTHING, reason="there is no sandbox on this system"
)


async def nobody(_: str) -> None:
    return


async def ran(skill, *words, trust=Trust.NONE, **given):
    async with running.scratch_folder(trust) as scratch:
        ended = await running.run(
            skill, words, given, scratch=scratch, port=1, limit_s=LONG_S, hear=nobody
        )
    assert scratch is None or not scratch.exists()
    return ended


@pytest.mark.parametrize("trust", [Trust.GIVEN, Trust.NONE])
async def test_a_script_gets_its_words_its_variables_and_its_own_modules(tmp_path, trust):
    skill = a_skill(
        tmp_path,
        "import json, os, sys, _lib.mine\n"
        "print(json.dumps([sys.argv[1:], os.environ['GSTACK_PORT'], _lib.mine.X, os.getcwd()]))",
    )
    (skill.folder / "_lib" / "mine.py").write_text("X = 5")

    _, found = running.document(
        skill, await ran(skill, "--arg", "a=one\ntwo", "x y", trust=trust, GSTACK_PORT="7"), LONG_S
    )

    assert found == [["--arg", "a=one\ntwo", "x y"], "7", 5, str(skill.folder)]
    assert not (skill.folder / "_lib" / "__pycache__").exists()


@needs_a_sandbox
async def test_an_untrusted_script_cannot_read_secrets_or_write(tmp_path):
    for name in ("project/.gstack/browse.json", "home/.ssh/id_ed25519"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("secret")
    tries = {
        "own": "open('SKILL.md').read()",
        "scratch": "open(os.environ['TMPDIR'] + '/x', 'w').write('x')",
        "token": f"open({str(tmp_path / 'project/.gstack/browse.json')!r}).read()",
        "key": f"open({str(tmp_path / 'home/.ssh/id_ed25519')!r}).read()",
        "write": f"open({str(tmp_path / 'new')!r}, 'w').write('x')",
        "itself": "open('script.py', 'a').write('x')",
    }
    skill = a_skill(tmp_path / "project/.gstack/browser-skills", attempts(**tries))

    _, found = running.document(skill, await ran(skill), LONG_S)

    assert {name for name, how in found.items() if how == "ok"} == {"own", "scratch"}
    assert not (tmp_path / "new").exists()


async def test_a_trusted_script_may_do_what_the_person_may(tmp_path):
    skill = a_skill(tmp_path, attempts(remove="__import__('shutil').rmtree(os.getcwd())"))

    _, found = running.document(skill, await ran(skill, trust=Trust.GIVEN), LONG_S)

    assert found == {"remove": "ok"}
    assert not skill.folder.exists()


async def test_a_skill_that_is_removed_while_it_runs_goes_on(tmp_path):
    skill = a_skill(tmp_path, "import sys; print('up', file=sys.stderr, flush=True)\n"
                              "import time; time.sleep(0.3); print(1)")  # fmt: skip

    async def hear(_: str) -> None:
        shutil.rmtree(skill.folder)

    ended = await running.run(skill, (), {}, scratch=None, port=1, limit_s=LONG_S, hear=hear)

    assert running.document(skill, ended, LONG_S) == ("1", 1)


async def test_a_skill_without_a_script_is_told(tmp_path):
    skill = a_skill(tmp_path, "")
    skill.script.unlink()

    with pytest.raises(BrowseError) as caught:
        await ran(skill)

    assert caught.value.code is Code.SKILL_INVALID


async def test_tests_are_run_and_counted(tmp_path):
    skill = a_skill(tmp_path, "def two(): return 2")
    tests = skill.folder / "test_script.py"
    tests.write_text("from script import two\ndef test_two(): assert two() == 2\n")

    ended = await running.test(skill, Trust.NONE, limit_s=LONG_S, hear=nobody)
    assert running.tests_passed(skill, ended, LONG_S) == 1

    tests.write_text("from script import two\ndef test_two(): assert two() == 3\n")
    ended = await running.test(skill, Trust.NONE, limit_s=LONG_S, hear=nobody)
    with pytest.raises(BrowseError, match="1 of 1 tests failed"):
        running.tests_passed(skill, ended, LONG_S)
    assert "AssertionError" in ended.log


@pytest.mark.parametrize(
    ("tests", "said"),
    [("", "it has no tests"), ("1/0", "its tests cannot be run"), (None, "has no test_script.py")],
)
async def test_tests_that_cannot_be_run_are_told(tmp_path, tests, said):
    skill = a_skill(tmp_path, "", name="other-skill")
    if tests is not None:
        (skill.folder / "test_script.py").write_text(tests)

    with pytest.raises(BrowseError, match=said):
        running.tests_passed(
            skill, await running.test(skill, Trust.NONE, limit_s=LONG_S, hear=nobody), LONG_S
        )


@pytest.mark.parametrize(
    "printed",
    ['{"a": "\\ud800"}', "[1, 2]\n\n", ' "words"', "null", '{"n": 123456789012345678901234567890}'],
)
def test_any_one_document_is_passed_on_as_it_is(tmp_path, printed):
    skill = a_skill(tmp_path, "")

    text, found = running.document(skill, Ended(0, output=bytearray(printed.encode())), LONG_S)

    assert text == printed.strip()
    assert found == json.loads(printed)


@pytest.mark.parametrize(
    ("ended", "said", "exit"),
    [
        (Ended(0), "printed nothing", 1),
        (Ended(0, output=bytearray(b" \n")), "printed nothing", 1),
        (Ended(0, output=bytearray(b"{} {}")), "printed something else", 1),
        (Ended(0, output=bytearray(b"{}\n{}\n")), "printed something else", 1),
        (Ended(0, output=bytearray(b"{'a': 1}")), "printed something else", 1),
        (Ended(0, output=bytearray(b"[NaN]")), "printed something else", 1),
        (Ended(0, output=bytearray(b"\xff")), "printed something else", 1),
        (Ended(0, output=bytearray(b"[" * 100_000)), "printed something else", 1),
        (Ended(0, too_much=True), "truncated stdout at 1048576 bytes", 1),
        (Ended(7, output=bytearray(b"{}")), "exit 7", 7),
        (Ended(-9), "ended by signal 9", 137),
        (Ended(timed_out=True), "timed out after 30s", 124),
        (Ended(None, output=bytearray(b"{}")), "it was ended from outside", 1),
    ],
)  # fmt: skip
def test_everything_else_is_a_failure_with_its_exit_code(tmp_path, ended, said, exit):
    skill = a_skill(tmp_path, "")

    with pytest.raises(BrowseError) as caught:
        running.document(skill, ended, LONG_S)

    assert f'Skill "some-skill" (global) failed: {said}' in caught.value.message
    assert caught.value.exit == exit
    assert caught.value.code is (Code.TIMEOUT if ended.timed_out else Code.SKILL_FAILED)


@needs_a_sandbox
async def test_an_untrusted_script_changes_nothing_outside_without_opening_it(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("x")
    outside.chmod(0o600)
    os.setxattr(outside, "user.kept", b"yes")
    before, path, folder = outside.stat(), str(outside), repr(os.fsencode(tmp_path))
    tries = {
        "mode": f"os.chmod({path!r}, 0o666)",
        "mode of a file that it may read": "os.fchmod(os.open('SKILL.md', 0), 0o666)",
        "owner": f"os.chown({path!r}, {os.getuid()}, {os.getgid()})",
        "owner of a link": f"os.lchown({path!r}, {os.getuid()}, {os.getgid()})",
        "attribute": f"os.setxattr({path!r}, 'user.mark', b'x')",
        "no attribute": f"os.removexattr({path!r}, 'user.kept')",
        "times": f"os.utime({path!r}, (1, 1))",
        "flags": "fcntl.ioctl(os.open('SKILL.md', 0), 0x40086602, b'\\0' * 8)",
        "names of files": f"call('inotify_add_watch', libc.inotify_init(), {folder}, 0x100)",
    }
    assert await refused(tmp_path, tries) == set(tries)
    after = outside.stat()
    assert (after.st_mode, after.st_mtime, after.st_ctime) == (
        before.st_mode, before.st_mtime, before.st_ctime,
    )  # fmt: skip
    assert os.listxattr(outside) == ["user.kept"]


@needs_a_sandbox
async def test_an_untrusted_script_reaches_no_other_process(tmp_path):
    limits = resource.prlimit(os.getpid(), resource.RLIMIT_CORE)
    tries = {
        "limits": f"resource.prlimit({os.getpid()}, resource.RLIMIT_CORE, (0, 0))",
        "priority": f"os.setpriority(os.PRIO_PROCESS, {os.getpid()}, 19)",
        "processors": f"os.sched_setaffinity({os.getpid()}, {{0}})",
        "descriptors": f"os.pidfd_open({os.getpid()})",
        "listen": "socket.socket().listen()",
        "accept": "call('accept', socket.socket().fileno(), None, None)",
        "namespace": "call('unshare', 0x10000000)",
        "another's namespace": "call('setns', 0, 0)",
        "clone into a namespace": f"call('syscall', {CLONE}, 0x10000000 | 17, 0, 0, 0, 0)",
        "clone into one, newer": "call('syscall', 435, b'\\0' * 88, 88)",
        "root folder": "os.chroot('.')",
        "mount": "call('mount', b'none', b'/tmp', b'tmpfs', 0, None)",
        "shared memory": "call('shmget', 0x7e57, 4096, 0o1600)",
        "semaphores": "call('semget', 0x7e57, 1, 0o1600)",
        "messages": "call('msgget', 0x7e57, 0o1600)",
        "message queue": "call('mq_open', b'/seen', 0o102, 0o600, None)",
    }
    own = {
        "own limits": "resource.prlimit(0, resource.RLIMIT_NOFILE)",
        "fork": "os.waitpid(os.fork() or os._exit(0), 0)",
        "thread": "threading.Thread(target=print, kwargs={'end': ''}).start()",
    }

    assert await refused(tmp_path, tries | own) == set(tries)
    assert resource.prlimit(os.getpid(), resource.RLIMIT_CORE) == limits


async def refused(folder, tries):
    """Let an untrusted skill try; return the names of what the kernel refused it."""
    call = """
import ctypes, fcntl, resource, threading
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *words):
    if getattr(libc, name)(*words) < 0:
        raise OSError(ctypes.get_errno(), "refused")
"""
    skill = a_skill(folder, call + attempts(**tries))
    _, found = running.document(skill, await ran(skill), LONG_S)
    return {name for name, how in found.items() if how in ("PermissionError", "OSError")}
