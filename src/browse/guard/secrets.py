"""Secrets that must not be shown: recognised by name, by prefix, and inside addresses."""

import re
from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

from browse.guard.credential_kinds import KINDS
from browse.guard.credentials import MASK as MASK
from browse.guard.credentials import masked
from browse.guard.secret_fields import FILLS, names_a_secret_field

_NAME = re.compile(
    r"(^|[_.\-\[\]])(token|secret|key|password|passwd|pwd|credential|auth|authorization|jwt|session|csrf|xsrf|sid|sig|signature)s?"
    r"($|[_.\-\[\]])|api.?key|sess(ion)?id",
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TELLING = "|".join(kind.telling for kind in KINDS if kind.telling)
_BEGINNING = re.compile(_TELLING)
_WHOLE = tuple((kind, kind.pattern) for kind in KINDS if not kind.telling)
# It begins where a pair does: searched at every letter, a long address would take minutes.
_PAIR = re.compile(r"(?<![^&])([^&=]*)=([^&]*)")
# A page chooses the text that these search, so each is bounded and begins at a word boundary.
_NAMED = re.compile(r"""(?<![\w.\-\[\]])([\w.\-\[\]]{1,64})(["']?\s{0,4}[=:]\s{0,4}["']?)""")
_NAMED_VALUE = re.compile(r"""(?:(?:Bearer|Basic)\s{1,4})?[^\s"'&;,<>(){}]{4,4096}""")
_QUOTED = {quote: re.compile(rf"(?:[^{quote}\\\n]|\\.){{1,4096}}(?={quote})") for quote in "\"'"}
_TOKEN = re.compile(rf"\b({_TELLING})[\w.~+/=-]{{8,4096}}")
_LOGIN = re.compile(r"://[^\s/@]{1,256}@")
_ALWAYS = re.compile("passw|pwd|secret|token|api.?key|authorization|credential", re.IGNORECASE)
_INPUT = re.compile(r"<input\b[^<>]{0,4000}>", re.IGNORECASE)
_SECRET_FIELD = re.compile(
    r"""\btype\s{0,4}=\s{0,4}["']?password\b|\bautocomplete\s{0,4}=\s{0,4}["']?"""
    rf"""[^"'>]{{0,80}}(?:{FILLS})""",
    re.IGNORECASE,
)
_CALLED = re.compile(r"""\b(?:name|id)\s{0,4}=\s{0,4}["']?([^"'\s>]{1,200})""", re.IGNORECASE)
_FIELD_VALUE = re.compile(
    r"""(\svalue\s{0,4}=\s{0,4})(?:"[^"]{1,999}"|'[^']{1,999}'|[^\s"'<>]{1,4000})""",
    re.IGNORECASE,
)
HIDDEN_HEADERS = frozenset(
    {
        "authorization",
        "cookie",
        "proxy-authorization",
        "set-cookie",
        "x-api-key",
        "x-auth-token",
        "x-csrf-token",
        "x-xsrf-token",
    }
)


@lru_cache(maxsize=1_024)
def names_a_secret(name: str) -> bool:
    """Check whether a cookie, a field or a parameter of that name holds a secret."""
    return _NAME.search(_HUMP.sub("_", name)) is not None or names_a_secret_field(name)


def looks_secret(value: str) -> bool:
    """Check whether a value is, or begins like, a credential of a known kind."""
    if _BEGINNING.match(value):
        return True
    whole = ((kind, pattern.match(value)) for kind, pattern in _WHOLE)
    return any(found and kind.test(found[0]) for kind, found in whole)


def redacted(name: str, value: str) -> str:
    """Return a named value, masked if it is a secret."""
    return hidden(value) if names_a_secret(name) or looks_secret(value) else value


def hidden(value: str) -> str:
    """Return what replaces a secret; "" for an empty one."""
    return f"[REDACTED — {len(value)} chars]" if value else ""


def scrubbed(text: str) -> str:
    """Mask what looks like a secret in text: tokens, logins, values after names of secrets."""
    text = _without_values(masked(text))
    return _LOGIN.sub(f"://{MASK}@", _TOKEN.sub(rf"\1{MASK}", text))


def without_field_values(markup: str) -> str:
    """Mask the values of secret fields in markup."""
    if "<input" not in markup and "<INPUT" not in markup:
        return markup
    return _INPUT.sub(lambda tag: _without_value(tag[0]), markup)


def _without_value(tag: str) -> str:
    secret = _SECRET_FIELD.search(tag) or any(map(names_a_secret, _CALLED.findall(tag)))
    return _FIELD_VALUE.sub(rf'\1"{MASK}"', tag) if secret else tag


def _without_values(text: str) -> str:
    parts: list[str] = []
    done = 0
    for found in _NAMED.finditer(text):
        if found.start() < done or not names_a_secret(found[1]):
            continue
        value = _value_at(text, found.end())
        # `key: Enter` and `session: started` are not secrets: after such a word, only a number is.
        if value and (_ALWAYS.search(found[1]) or any(char.isdigit() for char in value[0])):
            parts += [text[done : found.end()], _mask_after(found[2])]
            done = value.end()
    return "".join([*parts, text[done:]])


def _value_at(text: str, start: int) -> re.Match[str] | None:
    quoted = _QUOTED.get(text[start - 1])
    return (quoted and quoted.match(text, start)) or _NAMED_VALUE.match(text, start)


def _mask_after(between: str) -> str:
    """Mask a value; a number after a quoted name is JSON, which must stay valid."""
    quote = between[0]
    bare = quote in "\"'" and between[-1] not in "\"'"
    return f"{quote}{MASK}{quote}" if bare else MASK


def redacted_url(url: str) -> str:
    """Mask the login, and the secret values in the query and fragment, of an address."""
    url = masked(url)
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    login, at, host = parts.netloc.rpartition("@")
    netloc = f"{MASK}@{host}" if at and login else parts.netloc
    return urlunsplit(
        (
            parts.scheme,
            netloc,
            parts.path,
            redacted_pairs(parts.query),
            redacted_pairs(parts.fragment),
        )
    )


def redacted_pairs(pairs: str) -> str:
    """Mask the secret values in a query, or in a form that is encoded like one."""
    return _PAIR.sub(
        lambda pair: (
            f"{pair[1]}={MASK}"
            if pair[2] and (names_a_secret(pair[1]) or looks_secret(pair[2]))
            else pair[0]
        ),
        pairs,
    )
