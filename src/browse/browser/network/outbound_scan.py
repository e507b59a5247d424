"""Looks at requests on their way out, for words that must not leave; only while there are some."""

from collections.abc import Callable, Mapping

MAX_BODY_BYTES = 1_000_000


class Leaving:
    """What to look for, and whom to tell; both are set by who knows."""

    def __init__(self) -> None:
        self.is_on: Callable[[], bool] = lambda: False
        self.holds: Callable[[str | bytes], bool] = lambda _: False
        self.found: Callable[[int, str], None] = lambda *_: None
        self.stopped_elsewhere = False  # while requests are held and decided one by one

    def objects(self, url: str, headers: Mapping[str, str], body: str | bytes | None) -> bool:
        """Tell whether a request holds what must not leave."""
        if not self.is_on():
            return False
        words = "\n".join([url, *headers.values()])
        return self.holds(words) or self.holds((body or b"")[:MAX_BODY_BYTES])
