"""What the daemon has to say to its owner without being asked: told with the next reply."""

MAX_NOTICES = 20


class Notices:
    """Keeps the lines until somebody is told them."""

    def __init__(self) -> None:
        self._waiting: list[str] = []

    def add(self, line: str) -> None:
        """Say this once; the same words that still wait are not said twice."""
        if line not in self._waiting:
            self._waiting = [*self._waiting, line][-MAX_NOTICES:]

    def take(self) -> list[str]:
        """Return what was not told yet, in order."""
        taken, self._waiting = self._waiting, []
        return taken
