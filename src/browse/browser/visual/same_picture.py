"""Whether a picture is the same as the last one."""

import hashlib
from collections.abc import Iterable

import msgspec


class SavedPicture(msgspec.Struct, frozen=True):
    """A picture that a caller has: of what, what it looks like, and its file, if any."""

    what: str
    digest: bytes
    path: str = ""

    @classmethod
    def of(cls, what: str, images: Iterable[bytes], path: str = "") -> "SavedPicture":
        """Remember a picture by the bytes of its images."""
        digest = hashlib.sha256()
        for image in images:
            digest.update(hashlib.sha256(image).digest())
        return cls(what, digest.digest(), path)

    def shows(self, other: "SavedPicture | None") -> bool:
        """Check whether another picture is of the same and looks the same."""
        return other is not None and (self.what, self.digest) == (other.what, other.digest)
