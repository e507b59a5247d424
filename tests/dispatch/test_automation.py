"""The gate of automation: what is held, what passes, and who can let it go."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from browse.browser.elements.confirm_target import ActionTargets
from browse.browser.page.shapes import Identity
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.dispatch.activity import Activity
from browse.dispatch.automation import LOCKED_S, MAX_WRONG, SELECTOR, Automation
from browse.dispatch.pending_steps import PendingStep
from browse.registry.params import SECRET, Doc
from browse.registry.results import Text
from browse.registry.signature import Argument
from browse.registry.spec import Lane
from support.fakes import a_caller, a_runner, a_spec, run

TARGET = Argument("target", SELECTOR, Doc(""), required=True)
VALUE = Argument("value", SECRET, Doc(""), required=False)


def pay(number: int = 1) -> Identity:
    return Identity("doc", number=number, role="button", name="Pay")


class Page:
    """A page that a look finds, and that can change."""

    def __init__(self) -> None:
        self.element = pay()

    async def look(self, tab, targets, *, anyway, keys) -> ActionTargets:
        return ActionTargets("https://shop.example/cart", (self.element,) * len(targets))


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def automation(tmp_path, page, clock) -> Automation:
    def codified(bound) -> bool:
        return "#approved" in bound.values.values()

    file = tmp_path / "on.json"
    return Automation(file, Activity(), codified=codified, look=page.look, clock=clock)


@pytest.fixture
def pressed() -> list[str]:
    return []


@pytest.fixture
def runner(automation, pressed):
    async def press(_, target, value=None) -> Text:
        pressed.append(target)
        return Text(f"Pressed {target}", {"target": target})

    async def look(_) -> Text:
        return Text("seen", {"seen": True})

    act = a_spec(press, "act", args=(TARGET, VALUE), scope=Scope.WRITE, mutates=True)
    free = replace(act, name="free", lane=Lane.FREE, args=(), handler=look)
    return a_runner(act, free, a_spec(look, "look"), automation=automation)


async def waiting(runner, automation, *words: str, **more) -> PendingStep:
    _, error = await run(runner, *words, **more)
    assert error is not None
    assert error.code is Code.NEEDS_CONFIRMATION
    return automation.steps.find_any(error.facts["id"])


async def confirmed(runner, held: PendingStep) -> BrowseError | None:
    call = replace(held.call, confirmed=held.id)
    _, error = await run(runner, *call.words, tab_id=call.tab_id, confirmed=held.id)
    return error


async def test_nothing_is_held_while_it_is_off(runner, pressed):
    assert (await run(runner, "act", "#x"))[1] is None
    assert pressed == ["#x"]


async def test_what_changes_something_is_held_and_told(runner, automation, pressed):
    await automation.begin()
    said, error = await run(runner, "act", "#x", "tea for two")

    assert error is not None
    assert (error.code, error.exit, pressed) == (Code.NEEDS_CONFIRMATION, 4, [])
    assert error.message.startswith(f"Step {error.facts['id']} waits for a person and has not run:")
    assert "act #x **** on shop.example" in error.message
    assert error.page == '[button] "Pay"\nvalue: [REDACTED — 11 chars]'
    assert f"browse confirm {error.facts['id']}" in said
    assert (await run(runner, "look"))[1] is None


async def test_what_is_typed_into_a_page_is_shown_unless_the_field_is_for_secrets(automation, page):
    await automation.begin()
    spec = a_spec(name="fill", args=(TARGET, VALUE), mutates=True, acts=True)
    runner = a_runner(spec, automation=automation)

    shown = await waiting(runner, automation, "fill", "#x", "tea")
    page.element = replace_secret(page.element)
    secret = await waiting(runner, automation, "fill", "#y", "hunter22")

    assert shown.page.endswith('value: "tea"')
    assert secret.page.endswith("value: [REDACTED — 8 chars]")


def replace_secret(element: Identity) -> Identity:
    return Identity(element.document, number=2, role="textbox", name="Password", secret=True)


async def test_what_has_no_tab_is_held_too(runner, automation):
    await automation.begin()

    assert (await waiting(runner, automation, "free")).title == "free"


async def test_what_the_owner_approved_passes(runner, automation, pressed):
    await automation.begin()

    assert (await run(runner, "act", "#approved"))[1] is None
    assert pressed == ["#approved"]


async def test_the_commands_of_a_skill_pass(runner, automation, pressed):
    await automation.begin()
    skill = a_caller(Scope.READ | Scope.WRITE, name="skill:shop:0011")

    assert (await run(runner, "act", "#x", caller=skill))[1] is None
    assert pressed == ["#x"]


async def test_a_confirmed_step_runs_on_the_very_same_element_only(
    runner, automation, page, pressed
):
    await automation.begin()
    held = await waiting(runner, automation, "act", "#x")
    page.element = pay(number=2)

    error = await confirmed(runner, held)
    assert error is not None
    assert (error.code, pressed) == (Code.STEP_CHANGED, [])
    page.element = pay()
    assert await confirmed(runner, held) is None
    assert pressed == ["#x"]


async def test_what_a_confirmed_step_runs_inside_itself_is_not_held_again(
    runner, automation, pressed
):
    await automation.begin()
    held = await waiting(runner, automation, "free")
    inside = replace(held.call, confirmed=held.id).inner(("act", "#x"), within="free")
    outside = held.call.inner(("act", "#y"), within="chain")

    assert (await run(runner, *inside.words, within=inside.within, confirmed=held.id))[1] is None
    assert (await run(runner, *outside.words, within=outside.within))[1] is not None
    assert pressed == ["#x"]


async def test_the_person_types_what_the_step_shows(runner, automation):
    await automation.begin()
    held = await waiting(runner, automation, "act", "#x")

    for typed in (b"", b"yes", b"\xff"):
        with pytest.raises(BrowseError) as caught:
            automation.check_code(held, typed)
        assert caught.value.code is Code.NOT_CONFIRMED
    automation.check_code(held, held.code.encode() + b"\n")


async def test_with_a_pin_the_code_is_not_enough(runner, automation):
    await automation.begin("2468 or so")
    held = await waiting(runner, automation, "act", "#x")

    with pytest.raises(BrowseError, match="not the PIN"):
        automation.check_code(held, held.code.encode())
    automation.check_code(held, b"2468 or so\n")


async def test_who_guesses_is_locked_out_for_a_while(runner, automation, clock):
    await automation.begin()
    held = await waiting(runner, automation, "act", "#x")
    for _ in range(MAX_WRONG):
        with pytest.raises(BrowseError):
            automation.check_code(held, b"0")

    with pytest.raises(BrowseError, match="nothing is confirmed"):
        automation.check_code(held, held.code.encode())
    clock.now += LOCKED_S
    automation.check_code(held, held.code.encode())


async def test_it_is_on_for_the_next_daemon_too_until_it_ends(automation, tmp_path):
    assert await automation.begin("a pin")
    assert not await automation.begin()
    with pytest.raises(BrowseError, match="already"):
        await automation.begin("another")
    next_one = Automation(tmp_path / "on.json", Activity())
    next_one.load()

    assert next_one.mode == automation.mode
    assert (tmp_path / "on.json").stat().st_mode & 0o777 == 0o600
    assert await next_one.end()
    last = Automation(tmp_path / "on.json", Activity())
    last.load()
    assert last.mode is None
    assert not await last.end()


async def test_no_file_tells_the_pin_by_which_it_could_be_guessed(automation, tmp_path):
    written = set()
    for pin in ("2468", "1357"):
        await automation.begin(pin)
        kept = msgspec.json.decode((tmp_path / "on.json").read_bytes())
        written.add(msgspec.json.encode(kept | {"since": ""}))
        await automation.end()

    assert written == {b'{"since":"","pin":true}'}


async def test_after_a_restart_nothing_is_confirmed_until_a_new_pin_is_chosen(
    runner, automation, tmp_path
):
    await automation.begin("2468")
    held = await waiting(runner, automation, "act", "#x")
    next_one = Automation(tmp_path / "on.json", Activity())
    next_one.load()

    for typed in (held.code.encode(), b"2468"):
        with pytest.raises(BrowseError, match="not known any more"):
            next_one.check_code(held, typed)
    assert not await next_one.begin()
    assert await next_one.begin("1357")
    with pytest.raises(BrowseError, match="not the PIN"):
        next_one.check_code(held, b"2468")
    next_one.check_code(held, b"1357")


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b'{"since": 3}'])
def test_a_spoilt_file_does_not_turn_it_off(automation, tmp_path, spoilt):
    (tmp_path / "on.json").write_bytes(spoilt)
    automation.load()

    assert automation.mode is not None


async def test_a_short_pin_is_refused(automation):
    with pytest.raises(BrowseError, match="4 to 128"):
        await automation.begin("123")
    assert automation.mode is None


async def test_a_file_that_is_changed_meanwhile_makes_another_step(automation, tmp_path):
    from browse.registry.params import READ_FILE

    await automation.begin()
    spec = a_spec(
        name="upload", args=(Argument("file", READ_FILE, Doc(""), required=True),), mutates=True
    )
    runner = a_runner(spec, automation=automation)
    file = tmp_path / "a.txt"
    file.write_text("one")
    held = await waiting(runner, automation, "upload", str(file))
    file.write_text("two")

    error = await confirmed(runner, held)

    assert error is not None
    assert error.code is Code.STEP_CHANGED
    assert f"file: {file}" in held.page


async def test_asking_and_deciding_are_events_and_rows_without_what_was_typed(page, tmp_path):
    rows: list[str] = []
    automation = Automation(tmp_path / "on.json", feed := Activity(), look=page.look)
    spec = a_spec(name="fill", args=(TARGET, VALUE), mutates=True, acts=True)
    runner = a_runner(spec, automation=automation, audit=rows.append)
    await automation.begin()

    held = await waiting(runner, automation, "fill", "#x", "it's a secret")
    automation.steps.deny(held, "")
    automation.publish_decision(held)

    events = feed.latest(9)
    assert [(event["type"], event["state"]) for event in events] == [
        ("step", "asked"),
        ("step", "denied"),
    ]
    assert json.loads(rows[0])["error"].startswith(f"Step {held.id} waits for a person")
    assert "a secret" not in json.dumps([*events, *rows])
