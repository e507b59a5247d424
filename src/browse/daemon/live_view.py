"""The live view of this daemon, built when the first viewer comes."""

from functools import cache
from typing import TYPE_CHECKING

from browse.auth.caller import ROOT
from browse.dispatch.parts import Parts
from browse.registry.params import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

    from browse.view.live_view import LiveView


def live_view_of(parts: Parts) -> "Callable[[], LiveView]":
    """Return what gives the live view; a daemon without viewers does not even load it."""

    def around() -> Surroundings:
        roots = parts.files.of(ROOT).reads
        return Surroundings(parts.project, roots, sites=parts.browser.sites)

    @cache
    def made() -> "LiveView":
        from browse.view.live_view import LiveView

        return LiveView(parts.browser, parts.holds, parts.inbox, around)

    return made
