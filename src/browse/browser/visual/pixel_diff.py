"""Two pictures compared pixel by pixel. Runs in a thread: it takes its time."""

import io
from dataclasses import dataclass

FADED = 0.7


@dataclass(frozen=True, slots=True)
class Difference:
    """How much differs, and a picture of where: the second page faded, what differs in red."""

    changed: int
    total: int
    picture: bytes

    @property
    def percent(self) -> float:
        return 100 * self.changed / self.total


def compare(one: bytes, two: bytes, *, longest: int) -> Difference:
    """Compare two PNGs; where only one of them has pixels, they differ."""
    from PIL import Image, ImageChops  # heavy, and only needed here

    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, two))
    size = (max(first.width, second.width), max(first.height, second.height))
    common = (min(first.width, second.width), min(first.height, second.height))
    bands = ImageChops.difference(first.crop((0, 0, *common)), second.crop((0, 0, *common))).split()
    mask = Image.new("L", size, 255)
    strongest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    mask.paste(strongest.point(lambda value: 255 if value else 0), (0, 0))
    shown = Image.new("RGB", size, "white")
    shown.paste(second, (0, 0))
    shown = Image.blend(shown.convert("L").convert("RGB"), Image.new("RGB", size, "white"), FADED)
    shown.paste((220, 0, 0), mask=mask)
    shown.thumbnail((longest, longest))
    file = io.BytesIO()
    shown.save(file, "PNG")
    return Difference(mask.histogram()[255], size[0] * size[1], file.getvalue())
