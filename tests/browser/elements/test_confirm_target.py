"""What a command would act on, as a person is told it."""

from browse.browser.elements.confirm_target import Aim
from browse.browser.page.shapes import Identity

URL = "https://shop.example/cart"
PAY = Identity("doc", host="shop.example", number=1, role="button", name="Pay", words="Pay")


def test_an_element_is_told_by_role_and_name():
    assert Aim(URL, (PAY,)).lines() == ['[button] "Pay"']


def test_what_is_shown_under_another_name_is_told_too():
    posing = Identity("doc", number=1, role="button", name="Cancel", words="Pay 99")

    assert Aim(URL, (posing,)).lines() == ['[button] "Cancel" shown as "Pay 99"']


def test_a_frame_of_another_site_is_named():
    inside = Identity("doc", host="pay.example", number=1, role="button", name="Pay")

    assert Aim(URL, (inside,)).lines() == ['[button] "Pay" in a frame of pay.example']


def test_nothing_is_told_where_nothing_has_the_focus():
    assert Aim(URL, (Identity("doc"),), by_focus=True).lines() == []
    assert Aim(URL, (PAY,), by_focus=True).lines() == ['has the focus: [button] "Pay"']


def test_one_field_for_secrets_is_enough():
    secret = Identity("doc", number=2, secret=True)

    assert Aim(URL, (PAY, secret)).secret
    assert not Aim(URL, (PAY,)).secret
