"""Values that come beside the words of a command: `--secret-env`, `--secret-stdin`.

They are sealed: no reply, log or file ever has them.
"""

from browse.core.errors import Usage
from browse.guard.credentials import seal

MAX_SECRET_CHARS = 1_000


def secrets_in(stdin: bytes, count: int) -> list[str]:
    """Return the values that came beside the words, as many as the flags name."""
    if not stdin:
        raise Usage(
            "no secret came with this call: it is read by the `browse` command from its own"
            " environment or stdin, and not inside chain, replay or over HTTP",
            hint="run the command by itself: browse fill @e5 --secret-env NAME",
        )
    try:
        values = [it.rstrip("\r\n") for it in stdin.decode("utf-8").split("\0")]
    except UnicodeDecodeError:
        raise Usage("the secret is not text", hint="give it as UTF-8") from None
    if len(values) != count or not all(0 < len(it) <= MAX_SECRET_CHARS for it in values):
        raise Usage(
            f"a secret is empty or longer than {MAX_SECRET_CHARS:,} characters",
            hint="check what the variable or the program gives",
        )
    for value in values:
        seal(value)
    return values
