import pytest

from browse.guard.secret_fields import names_a_secret_field


@pytest.mark.parametrize(
    "name", ["pin", "cardNumber", "user[cvv]", "Contraseña", "2fa", "PassCode", "one-time-code"]
)
def test_names_of_fields_for_secrets(name):
    assert names_a_secret_field(name)


@pytest.mark.parametrize("name", ["", "opinion", "spinner", "compass", "city", "card", "cccp"])
def test_names_of_other_fields(name):
    assert not names_a_secret_field(name)
