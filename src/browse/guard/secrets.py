"""What must not be read back: values by their name, by how they begin, and inside addresses."""

import re
from urllib.parse import urlsplit, urlunsplit

_NAME = re.compile(
    r"(^|[_.\-\[\]])(token|secret|key|password|passwd|pwd|credential|auth|authorization|jwt|session|csrf|xsrf|sid|otp)s?"
    r"($|[_.\-\[\]])|api.?key",
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_VALUE = re.compile(
    r"eyJ[\w-]{8}|sk-|sk_live_|sk_test_|pk_live_|pk_test_|rk_live_|ghp_|gho_|github_pat_|xox[bpsa]-|AKIA[0-9A-Z]{16}"
    r"|AIza|SG\.|Bearer |sbp_"
)
_PAIR = re.compile(r"([^&=]*)=([^&]*)")
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
MASK = "****"


def names_a_secret(name: str) -> bool:
    """Tell whether a cookie, a field or a parameter of that name holds a secret."""
    return _NAME.search(_HUMP.sub("_", name)) is not None


def looks_secret(value: str) -> bool:
    """Tell whether a value begins as known tokens and keys do."""
    return _VALUE.match(value) is not None


def redacted(name: str, value: str) -> str:
    """Give a named value back if it is none of those that nobody should read."""
    if value and (names_a_secret(name) or looks_secret(value)):
        return f"[REDACTED — {len(value)} chars]"
    return value


def redacted_url(url: str) -> str:
    """Mask the login, and the secret values in the query and fragment, of an address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    login, at, host = parts.netloc.rpartition("@")
    netloc = f"{MASK}@{host}" if at and login else parts.netloc
    return urlunsplit(
        (parts.scheme, netloc, parts.path, _masked(parts.query), _masked(parts.fragment))
    )


def _masked(pairs: str) -> str:
    return _PAIR.sub(
        lambda pair: (
            f"{pair[1]}={MASK}"
            if pair[2] and (names_a_secret(pair[1]) or looks_secret(pair[2]))
            else pair[0]
        ),
        pairs,
    )
