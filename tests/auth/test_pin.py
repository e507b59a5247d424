"""A PIN is known again, and cannot be read back."""

from browse.auth.pin import Pin


def test_a_pin_matches_itself_only():
    pin = Pin.of("correct horse")

    assert pin.matches("correct horse")
    assert not pin.matches("Correct horse")
    assert not pin.matches("")


def test_what_is_kept_does_not_tell_the_pin_nor_that_two_are_the_same():
    one, other = Pin.of("24681357"), Pin.of("24681357")

    assert "24681357" not in one.hash
    assert one.hash != other.hash
