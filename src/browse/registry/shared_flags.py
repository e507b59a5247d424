"""Flags that commands have without declaring them."""

from browse.registry.params import CONDITION, DURATION, OWNERS, SESSION, TAB_ID, WORD, Doc, whole
from browse.registry.signature import Argument
from browse.registry.spec import Spec

_JSON = Doc("Print the same facts as JSON; what the page wrote is below `page`.")
_MAX_CHARS = Doc("Cut the reply after N characters, at the end of a line (0 = no limit).")
_AFTER = Doc("Continue a reply that was cut; its last line says which N.")
_TAB_ID = Doc("Act on this tab instead of the current one.", metavar="id")
_SESSION = Doc("Use the session with this name, which has its own tabs, cookies and logins.")
_REVEAL = Doc("Show credentials unmasked. For the owner only.")
_RAW = Doc("Print only the value, without envelope, unless to a terminal. For the owner only.")
COMMON: tuple[Argument, ...] = (
    Argument("json", WORD, _JSON, required=False, default=False, flag=True, switch=True),
    Argument("max_chars", whole(0, 10**9), _MAX_CHARS, required=False, flag=True),
    Argument("after", whole(0, 10**14), _AFTER, required=False, default=0, flag=True),
    Argument("tab_id", TAB_ID, _TAB_ID, required=False, flag=True),
    Argument("session", SESSION, _SESSION, required=False, flag=True),
    Argument("reveal", OWNERS, _REVEAL, required=False, default=False, flag=True, switch=True),
    Argument("raw", OWNERS, _RAW, required=False, default=False, flag=True, switch=True),
)

_SNAPSHOT = Doc("Add what changed in the snapshot of interactive elements.")
_EXPECT = Doc("Succeed only if this comes true: a selector, text=…, url=… or gone=<selector>.")
_WITHIN = Doc("How long to wait for --expect: 500ms, 2s, or milliseconds.")
_SETTLE = Doc("How long to wait for a first reaction of the page; default 400ms.")
_TIMEOUT = Doc("How long to look for the target while the page is not quiet; default 2s.")
_ANYWAY = Doc("Act on a ref even if its role or name has changed since it was shown.")
# How long a selector is looked for while the page is not quiet.
FIND_MS = 2_000
ACTING: tuple[Argument, ...] = (
    Argument("snapshot", WORD, _SNAPSHOT, required=False, default=False, flag=True, switch=True),
    Argument("expect", CONDITION, _EXPECT, required=False, default=(), flag=True, repeats=True),
    Argument("within", DURATION, _WITHIN, required=False, default=2000, flag=True),
    Argument("timeout", DURATION, _TIMEOUT, required=False, default=FIND_MS, flag=True),
    Argument("settle", DURATION, _SETTLE, required=False, flag=True),
    Argument("anyway", WORD, _ANYWAY, required=False, default=False, flag=True, switch=True),
)


def is_flag(word: str) -> bool:
    """Check whether a word is a flag; -5 is a number, - is a file, and "- tea" is a text."""
    is_rule = len(word) > 2 and not word.strip("-")
    return (
        len(word) > 1 and word[0] == "-" and not (word[1].isdigit() or word[1].isspace() or is_rule)
    )


def shared_flags(spec: Spec) -> tuple[Argument, ...]:
    """List the flags that a command has without declaring them."""
    shared = (*ACTING, *COMMON) if spec.acts else COMMON
    own = {arg.name for arg in spec.flags}
    return tuple(arg for arg in shared if arg.name not in own) if own else shared
