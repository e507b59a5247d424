"""Pages of a log that has its newest entries first."""

from hypothesis import given
from hypothesis import strategies as st

from browse.browser.logs.ring_buffer import RingBuffer
from browse.egress.ceiling import ReplyPage, cut_log, trim
from browse.registry.results import ENTRY_SPAN, Entry, PageText, log_text
from support.hostile import fuzz

lines = st.text("abc é\n", max_size=300)
STEPS = 1000


def log_of(*words: str, most: int = 1_000) -> RingBuffer[str]:
    ring: RingBuffer[str] = RingBuffer(len, max_entries=most)
    for word in words:
        ring.add(word)
    return ring


def run_on(text: str) -> str:
    """Take the line ends out: those between pages are not shown."""
    return text.replace("\n", "")


def page_of(shown: PageText, limit: int, after: int) -> ReplyPage:
    assert shown.entries
    return cut_log(shown.text, shown.entries, limit=limit, after=after)


def newest_first(ring: RingBuffer[str], **more: bool) -> PageText:
    kept = [Entry(number, word, {"word": word}) for number, word in reversed(ring.numbered())]
    return log_text(kept, "log", "rows", oldest=ring.oldest, newest_first=True, **more)


@fuzz
@given(st.lists(lines, min_size=1, max_size=8), st.integers(1, 80))
def test_the_pages_of_a_log_with_the_newest_first_are_what_it_was_at_first(words, limit):
    ring, whole = log_of(*words), ""
    after: int | None = 0
    for number in range(STEPS):
        page = page_of(newest_first(ring), limit, after or 0)
        whole, after = whole + page.text, page.next
        if after is None:
            break
        ring.add(f"later {number}")

    assert after is None
    assert run_on(whole) == run_on("".join(reversed(words)))


def test_older_entries_that_a_log_dropped_before_they_were_shown_are_told():
    ring = log_of("one", "two", "three", most=3)
    after = page_of(newest_first(ring), 10, 0).next
    assert after == ENTRY_SPAN
    for word in ("four", "five", "six"):
        ring.add(word)

    shown = newest_first(ring)
    page = page_of(shown, 0, after)

    assert page.text == ""
    assert page.note == "[missing here: older entries that the log has dropped since]"
    data = trim(shown.data, limit=0, after=after, size=0, entries=shown.entries)
    assert data["truncated"]["missing"] is True


def test_a_page_of_so_many_entries_says_how_many_are_left():
    shown = newest_first(log_of("one", "two", "three"), limited=True)
    page = page_of(shown, 6, 0)
    data = trim(shown.data, limit=60, after=0, size=200, entries=shown.entries)

    assert f"add --last 2 --after {2 * ENTRY_SPAN} for the rest" in page.note
    assert data["truncated"]["last"] == 2
