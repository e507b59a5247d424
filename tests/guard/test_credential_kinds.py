"""Every kind of credential in the table is known to everything that masks or recognises one."""

import json
from collections.abc import Callable

import pytest

from browse.browser.recordings import har_file
from browse.core.errors import BrowseError, Code
from browse.dispatch.activity import Activity
from browse.egress.pipeline import Wants, render, render_error
from browse.guard.credential_kinds import BASIC_LOGIN, KINDS, CredentialKind
from browse.guard.credentials import masked
from browse.guard.secrets import looks_secret, redacted, redacted_url, scrubbed
from browse.registry.results import PageText, from_page

# In halves, so that no scanner takes this file for a leak: what may stay, and what is secret.
EXAMPLES = {
    "AWS key": ("AKIA", "Q3EGRIPZX7LMN4TK"),
    "AWS passing key": ("ASIA", "Q3EGRIPZX7LMN4TK"),
    "GitHub": ("ghp_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "GitHub OAuth": ("gho_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "GitHub server": ("ghs_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "GitHub user": ("ghu_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "GitHub refresh": ("ghr_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "GitHub PAT": ("github_pat_", "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz"),
    "GitLab": ("glpat-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab runner": ("glrt-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab deploy": ("gldt-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab job": ("glcbt-", "64_x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab trigger": ("glptt-", "x9Y8z7W6v5U4t3S2r1Q0x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab OAuth": ("gloas-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab agent": ("glagent-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab SCIM": ("glsoat-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab mail": ("glimt-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "GitLab feed": ("glft-", "x9Y8z7W6v5U4t3S2r1Q0"),
    "OpenAI or Anthropic": ("sk-", "ant-api03-9fKq27XbLmT4vYwZ81RsPd"),
    "Stripe": ("rk_live_", "51Hq8ZkLmN0pQrSt"),
    "Stripe test": ("sk_test_", "51Hq8ZkLmN0pQrSt"),
    "Stripe publishable": ("pk_live_", "51Hq8ZkLmN0pQrSt"),
    "Stripe webhook": ("whsec_", "51Hq8ZkLmN0pQrStUvWx"),
    "Slack": ("xoxb-", "273645189-Kq81LmPz"),
    "Slack user": ("xoxc-", "273645189-Kq81LmPz"),
    "Slack cookie": ("xoxd-", "Kq81LmPzXy%2F92kLmPqRsTuVwXyZ01%3D%3D"),
    "Slack app": ("xapp-", "1-A02BCDEFGHI-273645189-Kq81LmPz"),
    "Google key": ("AIza", "SyD93kLmPqRsTuVwXyZ0123456789AbCdEf"),
    "Google client": ("GOCSPX-", "9fKq27XbLmT4vYwZ81RsPd"),
    "Google OAuth": ("ya29.", "a0AfH6SMBx9kLmPqRsTuVw"),
    "SendGrid": ("SG.", "ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKcTE9ab"),
    "Supabase": ("sbp_", "0123456789abcdef0123456789abcdef01234567"),
    "npm": ("npm_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "PyPI": ("pypi-", "AgEIcHlwaS5vcmcCJDk0Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh"),
    "Hugging Face": ("hf_", "Zx81kQpLmN0rStUvWxYz23456789AbCdEf"),
    "JWT": ("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTExMjIifQ.Tk3-Zq81xLw_0pQ"),
    "bearer": ("Bearer ", "abcdefgh12345678"),
    "basic login": ("Authorization: Basic ", "YWRhOmh1bnRlcg=="),
    "AWS secret": ("secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
}
# Words that a reader would miss: they begin like a credential and are none.
WORDS = ["npm_config_registry", "hf_hub_download", "pypi-publish", "ASIATISCHES", "task-1", "eyes"]


def test_every_kind_has_an_example():
    assert {kind.name for kind in KINDS} == set(EXAMPLES)


def in_reply(text: str) -> str:
    return render(PageText(text, "https://a.test/"), Wants()).text


def in_json_reply(text: str) -> str:
    return render(PageText(text, "https://a.test/", from_page(text=text)), Wants(json=True)).text


def in_error(text: str) -> str:
    return render_error(BrowseError(Code.NO_MATCH, text, hint="look"), Wants()).text


def in_activity(text: str) -> str:
    feed = Activity()
    feed.say("root", text)
    return str(feed.latest(1))


REPLIES: list[Callable[[str], str]] = [masked, in_reply, in_json_reply, in_error, in_activity]


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_masked_in_whatever_leaves(kind: CredentialKind, reply):
    prefix, secret = EXAMPLES[kind.name]

    assert (secret in reply(f"see {prefix}{secret}, there")) is kind.published


def test_every_kind_is_masked_in_har_files(tmp_path):
    text = "\n".join("".join(EXAMPLES[kind.name]) for kind in KINDS if not kind.published)
    entry = {
        "request": {
            "url": "https://a.test/",
            "headers": [{"name": "x-note", "value": text}],
            "queryString": [{"name": "q", "value": text}],
            "postData": {"mimeType": "text/plain", "text": text},
        },
        "response": {"headers": [], "content": {"mimeType": "text/html", "text": text}},
    }
    (tmp_path / "recorded").write_text(json.dumps({"log": {"comment": text, "entries": [entry]}}))

    har_file.write_har(tmp_path / "recorded", tmp_path / "saved", with_secrets=False)

    saved = (tmp_path / "saved").read_text()
    assert not [kind.name for kind in KINDS if EXAMPLES[kind.name][1] in saved]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_masked_in_records(kind: CredentialKind):
    prefix, secret = EXAMPLES[kind.name]

    assert secret not in scrubbed(f"GET {prefix}{secret} 200")
    assert secret not in redacted_url(f"https://a.test/?q={prefix}{secret}&page=2")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_a_secret_as_the_value_of_a_cookie_or_a_field(kind: CredentialKind):
    prefix, secret = EXAMPLES[kind.name]
    value = f"Basic {secret}" if kind is BASIC_LOGIN else prefix + secret

    assert looks_secret(value)
    assert redacted("theme", value) == f"[REDACTED — {len(value)} chars]"


@pytest.mark.parametrize("word", WORDS)
def test_words_that_only_begin_like_a_credential_stay(word):
    assert not looks_secret(word)
    assert scrubbed(f"run {word} now") == f"run {word} now"
