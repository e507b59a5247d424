"""A message of the inbox: what the person wrote, and what it points at."""

from typing import Any

import msgspec

MAX_CHARS = 4_000


class PageFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the page wrote about the place that a message was left at."""

    url: str = ""
    title: str = ""
    role: str = ""
    name: str = ""
    selector: str = ""


class InboxMessage(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One message, as its file has it; the first three fields are those of other producers."""

    timestamp: str
    page: PageFacts
    user_message: str
    id: str = ""
    tab: int = 0
    ref: str = ""
    doc: int = 0  # the tab's document that the ref belongs to, in the daemon that wrote this
    area: tuple[float, float, float, float] | None = None
    picture: str = ""
    done: str = ""  # when the agent was done with it

    def facts(self) -> dict[str, Any]:
        """Return the message as data: what the page or the person wrote is below `page`."""
        written = {"message": self.user_message, **msgspec.to_builtins(self.page)}
        return {
            "id": self.id,
            "timestamp": self.timestamp,
            "tab": self.tab or None,
            "ref": self.ref or None,
            "area": list(self.area) if self.area else None,
            "picture": self.picture or None,
            "done": self.done or None,
            "page": written,
        }
