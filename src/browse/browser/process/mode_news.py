"""Who is told when the browser gets a window, and when it runs in another way."""

from collections.abc import Callable, Coroutine
from typing import Any

from playwright.async_api import BrowserContext

from browse.core.tasks import spawn

WindowListener = Callable[[BrowserContext], Coroutine[Any, Any, None]]


class ModeNews:
    """The listeners; `window` returns the browser context of the window, once it is in use."""

    def __init__(
        self, mode: Callable[[], str], window: Callable[[], BrowserContext | None]
    ) -> None:
        self._mode = mode
        self._window = window
        self._on_window: list[WindowListener] = []
        self._on_mode: list[Callable[[], None]] = []

    def on_mode(self, listener: Callable[[], None]) -> None:
        """Call this whenever the browser has another mode, and now if it is not the usual one."""
        self._on_mode.append(listener)
        if self._mode() != "launched":
            listener()

    def on_window(self, listener: WindowListener) -> None:
        """Call this whenever a window has opened, with the browser context of its tabs.

        Also for the one that is open now.
        """
        self._on_window.append(listener)
        if window := self._window():
            spawn(listener(window), name="after a window has opened")

    def tell_mode(self) -> None:
        """Tell the listeners that the mode is another one."""
        for listener in self._on_mode:
            listener()

    def tell_window(self, window: BrowserContext | None = None) -> None:
        """Tell the listeners that there is a window now, if there is."""
        if window := window or self._window():
            for listener in self._on_window:
                spawn(listener(window), name="after a window has opened")
