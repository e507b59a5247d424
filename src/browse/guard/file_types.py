"""The type of a file: declared by its server, read from its first bytes, and whether they agree."""

import re
from typing import Literal

import msgspec

HEAD_BYTES = 512
_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,40}/[a-z0-9][a-z0-9.+-]{0,80}")
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")
# What servers send when they do not know the type.
_VAGUE = frozenset(
    {
        "",
        "application/octet-stream",
        "binary/octet-stream",
        "application/force-download",
        "application/download",
        "application/x-download",
        "application/unknown",
    }
)


class FileType(msgspec.Struct, frozen=True):
    """A type: its first bytes, its suffix, and the declared types that agree with it."""

    type: str
    suffix: str
    begins: re.Pattern[bytes]
    declared: re.Pattern[str]


def _kind(type: str, suffix: str, begins: bytes, declared: str = "") -> FileType:
    also = f"|{declared}" if declared else ""
    return FileType(
        type, suffix, re.compile(begins, re.DOTALL), re.compile(f"{re.escape(type)}{also}")
    )


KINDS = (
    _kind("image/png", ".png", rb"\x89PNG\r\n\x1a\n", "image/apng|image/x-png"),
    _kind("image/jpeg", ".jpg", rb"\xff\xd8\xff", "image/p?jpe?g"),
    _kind("image/gif", ".gif", rb"GIF8[79]a"),
    _kind("image/webp", ".webp", rb"RIFF....WEBP"),
    _kind("image/avif", ".avif", rb"....ftyp(avif|avis)"),
    _kind("image/x-icon", ".ico", rb"\x00\x00\x01\x00[\x01-\xff]\x00", "image/vnd.microsoft.icon"),
    _kind("application/pdf", ".pdf", rb"%PDF-", "application/x-pdf"),
    # Many formats are zip archives with another name: documents, books, programs.
    _kind("application/zip", ".zip", rb"PK(\x03\x04|\x05\x06)", r"application/.*|model/.*"),
    _kind("application/gzip", ".gz", rb"\x1f\x8b\x08", r"application/.*"),
    _kind("application/wasm", ".wasm", rb"\x00asm"),
    _kind("video/mp4", ".mp4", rb"....ftyp", r"video/.*|audio/.*|image/hei[cf].*|application/mp4"),
    _kind("video/webm", ".webm", rb"\x1a\x45\xdf\xa3", r"video/.*|audio/.*"),
    _kind("audio/mpeg", ".mp3", rb"ID3|\xff[\xfb\xf3\xf2]", r"audio/.*|video/mpeg"),
    _kind("audio/ogg", ".ogg", rb"OggS", r"audio/.*|video/.*|application/ogg"),
    _kind("audio/wav", ".wav", rb"RIFF....WAVE", r"audio/.*"),
    _kind("font/woff2", ".woff2", rb"wOF2", r"font/.*|application/.*font.*"),
    _kind("application/x-executable", ".bin", rb"\x7fELF|MZ.{1,10}\x00", r"application/.*"),
    _kind(
        "image/svg+xml",
        ".svg",
        rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>]",
        r"(text|application)/xml",
    ),
    _kind(
        "text/html",
        ".html",
        rb"(?i:(\xef\xbb\xbf)?\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)[\s>])",
        r"application/xhtml\+xml|text/plain|text/xml|multipart/related|message/rfc822",
    ),
)
# Types without characteristic first bytes, or with another usual suffix.
_SUFFIXES = {kind.type: kind.suffix for kind in KINDS} | {
    "image/jpg": ".jpg",
    "application/json": ".json",
    "application/xml": ".xml",
    "text/xml": ".xml",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "text/css": ".css",
    "text/markdown": ".md",
    "text/javascript": ".js",
    "application/javascript": ".js",
    "audio/mp4": ".m4a",
    "video/quicktime": ".mov",
}
# First bytes and names of programs. A zip archive is one by its name only.
_PROGRAMS = (
    ("a program for Linux", re.compile(rb"\x7fELF")),
    ("a program for Windows", re.compile(rb"MZ.{58}", re.DOTALL)),
    ("a program for macOS", re.compile(rb"\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe")),
    ("a program for macOS or Java", re.compile(rb"\xca\xfe\xba\xbe")),
    ("a script", re.compile(rb"(\xef\xbb\xbf)?#![ \t]{0,8}/")),
)
_PROGRAM_SUFFIXES = re.compile(
    r"\.(apk|app|appimage|bash|bat|cmd|com|command|deb|desktop|dmg|exe|hta|jar|jse|lnk|msi|pkg|ps1"
    r"|psm1|rpm|run|scr|sh|vbs|wsf|zsh)"
)
_PLAYLISTS: dict[str, Literal["HLS", "DASH"]] = {
    ".m3u8": "HLS",
    ".mpd": "DASH",
    "application/vnd.apple.mpegurl": "HLS",
    "application/x-mpegurl": "HLS",
    "audio/mpegurl": "HLS",
    "audio/x-mpegurl": "HLS",
    "application/dash+xml": "DASH",
}


def declared_type(header: str) -> str:
    """Return the bare type of a Content-Type, safe to quote; "" for anything else."""
    bare = header.partition(";")[0].strip().lower()
    return bare if _TYPE.fullmatch(bare) else ""


def sniffed(head: bytes) -> str:
    """Return a file's type by its first bytes; "" when they do not show it."""
    return next((kind.type for kind in KINDS if kind.begins.match(head[:HEAD_BYTES])), "")


def contradict(declared: str, found: str) -> bool:
    """Check whether a file's content contradicts its declared type."""
    kind = next((kind for kind in KINDS if kind.type == found), None)
    return bool(kind and declared not in _VAGUE and not kind.declared.fullmatch(declared))


def program(head: bytes, *names: str) -> str:
    """Return what kind of program a file is; "" if a system would not run it."""
    for what, begins in _PROGRAMS:
        if begins.match(head[:HEAD_BYTES]):
            return what
    ends = (f".{name.lower().rpartition('.')[2]}" for name in names if "." in name)
    named = next((end for end in ends if _PROGRAM_SUFFIXES.fullmatch(end)), "")
    return f"named as a program ({named})" if named else ""


def suffix(type: str, name: str = "") -> str:
    """Return the suffix for a file: that of its type, else that of a name or an address."""
    own = _SUFFIX.search(name.lower(), max(name.rfind("."), 0)) if "." in name else None
    fallback = own[0] if own and own.end() == len(name) else ".bin"
    return _SUFFIXES.get(type, fallback)


def playlist(path: str, type: str = "") -> Literal["HLS", "DASH"] | None:
    """Check whether an address or a type is that of a video playlist, not of a video."""
    dot = path.rfind(".")
    return _PLAYLISTS.get(path[dot:].lower() if dot >= 0 else "") or _PLAYLISTS.get(type)
