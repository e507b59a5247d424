"""Who gets one more tab."""

import pytest

from browse.browser.tabs.quota import OpeningTab, TabQuota

QUOTA = TabQuota(50)


def tabs(count: int, owner: str = "", *, is_popup: bool = False) -> list[OpeningTab]:
    return [OpeningTab(owner, is_popup) for _ in range(count)]


def gets_one(owner: str, others: list[OpeningTab], *, is_popup: bool = False) -> bool:
    return not QUOTA.refusal(others, owner, is_popup=is_popup)


@pytest.mark.parametrize(
    ("owner", "is_popup", "others", "room"),
    [
        ("", False, tabs(49), True),
        ("", False, tabs(50), False),
        ("agent", False, tabs(9, "agent"), True),
        ("agent", False, tabs(10, "agent"), False),
        ("agent", False, tabs(10, "other"), True),
        ("agent", False, tabs(45), False),
        ("agent", True, tabs(10, "agent"), False),
        ("", True, tabs(24, is_popup=True) + tabs(1), True),
        ("", True, tabs(25, is_popup=True), False),
        ("", True, tabs(45), False),
        ("", False, tabs(25, is_popup=True) + tabs(20, "agent"), True),
    ],
)
def test_there_is_room_for_one_more_or_not(owner, is_popup, others, room):
    assert gets_one(owner, others, is_popup=is_popup) is room


def test_agents_and_popups_together_leave_the_owner_a_tab():
    filled: list[OpeningTab] = []
    for owner in ("", *(f"agent{n}" for n in range(20))):
        for is_popup in (True, False):
            if not (owner or is_popup):
                continue
            while gets_one(owner, filled, is_popup=is_popup):
                filled.append(OpeningTab(owner, is_popup))

    assert len(filled) == 45
    assert gets_one("", filled)


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_small_limit_is_the_owners(limit):
    quota = TabQuota(limit)

    assert not quota.refusal(tabs(limit - 1), "", is_popup=False)
    assert quota.refusal(tabs(limit - 1), "agent", is_popup=False)
    assert quota.refusal(tabs(limit - 1), "", is_popup=True)
