"""What is carried of cookies that both sides have."""

from browse.browser.window.carry import CarriedSession, CarriedTab, _merged


def cookie(value: str, name: str = "a", path: str = "/") -> dict[str, str]:
    return {"name": name, "domain": "x.test", "path": path, "value": value}


def test_of_two_cookies_the_carried_one_stays():
    there = [cookie("old"), cookie("other", path="/b"), cookie("mine", name="b")]

    merged = _merged(there, [cookie("new")])

    assert sorted(it["value"] for it in merged) == ["mine", "new", "other"]


def test_a_session_in_which_nothing_was_done_is_blank():
    empty: dict[str, list[object]] = {"cookies": [], "origins": []}
    blank, page = CarriedTab("about:blank"), CarriedTab("about:blank", markup="<p>")

    def is_blank(tab: CarriedTab, storage: dict[str, list[object]]) -> bool:
        tabs: dict = {1: tab}
        return CarriedSession(storage, tabs, []).is_blank

    assert is_blank(blank, empty)
    assert not is_blank(page, empty)
    assert not is_blank(CarriedTab("http://x.test/"), empty)
    assert not is_blank(blank, {**empty, "cookies": [cookie("a")]})
