"""The one table of credentials known by their form: who issues them, how they begin.

Everything that masks or recognises credentials reads this table; a new kind is one more
row. A page chooses the text that is searched, so every pattern is bounded, or consumes all that it
has read.
"""

import re
from collections.abc import Callable

import msgspec

# Where a credential may begin: not inside a word, but after a literal `%3D` or `\n`.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrt]))"
_ALONE = r"(?:(?<![\w-])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrt]))"
_ANYWHERE = ""
_END = r"(?![A-Za-z0-9_])"


def _mixed(value: str) -> bool:
    """Tell random letters from words: `sk-fading-circle-container` is a CSS class."""
    return any(char.isdigit() for char in value) and any(char.isupper() for char in value)


def _numbered(value: str) -> bool:
    return any(char.isdigit() for char in value)


def _always(_: str) -> bool:
    return True


class CredentialKind(msgspec.Struct, frozen=True):
    """The form of one kind of credentials.

    `literal` is part of each of them, and cheap to search for. `prefix` may stay readable;
    `rest` is the secret, if `test` accepts it. `telling` is a prefix that identifies a credential
    even where the rest was cut off; "" where ordinary words begin like that.
    """

    name: str
    literal: str
    prefix: str
    rest: str
    telling: str
    before: str = _START
    test: Callable[[str], bool] = _always
    # Meant to be public: pages may show it, records do not need it.
    published: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The whole credential; the first group is what may stay readable."""
        return re.compile(f"{self.before}({self.prefix}){self.rest}")


_Row = CredentialKind
# Each is a run of 16 or more letters, digits, `_` and `-`, or has one in it.
LONG_KINDS = (
    _Row("AWS key", "AKIA", "AKIA", rf"[0-9A-Z]{{16}}{_END}", "AKIA[0-9A-Z]{16}"),
    _Row("AWS passing key", "ASIA", "ASIA", rf"[0-9A-Z]{{16}}{_END}", "", test=_numbered),
    _Row("GitHub", "ghp_", "ghp_", "[A-Za-z0-9]{30,}", "ghp_", _ANYWHERE),
    _Row("GitHub OAuth", "gho_", "gho_", "[A-Za-z0-9]{30,}", "gho_", _ANYWHERE),
    _Row("GitHub server", "ghs_", "ghs_", "[A-Za-z0-9]{30,}", "ghs_", _ANYWHERE),
    _Row("GitHub user", "ghu_", "ghu_", "[A-Za-z0-9]{30,}", "ghu_", _ANYWHERE),
    _Row("GitHub refresh", "ghr_", "ghr_", "[A-Za-z0-9]{30,}", "ghr_", _ANYWHERE),
    _Row("GitHub PAT", "github_pat_", "github_pat_", r"\w{22,}", "github_pat_", _ANYWHERE),
    *(
        _Row(name, prefix, prefix, r"[\w-]{20,}", prefix)
        for name, prefix in (
            ("GitLab", "glpat-"),
            ("GitLab runner", "glrt-"),
            ("GitLab deploy", "gldt-"),
            ("GitLab job", "glcbt-"),
            ("GitLab trigger", "glptt-"),
            ("GitLab OAuth", "gloas-"),
            ("GitLab agent", "glagent-"),
            ("GitLab SCIM", "glsoat-"),
            ("GitLab mail", "glimt-"),
            ("GitLab feed", "glft-"),
        )
    ),
    _Row("OpenAI or Anthropic", "sk-", "sk-", r"[\w-]{20,}", "sk-", test=_mixed),
    _Row("Stripe", "k_live_", "[sr]k_live_", "[A-Za-z0-9]{10,}", "[sr]k_live_"),
    _Row("Stripe test", "k_test_", "[sr]k_test_", "[A-Za-z0-9]{10,}", "[sr]k_test_"),
    _Row(
        "Stripe publishable", "pk_", "pk_(?:live|test)_", "[A-Za-z0-9]{10,}", "pk_(?:live|test)_",
        published=True,
    ),
    _Row("Stripe webhook", "whsec_", "whsec_", "[A-Za-z0-9+/=]{20,}", "whsec_"),
    _Row("Slack", "xox", "xox[abeprs]-", "[A-Za-z0-9-]{10,}", "xox[abeprs]-", test=_numbered),
    _Row("Slack user", "xoxc-", "xoxc-", "[A-Za-z0-9-]{10,}", "xoxc-", test=_numbered),
    _Row("Slack cookie", "xoxd-", "xoxd-", "[A-Za-z0-9%/+=-]{10,}", "xoxd-", test=_numbered),
    _Row("Slack app", "xapp-", "xapp-", "[A-Za-z0-9-]{10,}", "xapp-", test=_numbered),
    _Row("Google key", "AIza", "AIza", r"[\w-]{35}(?![\w-])", "AIza"),
    _Row("Google client", "GOCSPX-", "GOCSPX-", r"[\w-]{20,}", "GOCSPX-", _ANYWHERE),
    _Row("Google OAuth", "ya29.", r"ya29\.", r"[\w-]{20,}", r"ya29\."),
    _Row("SendGrid", "SG.", r"SG\.", r"[\w-]{16,64}\.[\w-]{16,64}", r"SG\.", _ALONE),
    _Row("Supabase", "sbp_", "sbp_", rf"[a-f0-9]{{40,}}{_END}", "sbp_"),
    _Row("npm", "npm_", "npm_", rf"[A-Za-z0-9]{{36}}{_END}", ""),
    _Row("PyPI", "pypi-", "pypi-", r"[\w-]{50,}", "", test=_mixed),
    _Row("Hugging Face", "hf_", "hf_", "[A-Za-z0-9]{30,}", "", test=_mixed),
    _Row("JWT", "eyJ", "eyJ", r"[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*", r"eyJ[\w-]{8}", _ALONE),
    _Row("bearer", "earer ", "[Bb]earer ", r"[\w.~+/=-]{16,}", "Bearer ", test=_numbered),
    _Row(
        "AWS secret", "ecret", r"(?i:secret_?(?:access_?)?key)[\"']?\s{0,4}[=:]\s{0,4}[\"']?",
        "[A-Za-z0-9/+]{40}", "", _ANYWHERE,
    ),
)  # fmt: skip
BASIC_LOGIN = CredentialKind(
    name="basic login",
    literal="uthorization",
    prefix=r"[Aa]uthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:Basic|Token) ",
    rest=r"[\w+/=.-]{8,}",
    telling="Basic ",
    before=_ANYWHERE,
)
KINDS = (*LONG_KINDS, BASIC_LOGIN)
