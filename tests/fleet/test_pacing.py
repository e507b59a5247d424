"""Which page is next: hosts in turn, and none faster than it may be asked."""

import pytest

from browse.core.errors import BrowseError
from browse.fleet.pacing import HostQueue, host_of, interval
from browse.fleet.visit import Page

ROOM = 4


def filled(queue: HostQueue, *hosts: str, each: int) -> HostQueue:
    for n in range(each):
        for host in hosts:
            queue.add(Page(n, f"http://{host}/{n}"), 0.0)
    return queue


def take(queue: HostQueue) -> str:
    page = queue.next(0.0, ROOM)
    assert page
    return page.url


def taken(queue: HostQueue, now: float = 0.0, room: int = ROOM) -> list[str]:
    found = []
    while page := queue.next(now, room):
        found.append(page.url.removeprefix("http://"))
    return found


@pytest.mark.parametrize(("rate", "seconds"), [("2/s", 0.5), ("30/m", 2.0), ("0.5/s", 2.0)])
def test_a_rate_is_pages_in_a_time(rate, seconds):
    assert interval(rate) == seconds


@pytest.mark.parametrize("rate", ["", "2", "2/d", "0/s", "-1/s", "x/s", "nan/s", "inf/s"])
def test_what_is_no_rate_is_refused(rate):
    with pytest.raises(BrowseError, match="is not a rate"):
        interval(rate)


def test_hosts_take_turns_and_keep_their_order():
    queue = filled(HostQueue(), "a", "b", each=2)

    assert taken(queue) == ["a/0", "b/0", "a/1", "b/1"]


def test_a_host_is_asked_as_often_as_it_may_be():
    queue = filled(HostQueue(0.5), "a", each=3)

    assert taken(queue, 0.0) == ["a/0"]
    assert queue.wait_s(0.2) == pytest.approx(0.3)
    assert taken(queue, 0.4) == []
    assert taken(queue, 0.5) == ["a/1"]
    assert len(queue) == 1


def test_the_pace_of_a_host_goes_on_when_a_page_ends():
    queue = filled(HostQueue(1.0), "a", each=2)
    take(queue)
    queue.done("http://a/0", 0.1)

    assert taken(queue, 0.5) == []
    assert taken(queue, 1.0) == ["a/1"]


def test_a_slow_host_holds_up_no_more_than_its_share():
    queue = filled(HostQueue(), "slow", "fast", each=100)
    under_way = [take(queue) for _ in range(4)]

    for _ in range(50):  # pages of the fast host end, those of the slow one do not
        at = next(it for it, url in enumerate(under_way) if "fast" in url)
        queue.done(under_way[at], 0.0)
        under_way[at] = take(queue)

    assert sum("slow" in url for url in under_way) == 2


def test_where_a_page_may_wait_at_a_worker_no_host_has_more_than_its_share():
    queue = filled(HostQueue(), "slow", "fast", each=100)

    assert taken(queue) == ["slow/0", "fast/0", "slow/1", "fast/1"]
    queue.done("http://fast/0", 0.0)
    assert taken(queue) == ["fast/2"]


def test_a_host_has_the_tabs_that_others_do_not_use():
    queue = filled(HostQueue(), "slow", each=100)
    for n in range(2):
        queue.add(Page(n, f"http://fast/{n}"), 0.0)

    assert taken(queue) == ["slow/0", "fast/0", "slow/1", "fast/1"]
    for n in range(2):
        queue.done(f"http://fast/{n}", 0.0)
    assert len(taken(queue)) == 98


def test_three_hosts_share_four_tabs():
    assert len(taken(filled(HostQueue(), "a", "b", "c", each=9))) == 4


def test_a_host_waits_for_its_rules():
    queue = HostQueue()
    assert queue.hold("http://a")
    assert not queue.hold("http://a")
    filled(queue, "a", "b", each=1)

    assert taken(queue) == ["b/0"]
    queue.release("http://a", 2.0, 0.0)
    assert taken(queue) == ["a/0"]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.com:8443/x", "https://example.com:8443"),
        ("http://me:secret@a/", "http://a"),
        ("not a url", "://"),
        ("http://[::1", ""),
    ],
)
def test_a_host_is_scheme_name_and_port(url, host):
    assert host_of(url) == host
