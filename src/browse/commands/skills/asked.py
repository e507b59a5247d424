"""What was asked of the `skill` command, for whichever action."""

from dataclasses import dataclass

from browse.core.paths import Paths
from browse.dispatch.context import Ctx
from browse.skills.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Asked:
    """The words and flags of one call; an action looks at those that are for it."""

    name: str
    words: tuple[str, ...]
    args: tuple[str, ...]
    timeout_s: int
    host: str
    in_project: bool
    in_global: bool
    since: int | None = None
    stage: bool = False
    all: bool = False
    run: bool = False


def shelf_of(ctx: Ctx) -> Shelf:
    """Give the skills that this daemon's project can use."""
    return Shelf(Paths.of(ctx.settings))
