"""Secrets that the words name go to the daemon beside the words."""

import pytest

from support.fake_daemon import FakeDaemon

SECRET = "hunter-2 and more"


@pytest.mark.parametrize(
    ("words", "stdin", "sent"),
    [
        (["fill", "#pw", "--secret-env", "PW"], None, SECRET.encode()),
        (["fill", "#pw", "--secret-env=PW"], b"ignored", SECRET.encode()),
        (["fill", "#pw", "--secret-stdin"], b"from a pipe\n", b"from a pipe\n"),
        (["skill", "run", "x", "--secret-env=a=PW", "--secret-env", "b=OTHER"], None,
         SECRET.encode() + b"\0other"),
        (["fill", "#pw", "--", "--secret-env", "PW"], None, b""),
        (["fill", "#pw", "--secretive"], b"no", b""),
    ],
)  # fmt: skip
def test_a_secret_leaves_as_stdin_does(project, words, stdin, sent):
    project.env |= {"PW": SECRET, "OTHER": "other"}
    with FakeDaemon(project.state) as daemon:
        assert project.run(*words, stdin=stdin).returncode == 0

    (request,) = daemon.requests
    assert request.stdin == sent
    assert SECRET.encode() not in b"".join(word.encode() for word in words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--secret-env", "NO_SUCH"], b"the variable 'NO_SUCH' is not set here"),
        (["--secret-env=EMPTY"], b"the variable 'EMPTY' is not set here"),
        (["--secret-env"], b"the variable '' is not set here"),
        (["--secret-env=PW", "--secret-stdin"], b"not both"),
    ],
)
def test_a_secret_that_is_not_there_is_told_and_nothing_is_sent(project, words, said):
    project.env |= {"PW": SECRET, "EMPTY": ""}
    with FakeDaemon(project.state) as daemon:
        ran = project.run("fill", "#pw", *words)

    assert ran.returncode == 2
    assert said in ran.stderr
    assert not daemon.requests
