"""The activity feed."""

import asyncio

from browse.dispatch.activity import KEPT, Activity
from support.fakes import a_runner, run


async def some(feed: Activity, after: int, count: int) -> list[dict]:
    events = []
    stream = feed.follow(after)
    async with asyncio.timeout(20):
        async for event in stream:
            events.append(event)
            if len(events) == count:
                break
    await stream.aclose()
    return events


def filled(count: int) -> Activity:
    feed = Activity()
    for number in range(count):
        feed.publish("command_end", "root", command=f"c{number}")
    return feed


async def test_events_are_numbered_stamped_and_told_from_a_cursor():
    events = await some(filled(5), 3, 2)

    assert [(event["id"], event["command"]) for event in events] == [(4, "c3"), (5, "c4")]
    assert events[0]["timestamp"].endswith("Z")
    assert events[0]["clientId"] == "root"


async def test_who_waits_is_woken():
    feed = filled(1)
    waiting = asyncio.create_task(some(feed, 1, 1))
    await asyncio.sleep(0)
    assert feed.watchers == 1

    feed.publish("command_start", "codex", command="goto")

    assert (await waiting)[0]["command"] == "goto"
    assert feed.watchers == 0


async def test_what_was_lost_is_told():
    feed = filled(KEPT + 10)

    gap, first = await some(feed, 4, 2)

    assert gap == {"type": "gap", "gapFrom": 5, "availableFrom": 11}
    assert first["id"] == 11


async def test_a_cursor_of_the_future_hears_what_comes():
    feed = filled(2)
    waiting = asyncio.create_task(some(feed, 10**12, 1))
    await asyncio.sleep(0)

    feed.publish("command_end", "root", command="next")

    assert (await waiting)[0]["command"] == "next"


def test_the_newest_are_listed_oldest_first():
    assert [event["id"] for event in filled(5).latest(2)] == [4, 5]
    assert filled(5).latest(0) == []
    assert len(filled(3).latest(50)) == 3


async def test_a_command_is_told_at_its_beginning_and_its_end_without_its_secrets():
    runner = a_runner()

    await run(runner, "goto", "https://example.com/?token=abcdefgh12345")
    await run(runner, "type", "my-secret-words")
    await run(runner, "no-such-command", "other-secret")

    events = runner.parts.activity.latest(50)
    assert [(event["type"], event["command"]) for event in events[:2]] == [
        ("command_start", "goto"),
        ("command_end", "goto"),
    ]
    assert events[-1]["type"] == "error"
    told = repr(events)
    assert not [word for word in ("abcdefgh12345", "my-secret", "other-secret") if word in told]


def test_a_message_is_a_strangers_words():
    feed = Activity()

    feed.say("codex", "hello \ud800")

    event = feed.latest(1)[0]
    assert (event["type"], event["clientId"]) == ("message", "codex")
    assert event["page"] == {"message": "hello \ufffd"}
