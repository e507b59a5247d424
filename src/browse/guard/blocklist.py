"""The blocklist: hosts that are known to collect data, ours and the user's.

Matched by whole labels of the host, never as a substring. The user's list is read
again when it changes; a line that names no host is skipped and reported once.
"""

import logging
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from browse.guard.hosts import MAX_HOST_CHARS, host_of, normal_host

log = logging.getLogger(__name__)
MAX_LIST_BYTES = 10_000_000
MAX_URL_CHARS = 4_000
_ADDRESS = re.compile(rf"(?i:https?)://[^\s\"'<>`\\(){{}}|^]{{1,{MAX_URL_CHARS}}}")


class Blocklist:
    """The hosts of the built-in list and of a file, which may be missing."""

    def __init__(self, own: Path | None = None) -> None:
        self._built_in = frozenset(_hosts((files(__package__) / "blocklist.txt").read_text(), ""))
        self._own: frozenset[str] = frozenset()
        self._path = own
        self._stamp: tuple[int, int] | None = None

    def hit(self, host: str) -> str | None:
        """Return the entry of the list that names this host or a domain above it."""
        self._refresh()
        return self._entry(host)

    def found_in(self, text: str) -> list[str]:
        """List the web addresses in a text whose host is on the list, each once."""
        self._refresh()
        urls = dict.fromkeys(match[0] for match in _ADDRESS.finditer(text))
        return [url for url in urls if self._entry(host_of(url))]

    def _entry(self, host: str) -> str | None:
        if len(host) > MAX_HOST_CHARS:
            return None
        labels = host.removesuffix(".").lower().split(".")
        above = (".".join(labels[at:]) for at in range(len(labels)))
        return next((name for name in above if name in self._built_in or name in self._own), None)

    def _refresh(self) -> None:
        if self._path is None:
            return
        try:
            about = self._path.stat()
            stamp = (about.st_mtime_ns, about.st_size)
            if stamp == self._stamp:
                return
            self._stamp = stamp
            with self._path.open("rb") as file:
                text = file.read(MAX_LIST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            self._stamp, self._own = None, frozenset()
            return
        except OSError as exc:
            log.warning("the blocklist %s cannot be read: %s", self._path, exc.strerror)
            return
        self._own = frozenset(_hosts(text, str(self._path)))


def _hosts(text: str, name: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        word = line.partition("#")[0].strip().removeprefix("*.")
        if not word:
            continue
        try:
            yield normal_host(word).removesuffix(".")
        except ValueError:
            log.warning("%s line %d is not a host and is skipped: %.80r", name, number, word)
