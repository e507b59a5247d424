"""The words of a command as a step keeps them: enough to type them again, without secrets."""

from browse.flow.steps import HIDDEN, Target
from browse.guard.files import ReadPath, WritePath
from browse.guard.secrets import MASK, looks_secret, redacted_url, scrubbed
from browse.guard.urls import NavUrl
from browse.registry.bind import Bound
from browse.registry.params import SECRET, SECRET_FROM
from browse.registry.shared_flags import COMMON
from browse.registry.signature import Argument
from browse.registry.spec import Group

MAX_WORD_CHARS = 20_000
# They choose the tab or shape the reply; another run has its own.
_DROPPED = frozenset(arg.name for arg in COMMON)


def kept_words(bound: Bound, *, secret: bool) -> tuple[str, ...]:
    """Return the words after a command's name; `secret` hides the text that was typed."""
    plain: dict[str, list[str]] = {}
    flags: list[str] = []
    from_elsewhere: list[str] = []
    for arg, word, value in bound.given:
        if arg.name in _DROPPED:
            continue
        if arg.param is SECRET_FROM:
            # Where it came from then is of no use to another run: it gets a value of its own.
            from_elsewhere = [HIDDEN]
            continue
        if arg.switch:
            flags.append(word)
            continue
        kept = _kept(bound, arg, word, value, secret=secret)
        if arg.flag:
            flags.append(f"{arg.spelled}={kept}")
        else:
            plain.setdefault(arg.name, []).append(kept)
    # Several words that make up one text become one hidden word.
    words = [word for its in plain.values() for word in ([HIDDEN] if HIDDEN in its else its)]
    words += from_elsewhere
    if any(len(word) > 1 and word[0] == "-" for word in words):
        return (*flags, "--", *words)
    return (*words, *flags)


def _kept(bound: Bound, arg: Argument, word: str, value: object, *, secret: bool) -> str:
    if isinstance(value, NavUrl):
        return redacted_url(value.text)
    if isinstance(value, ReadPath | WritePath):
        return value.real
    if secret and MASK in arg.param.noted(word):
        return HIDDEN
    if arg.param is SECRET and bound.spec.group is not Group.INTERACTION:
        return HIDDEN
    if looks_secret(word) or len(word) > MAX_WORD_CHARS:
        return HIDDEN
    return scrubbed(word)


def placed(words: tuple[str, ...], targets: dict[str, Target], found: dict[str, str]) -> list[str]:
    """Replace the words that named targets with what was found for each."""
    again = list(words)
    for name, target in targets.items():
        for at, word in enumerate(again):
            flag, equals, given = word.partition("=")
            if word == target.word:
                again[at] = found[name]
            elif equals and flag.startswith("--") and given == target.word:
                again[at] = f"{flag}={found[name]}"
            else:
                continue
            break
    return again


def valued(words: list[str], value: str | None) -> list[str]:
    """Replace what is hidden with a value; one that looks like a flag is kept from being one."""
    if value is None:
        return words
    filled = [_filled(word, value) if HIDDEN in word else word for word in words]
    if not value.startswith("-") or "--" in filled:
        return filled
    flags = [word for word in filled if word.startswith("--") and word != value]
    return [*flags, "--", *(word for word in filled if word not in flags)]


def _filled(word: str, value: str) -> str:
    flag, equals, hidden = word.partition("=")
    return f"{flag}={value}" if equals and flag.startswith("--") and HIDDEN in hidden else value
