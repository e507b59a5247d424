"""The ceiling on a reply."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.browser.logs.ring_buffer import RingBuffer
from browse.egress.ceiling import ReplyPage, cut, cut_by_rank, cut_log, trim
from browse.registry.results import ENTRY_SPAN, Entry, PageText, log_text
from support.hostile import fuzz

lines = st.text("abc é\n", max_size=300)
# Each of these takes more than one place in JSON.
awkward = st.text('ab"\\\n\t\x01é😀', max_size=300)
STEPS = 1000


def size(data: object) -> int:
    return len(msgspec.json.encode(data).decode())


def shortened(data: dict, limit: int, after: int = 0) -> dict:
    return trim(data, limit=limit, after=after, size=size(data))


@fuzz
@given(lines, st.integers(1, 80))
def test_the_pages_of_a_text_are_the_whole_text(text, limit):
    whole, after = "", 0
    for _ in range(STEPS):
        page = cut(text, limit=limit, after=after)
        assert len(page.text) <= limit or page.next is None
        if page.next is None:
            break
        assert text[after : page.next] in (page.text, page.text + "\n")
        whole, after = whole + text[after : page.next], page.next

    assert whole + page.text in (text, text.removesuffix("\n"))


def test_items_that_were_not_read_are_counted_and_follow():
    data = {"page": {"rows": ["a", "b", "c"]}}

    whole = trim(data, limit=1000, after=0, size=size(data), left=7)

    assert whole["page"]["rows"] == ["a", "b", "c"]
    assert whole["truncated"] == {"field": "page.rows", "from": 0, "kept": 3, "of": 10, "next": 3}


@fuzz
@given(lines, st.integers(1, 80), st.integers(0, 400))
def test_a_page_is_never_longer_than_the_limit(text, limit, after):
    assert len(cut(text, limit=limit, after=after).text) <= limit


@fuzz
@given(lines, st.integers(0, 400))
def test_no_limit_gives_all_of_the_rest(text, after):
    page = cut(text, limit=0, after=after)

    assert (page.text, page.note, page.next) == (text[after:], "", None)


def test_the_note_says_how_much_is_left_and_how_to_get_it():
    page = cut("line\n" * 1000, limit=52, after=0)

    assert page.text == "line\n" * 9 + "line"
    assert page.note == (
        "[4,950 of 5,000 characters left out: "
        "add --after 50 for the rest, or --max-chars 0 for all]"
    )


def test_a_last_line_end_beyond_the_limit_is_nothing_left_out():
    page = cut("abc\n", limit=3, after=0)

    assert (page.text, page.note, page.next) == ("abc", "", None)


@fuzz
@given(awkward, st.integers(200, 600))
def test_shortened_data_fits(text, limit):
    data = {"page": {"url": "https://example.com", "text": text}}

    assert size(shortened(data, limit)) <= limit


@fuzz
@given(awkward, st.integers(170, 400))
def test_the_pages_of_a_text_in_data_are_the_whole_text(text, limit):
    data = {"ok": True, "page": {"text": text}}
    whole, after = "", 0
    for _ in range(STEPS):
        page = shortened(data, limit, after)
        whole += page["page"]["text"]
        if "next" not in page["truncated"]:
            break
        after = page["truncated"]["next"]

    assert whole == text


@fuzz
@given(st.lists(st.integers() | st.text(max_size=30), max_size=40), st.integers(150, 400))
def test_the_pages_of_a_list_are_the_whole_list(items, limit):
    data = {"page": {"links": items}}
    whole: list = []
    for _ in range(STEPS):
        page = shortened(data, limit, len(whole))
        whole += page["page"]["links"]
        if "next" not in page["truncated"]:
            break
        assert page["truncated"]["next"] == len(whole)

    assert whole == items


def test_a_list_whose_weight_is_at_its_beginning_fits():
    data = {"rows": ["x" * 900] * 10 + ["y"] * 10_000}

    page = shortened(data, 2_000)

    assert size(page) <= 2_000
    assert page["rows"] == ["x" * 900] * 2


def test_text_full_of_quotes_keeps_a_fair_part_of_the_limit():
    data = {"page": {"html": '<a href="/x">\n' * 60_000}}

    page = shortened(data, 50_000)

    assert 49_000 < size(page) <= 50_000


def test_the_longest_field_is_the_one_that_is_shortened():
    data = {"a": "x" * 50, "page": {"deep": {"b": "y" * 5000}, "c": [1, 2]}}

    page = shortened(data, 1000)

    assert page["a"] == "x" * 50
    assert page["page"]["c"] == [1, 2]
    note = page["truncated"]
    assert (note["field"], note["of"], note["from"]) == ("page.deep.b", 5000, 0)
    assert note["kept"] == note["next"] == len(page["page"]["deep"]["b"])


def test_one_item_is_kept_even_if_it_is_too_long():
    page = shortened({"rows": ["x" * 5000, "y"]}, 100)

    assert page["truncated"]["next"] == 1


@pytest.mark.parametrize("limit", [1, 5, 0])
def test_facts_without_a_text_or_a_list_stay_as_they_are(limit):
    assert shortened({"waited": 10, "page": {"ok": True}}, limit, after=3) == {
        "waited": 10,
        "page": {"ok": True},
    }


def test_beyond_the_end_there_is_nothing_and_no_next():
    page = shortened({"text": "abc"}, 0, after=10)

    assert page["text"] == ""
    assert "next" not in page["truncated"]


@fuzz
@given(
    st.lists(st.tuples(st.text("ab", max_size=8), st.integers(0, 3)), min_size=1, max_size=30),
    st.integers(12, 60),
)
def test_pages_by_rank_are_the_whole_text_with_low_ranks_first(rows, limit):
    lines, ranks = zip(*rows, strict=True)
    numbered = [f"{number} {line}" for number, line in enumerate(lines)]
    text, pages = "\n".join(numbered), []
    following: int | None = 0
    while following is not None:
        page = cut_by_rank(text, ranks, limit=limit, after=following)
        pages.append(page.text.split("\n"))
        following = page.next

    shown = [line for page in pages for line in page]
    assert sorted(shown) == sorted(numbered)
    worst = [max(ranks[numbered.index(line)] for line in page) for page in pages]
    assert worst == sorted(worst)
    assert all(page == sorted(page, key=numbered.index) for page in pages)


def test_text_that_goes_on_always_has_a_next_page():
    page = cut_by_rank("one\ntwo\nthree", [0, 0, 0], limit=100, after=0, more=7)

    assert page == ReplyPage(
        "one\ntwo\nthree",
        "[7 lines left out: add --after 14 for the rest, or --max-chars 0 for all]",
        14,
    )
    assert cut_by_rank("one\ntwo\nthree\nfour", [0, 0, 0, 0], limit=100, after=14).text == "four"


def test_lines_that_are_cut_count_with_those_that_were_not_built():
    page = cut_by_rank("one\ntwo\nthree", [0, 0, 0], limit=7, after=0, more=7)

    assert page.text == "one\ntwo"
    assert page.note.startswith("[8 lines left out: add --after 8 ")


def test_a_line_longer_than_the_limit_is_cut():
    page = cut_by_rank("short\n" + "x" * 100, [1, 0], limit=30, after=0)

    assert page.text == "x" * 30
    assert (
        cut_by_rank("short\n" + "x" * 100, [1, 0], limit=0, after=30).text == "x" * 70 + "\nshort"
    )


def log_of(*words: str, most: int = 1_000) -> RingBuffer[str]:
    ring: RingBuffer[str] = RingBuffer(len, max_entries=most)
    for word in words:
        ring.add(word)
    return ring


def as_result(ring: RingBuffer[str]) -> PageText:
    kept = [Entry(number, word, {"word": word}) for number, word in ring.numbered()]
    return log_text(kept, "log", "rows", oldest=ring.oldest)


def log_page(ring: RingBuffer[str], limit: int, after: int) -> ReplyPage:
    shown = as_result(ring)
    assert shown.entries
    return cut_log(shown.text, shown.entries, limit=limit, after=after)


def log_rows(ring: RingBuffer[str], limit: int, after: int) -> tuple[list[str], dict]:
    shown = as_result(ring)
    data = dict(shown.data)
    cut_data = trim(data, limit=limit, after=after, size=size(data), entries=shown.entries)
    return [row["word"] for row in cut_data["page"]["rows"]], cut_data["truncated"]


def run_on(text: str) -> str:
    """Take the line ends out: those between pages are not shown."""
    return text.replace("\n", "")


@fuzz
@given(
    st.lists(lines, min_size=1, max_size=8),
    st.lists(lines, max_size=8),
    st.integers(1, 80),
)
def test_the_pages_of_a_log_have_every_entry_once_though_it_grows(before, later, limit):
    ring, coming = log_of(*before), iter(later)
    parts: list[str] = []
    after: int | None = 0
    for _ in range(STEPS):
        page = log_page(ring, limit, after or 0)
        assert len(page.text) <= limit
        parts.append(page.text)
        after = page.next
        if after is None:
            break
        for word in coming:
            ring.add(word)
            break

    assert after is None
    assert run_on("".join(parts)) == run_on("".join(ring))


def test_a_page_of_a_log_ends_with_a_whole_entry_where_one_fits():
    ring = log_of("one", "two\nof two lines", "three")

    assert log_page(ring, 12, 0) == ReplyPage(
        "one",
        "[22 of 26 characters left out: "
        f"add --after {2 * ENTRY_SPAN} for the rest, or --max-chars 0 for all]",
        2 * ENTRY_SPAN,
    )


def test_an_entry_that_says_more_by_now_moves_no_other():
    ring = log_of("GET /a pending", "GET /b pending", "GET /c pending")
    page = log_page(ring, 20, 0)
    assert (page.text, page.next) == ("GET /a pending", 2 * ENTRY_SPAN)
    told = log_of("GET /a 200 (312 ms, 77,112 B)", "GET /b 200", "GET /c 200")

    assert log_page(told, 0, 2 * ENTRY_SPAN).text == "GET /b 200\nGET /c 200"


def test_what_a_log_dropped_before_it_was_shown_is_told():
    ring = log_of("one", "two", "three", most=3)
    after = log_page(ring, 4, 0).next
    assert after == 2 * ENTRY_SPAN
    for word in ("four", "five", "six"):
        ring.add(word)

    page = log_page(ring, 0, after)
    rows, note = log_rows(ring, 0, after)

    assert page.text == "four\nfive\nsix"
    assert page.note == "[missing here: 2 entries that the log has dropped since]"
    assert rows == ["four", "five", "six"]
    assert note["missing"] == 2


def test_nothing_is_missing_from_a_log_that_is_read_from_its_start():
    ring = log_of("one", "two", "three", most=2)

    assert log_page(ring, 0, 0) == ReplyPage("two\nthree", "", None)


def test_a_log_that_was_forgotten_goes_on_with_what_came_since():
    ring = log_of("one", "two", "three")
    after = log_page(ring, 4, 0).next or 0
    ring.clear()
    ring.add("four")

    assert log_page(ring, 0, after).text == "four"
    assert log_page(log_of("one"), 0, after).text == ""


@fuzz
@given(st.lists(awkward, min_size=2, max_size=8), st.integers(1, 400))
def test_the_pages_of_a_log_as_data_have_every_entry_once_though_it_grows(words, limit):
    ring = log_of(words[0])
    coming = iter(words[1:])
    rows, note = log_rows(ring, limit, 0)
    for word in coming:
        ring.add(word)
        more, note = log_rows(ring, limit, note.get("next", ring.total * ENTRY_SPAN))
        rows += more
    while "next" in note:
        more, note = log_rows(ring, limit, note["next"])
        rows += more

    assert rows == words


def test_a_list_beside_a_log_is_not_taken_for_it():
    ring = log_of("a", "b", "c")
    shown = as_result(ring)
    data = {**shown.data, "warned": ["a very long word of ours " * 20]}

    told = trim(data, limit=20, after=0, size=size(data), entries=shown.entries)

    assert told["truncated"]["field"] == "page.rows"
    assert told["truncated"]["next"] == 2 * ENTRY_SPAN


THREE = "one\ntwo\nthree"


@pytest.mark.parametrize(("limit", "shown"), [(8, "one\ntwo"), (100, THREE), (0, THREE)])
def test_a_text_that_was_not_read_to_its_end_has_a_next_page(limit, shown):
    page = cut(THREE, limit=limit, after=0, unread=True)

    assert page.text == shown
    assert page.next == len(shown) + 1
    assert page.note == (
        f"[more was not read: add --after {len(shown) + 1} for the rest, or --max-chars 0 for all]"
    )
