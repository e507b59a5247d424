"""What a page script tells of a slider."""

import msgspec


class SliderState(msgspec.Struct, frozen=True):
    """Where a slider stands, and from where to where it goes, as far as it tells.

    `step` is that of an input. `percent`: it tells no number, so that is how far it is on its
    track.
    """

    now: float | None
    low: float | None
    high: float | None
    percent: bool
    step: float | None = None
