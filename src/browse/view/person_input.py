"""Mouse, keys and fingers of a person, passed to a page through the DevTools protocol.

Events arrive in order. What is pressed is known, so that it can be released when the person goes.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.view.messages import Input, KeyEvent, MouseEvent, Pasted, TouchEvent, WheelEvent

# A page that takes no input for so long gets no more of this event.
EVENT_S = 3.0
# What a person has typed reaches a slow page before the tab is given back, within this time.
FINISH_S = 15.0
MAX_WAITING = 500
_BUTTONS = {"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
_MOUSE = {"move": "mouseMoved", "down": "mousePressed", "up": "mouseReleased"}
_TOUCH = {"start": "touchStart", "move": "touchMove", "end": "touchEnd", "cancel": "touchCancel"}
Send = Callable[[str, dict[str, Any]], Awaitable[Any]]


class PersonInput:
    """Passes the input of one person to one page."""

    def __init__(self, send: Send, size: Callable[[], tuple[float, float]]) -> None:
        self._send = send
        self._size = size
        self._waiting: deque[Input] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._buttons: dict[str, tuple[float, float]] = {}
        self._keys: dict[str, KeyEvent] = {}
        self._touching = False

    def add(self, event: Input) -> None:
        """Pass an event on, after those before it; moves that nobody saw become one."""
        last = self._waiting[-1] if self._waiting else None
        if _is_move(event) and last and _is_move(last) and type(last) is type(event):
            self._waiting.pop()
        if len(self._waiting) >= MAX_WAITING:
            return  # the page takes nothing; what is pressed is released in the end
        self._waiting.append(event)
        if self._worker is None or self._worker.done():
            self._worker = spawn(self._work(), name="input of a person")

    async def _work(self) -> None:
        while self._waiting:
            await self._pass(self._waiting.popleft())

    async def _pass(self, event: Input) -> None:
        match event:
            case MouseEvent():
                await self._mouse(event)
            case WheelEvent():
                await self._dispatch("Input.dispatchMouseEvent", self._wheel(event))
            case KeyEvent():
                await self._key(event)
            case Pasted():
                await self._dispatch("Input.insertText", {"text": event.text})
            case TouchEvent():
                self._touching = bool(event.points)
                await self._dispatch("Input.dispatchTouchEvent", self._touch(event))

    async def _mouse(self, event: MouseEvent) -> None:
        x, y = self._at(event.x, event.y)
        if event.event == "down":
            self._buttons[event.button] = (event.x, event.y)
        elif event.event == "up":
            self._buttons.pop(event.button, None)
        held = next(iter(self._buttons), "none")
        about = {
            "type": _MOUSE[event.event],
            "x": x,
            "y": y,
            "button": held if event.event == "move" else event.button,
            "buttons": sum(_BUTTONS.get(it, 0) for it in self._buttons),
            "clickCount": event.clicks,
            "modifiers": event.modifiers,
        }
        await self._dispatch("Input.dispatchMouseEvent", about)

    def _wheel(self, event: WheelEvent) -> dict[str, Any]:
        x, y = self._at(event.x, event.y)
        turned = {"deltaX": event.dx, "deltaY": event.dy, "modifiers": event.modifiers}
        return {"type": "mouseWheel", "x": x, "y": y, **turned}

    async def _key(self, event: KeyEvent) -> None:
        if event.event == "down":
            self._keys[event.code] = event
        else:
            self._keys.pop(event.code, None)
        await self._dispatch("Input.dispatchKeyEvent", _key_event(event))

    def _touch(self, event: TouchEvent) -> dict[str, Any]:
        points = []
        for finger in event.points:
            x, y = self._at(finger.x, finger.y)
            points.append({"x": x, "y": y, "id": finger.id})
        return {"type": _TOUCH[event.event], "touchPoints": points, "modifiers": event.modifiers}

    def _at(self, x: float, y: float) -> tuple[float, float]:
        width, height = self._size()
        return x * width, y * height

    async def _dispatch(self, method: str, about: dict[str, Any]) -> None:
        # The page may be gone, or take nothing just now.
        with suppress(BrowseError, TimeoutError):
            async with asyncio.timeout(EVENT_S):
                await self._send(method, about)

    async def finish(self) -> None:
        """Pass on what waits, within limits, and release what is pressed: the person is done."""
        if self._worker:
            await asyncio.wait([self._worker], timeout=FINISH_S)
        await self.release()

    async def release(self) -> None:
        """Drop what waits and release what is pressed: the person is gone."""
        self._waiting.clear()
        if self._worker:
            await asyncio.wait([self._worker], timeout=EVENT_S)
        for button, (x, y) in list(self._buttons.items()):
            await self._mouse(MouseEvent("up", x, y, button, 1))  # type: ignore[arg-type] # a Button
        for key in list(self._keys.values()):
            await self._key(KeyEvent("up", key.key, key.code, key.number, location=key.location))
        if self._touching:
            await self._pass(TouchEvent("cancel", []))


def _is_move(event: Input) -> bool:
    return isinstance(event, MouseEvent | TouchEvent) and event.event == "move"


def _key_event(event: KeyEvent) -> dict[str, Any]:
    about: dict[str, Any] = {
        "key": event.key,
        "code": event.code,
        "windowsVirtualKeyCode": event.number,
        "modifiers": event.modifiers,
        "location": event.location,
        "isKeypad": event.location == 3,
        "autoRepeat": event.repeat,
    }
    if event.event == "up":
        return {"type": "keyUp", **about}
    if not event.text:
        return {"type": "rawKeyDown", **about}
    return {"type": "keyDown", "text": event.text, "unmodifiedText": event.text, **about}
