"""Whether the person has consented to something: only a plain `on` counts as yes.

The first that has the key decides: the environment, `config.yaml`, `config.json`.
"""

import json

import msgspec

from browse.core import config_file
from browse.core.paths import Paths
from browse.core.settings import Settings

KEY = "pair_agent"


class Consent(msgspec.Struct, frozen=True):
    """An answer, and where it was found (or what was wrong there)."""

    given: bool
    source: str


def to_pairing(settings: Settings, paths: Paths) -> Consent:
    """Check whether agents on other machines may be paired. Reads files."""
    if word := settings.pair_agent:
        return _answer(word, "GSTACK_PAIR_AGENT")
    try:
        value = config_file.last_value(paths.config_yaml, KEY)
        if value is not None:
            return _answer(value, paths.config_yaml.name)
        return _in_json(paths)
    except config_file.Unreadable as exc:
        return Consent(False, str(exc))


def _in_json(paths: Paths) -> Consent:
    name = paths.config_json.name
    text = config_file.read_text(paths.config_json)
    if not text:
        return Consent(False, "nowhere")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return Consent(False, f"{name} is not JSON")
    value = content.get(KEY) if isinstance(content, dict) else None
    return _answer(value, name) if isinstance(value, str) else Consent(False, name)


def _answer(word: str, source: str) -> Consent:
    return Consent(word.strip().lower() == "on", source)
