"""The canary is found in whatever form it leaves, and nowhere else."""

import base64
import re
import secrets
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.security.canary import MAX_CALLERS, Canary
from support.hostile import any_text, fuzz

DIGITS = "0F974EAA1EB7"
TOKEN = f"CANARY-{DIGITS}"
FORMS = {
    "plain": TOKEN,
    "digits alone": DIGITS,
    "lower case": TOKEN.lower(),
    "in a sentence": f"the reference is {TOKEN}, I think",
    "in an address": f"https://example.com/?q={TOKEN}&x=1",
    "spaced": " ".join(TOKEN),
    "in lines": "\n".join(TOKEN),
    "zero-width": "\u200b".join(TOKEN),
    "wide": "".join(chr(ord(char) + 0xFEE0) for char in TOKEN),
    "reversed": TOKEN[::-1],
    "percent": "".join(f"%{ord(char):02x}" for char in TOKEN),
    "percent, some": TOKEN.replace("4", "%34").replace("A", "%41"),
    "percent, twice": quote("".join(f"%{ord(char):02X}" for char in DIGITS)),
    "hex": TOKEN.encode().hex(),
    "hex with colons": TOKEN.encode().hex(":").upper(),
    "escapes": "".join(f"\\x{ord(char):02x}" for char in TOKEN),
    "unicode escapes": "".join(f"\\u{ord(char):04x}" for char in TOKEN),
    "braced escapes": "".join(f"\\u{{{ord(char):x}}}" for char in TOKEN),
    "a list of bytes": ", ".join(f"0x{ord(char):02x}" for char in TOKEN),
    "character codes": f"String.fromCharCode({','.join(str(ord(char)) for char in TOKEN)})",
    "entities": "".join(f"&#{ord(char)};" for char in TOKEN),
    "hex entities": "".join(f"&#x{ord(char):x};" for char in TOKEN),
    "octal escapes": "".join(f"\\{ord(char):03o}" for char in TOKEN),
    "octal escapes, some": TOKEN.replace("4", "\\64").replace("A", "\\101"),
    "octal escapes for echo": "".join(f"\\0{ord(char):o}" for char in TOKEN),
    "octal numbers": ", ".join(f"0o{ord(char):o}" for char in TOKEN),
    "old octal numbers": ", ".join(f"0{ord(char):o}" for char in TOKEN),
    "joined strings": f"'{TOKEN[:9]}' + '{TOKEN[9:]}'",
    "an array": str(list(TOKEN)),
}


@pytest.fixture
def canary() -> Canary:
    made = Canary(DIGITS)
    made.tell()
    return made


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_it_is_found_in_every_spelling(canary, text):
    assert canary.is_in(text)
    assert canary.is_in(text.encode())
    assert canary.is_typed("someone", ["#field", text], text)


@fuzz
@given(st.binary(max_size=20), st.binary(max_size=20), st.booleans(), st.booleans())
def test_it_is_found_in_base64_wherever_it_stands(before, after, lower, url_safe):
    canary = Canary(DIGITS)
    token = canary.tell().lower() if lower else canary.tell()
    coded = base64.b64encode(before + token.encode() + after, b"-_" if url_safe else None)

    assert canary.is_in(coded)
    assert canary.is_in("\n".join(re.findall(".{1,10}", coded.decode())))


@fuzz
@given(any_text)
def test_text_does_not_hold_it_by_accident(text):
    canary = Canary()
    canary.tell()

    assert not canary.is_in(text)


def test_hex_and_base64_do_not_hold_it_by_accident(canary):
    for _ in range(50):
        raw = secrets.token_bytes(20_000)
        assert not canary.is_in(raw.hex())
        assert not canary.is_in(base64.b64encode(raw))


@pytest.mark.parametrize(
    "text", ["CANARY-", "CANARY-0F974EAA1EB", "canary bird", "", "%", "\\x", "0x"]
)
def test_a_part_of_it_is_not_it(canary, text):
    assert not canary.is_in(text)


def test_each_is_random():
    tokens = {Canary().tell() for _ in range(100)}

    assert len(tokens) == 100
    assert all(re.fullmatch("CANARY-[0-9A-F]{12}", token) for token in tokens)


def test_what_was_told_to_nobody_is_nowhere():
    canary = Canary(DIGITS)

    assert not canary.is_in(TOKEN)
    assert not canary.is_typed("someone", [TOKEN], TOKEN)


def typed(canary: Canary, *commands: list[str], who: str = "someone") -> list[bool]:
    return [canary.is_typed(who, words, words[-1]) for words in commands]


def test_pieces_in_several_commands_are_put_together(canary):
    assert typed(canary, [TOKEN[:10]], [TOKEN[10:]]) == [False, True]


def test_pieces_are_put_together_whatever_else_the_commands_say(canary):
    pieces = [["#first", DIGITS[:4]], ["#second", DIGITS[4:9]], ["#third", DIGITS[9:]]]

    assert typed(canary, *pieces) == [False, False, True]


def test_single_keys_are_put_together(canary):
    assert typed(canary, *([key] for key in TOKEN))[-1] is True


def test_encoded_pieces_are_put_together(canary):
    coded = base64.b64encode(f"xx{TOKEN}".encode()).decode()

    assert typed(canary, [coded[:16]], [coded[16:]]) == [False, True]


def test_pieces_of_different_callers_are_not_put_together(canary):
    assert typed(canary, [DIGITS[:6]], who="one") == [False]
    assert typed(canary, [DIGITS[6:]], who="two") == [False]


def test_what_was_typed_can_be_forgotten(canary):
    typed(canary, [DIGITS[:6]])
    canary.forget("someone")

    assert typed(canary, [DIGITS[6:]]) == [False]


@pytest.mark.parametrize("at", [4, 5, 6, 7, 8])
def test_two_pieces_are_put_together_however_far_apart(canary, at):
    filler = "the quick brown fox jumps over the lazy dog " * 20
    pieces = [[DIGITS[:at]], [filler], [filler], [DIGITS[at:].lower()]]

    assert typed(canary, *pieces) == [False, False, False, True]
    assert typed(canary, *pieces[::-1], who="backwards") == [False, False, False, True]
    assert typed(canary, [f"{DIGITS[:at]} {filler} {DIGITS[at:]}"], who="at once") == [True]


def test_three_pieces_are_put_together_if_they_are_not_too_far_apart(canary):
    near, far = "word " * 100, "word " * 400
    pieces = DIGITS[:4], DIGITS[4:8], DIGITS[8:]

    assert typed(canary, [f" {near} ".join(pieces)]) == [True]
    assert typed(canary, [f" {far} ".join(pieces)], who="another") == [False]


def test_encoded_pieces_far_apart_are_put_together(canary):
    coded = ["".join(f"\\x{ord(char):02x}" for char in half) for half in (DIGITS[:6], DIGITS[6:])]

    assert typed(canary, [coded[0]], ["x" * 300], [coded[1]]) == [False, False, True]


def test_random_data_does_not_hold_the_pieces_by_accident():
    for _ in range(20):
        canary = Canary()
        canary.tell()
        assert not any(typed(canary, *([secrets.token_hex(2_000)] for _ in range(8))))


def test_not_everything_is_remembered(canary):
    assert typed(canary, [DIGITS[:6]], ["x" * 100_000], [DIGITS[6:]]) == [False] * 3
    for number in range(MAX_CALLERS * 2):
        typed(canary, ["x"], who=str(number))
    assert len(canary._typed) == MAX_CALLERS


def test_a_long_text_is_looked_through_to_its_end(canary):
    assert canary.is_in("%41x" * 1_000_000 + TOKEN)
