import pytest

from browse.core.launching.chromium_flags import ALLOWED, MAX_FLAGS, REFUSED, chromium_flags


def test_flags_are_read_with_and_without_dashes():
    read = chromium_flags("--lang=de force-dark-mode --WINDOW-SIZE=800,600")

    assert read == ("--lang=de", "--force-dark-mode", "--window-size=800,600")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_weakens_our_rules_is_refused_with_the_reason(name):
    with pytest.raises(ValueError, match="is refused") as raised:
        chromium_flags(f"--{name}=x")

    why, instead = REFUSED[name]
    assert why in str(raised.value)
    assert instead in str(raised.value)


@pytest.mark.parametrize("raw", ["--made-up", "-", "'", "--lang=\x00", "x" * 5000, "--läng=x"])
def test_what_is_not_known_is_refused(raw):
    with pytest.raises(ValueError, match="flags"):
        chromium_flags(raw)


def test_there_is_a_limit():
    with pytest.raises(ValueError, match="up to"):
        chromium_flags("kiosk " * (MAX_FLAGS + 1))


def test_nothing_is_both_allowed_and_refused():
    assert not ALLOWED & REFUSED.keys()
