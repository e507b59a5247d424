from pathlib import Path

from browse.skills import environment

AROUND = {
    "PATH": "/opt/bin",
    "HOME": "/h",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "EDITOR": "vi",
    "AUTH_TOKEN": "root-token",
    "GSTACK_TOKEN": "old",
    "GITHUB_TOKEN": "secret",
    "AWS_PROFILE": "p",
    "GSTACK_PORT": "1",
    "GSTACK_SKILL_TOKEN": "forged",
    "BROWSE_STATE_FILE": "/s",
}
GIVEN = {"GSTACK_PORT": "2", "GSTACK_SKILL_TOKEN": "mine"}


def test_a_trusted_script_sees_all_but_the_daemons_own():
    seen = environment.of_script(AROUND, GIVEN, scratch=None)

    assert seen["GITHUB_TOKEN"] == "secret"
    assert seen["PATH"] == "/opt/bin"
    assert not {"AUTH_TOKEN", "GSTACK_TOKEN", "BROWSE_STATE_FILE"} & set(seen)
    assert (seen["GSTACK_PORT"], seen["GSTACK_SKILL_TOKEN"]) == ("2", "mine")


def test_an_untrusted_script_sees_next_to_nothing():
    seen = environment.of_script(AROUND, GIVEN, scratch=Path("/scratch"))

    assert seen == {
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PATH": environment.PATH,
        "HOME": "/scratch",
        "TMPDIR": "/scratch",
        **GIVEN,
    }
