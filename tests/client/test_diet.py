"""A warm call imports only what is on this list: each further module costs every command."""

import subprocess
import sys

from support.fake_daemon import FakeDaemon

# Everything beyond a bare `python -I -S`. `os` brings the five that follow it; `_socket`
# is an extension module; `stat` and `errno` are needed to judge the state file.
ALLOWED = {
    "os",
    "_collections_abc",
    "_stat",
    "genericpath",
    "posixpath",
    "os.path",
    "stat",
    "errno",
    "_socket",
    "browse",
    "browse._exit",
    "browse._where",
    "browse.client",
    "browse.client._names",
    "browse.client.endpoint",
    "browse.client.main",
    "browse.client.wire",
}
REPORT = (
    "import sys; bare = set(sys.modules); sys.path.insert(0, {source!r});"
    "from browse.client.main import main; sys.argv[1:] = {words!r}; code = main();"
    "print(*sorted(set(sys.modules) - bare), file=sys.stderr); sys.exit(code)"
)


def imported(project, *words: str, stdin: bytes = b"") -> set[str]:
    code = REPORT.format(source=str(project.boot.parents[2]), words=list(words))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=stdin, cwd=project.folder, capture_output=True, text=False, check=True,
    )  # fmt: skip
    assert done.stdout == b"ok\n"
    return set(done.stderr.decode().split())


def test_a_warm_call_imports_nothing_else(project):
    with FakeDaemon(project.state):
        assert imported(project, "goto", "http://a/") <= ALLOWED


def test_a_warm_call_with_stdin_imports_nothing_else(project):
    with FakeDaemon(project.state) as daemon:
        assert imported(project, "chain", stdin=b"[]") <= ALLOWED

    assert daemon.requests[0].stdin == b"[]"


def test_a_warm_status_imports_nothing_else(project):
    with FakeDaemon(project.state):
        assert imported(project, "status") <= ALLOWED
