"""Reading the project's Markdown files: blocks, links and headings."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SKIPPED = {".venv", ".git", ".pytest_cache", ".hypothesis", "node_modules", ".gstack", ".apps"}
_FENCE = re.compile(r"^(?P<indent> *)```(?P<kind>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.M | re.S)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_STOPS = {"|", ">", "<", "&&", "||", ";", "2>", ">>"}


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind (`bash`, `console`, …) and its lines."""

    kind: str
    lines: tuple[str, ...]


def pages() -> list[Path]:
    """List every Markdown file of the project."""
    listed = [path for path in ROOT.rglob("*.md") if not SKIPPED & set(path.parts)]
    return sorted(listed)


def blocks(text: str) -> list[Block]:
    """Take the fenced blocks out of a page."""
    return [
        Block(found["kind"], tuple(line.strip() for line in found["body"].splitlines()))
        for found in _FENCE.finditer(text)
    ]


def prose(text: str) -> str:
    """Take a page without its fenced blocks."""
    return _FENCE.sub("", text)


def links(text: str) -> list[str]:
    return _LINK.findall(prose(text))


def anchors(text: str) -> set[str]:
    """Name the headings as GitHub does in addresses."""
    headings = _HEADING.findall(prose(text))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower().strip()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def command_lines(text: str) -> Iterator[list[str]]:
    """Give the words of each `browse …` line in the bash and console blocks."""
    for block in blocks(text):
        if block.kind not in ("bash", "console"):
            continue
        for line in block.lines:
            words = line.removeprefix("$ ").removeprefix("./")
            if words.startswith("browse ") and (block.kind == "bash" or line.startswith("$ ")):
                yield _until_stop(shlex.split(words, comments=True))


def _until_stop(words: list[str]) -> list[str]:
    end = next((at for at, word in enumerate(words) if word in _STOPS), len(words))
    return words[1:end]


def project_files() -> list[Path]:
    """List the files that belong to the project: what git tracks or would add."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
    )
    if done.returncode:  # not a git checkout: an unpacked archive
        return [path for path in ROOT.rglob("*") if path.is_file() and not SKIPPED & {*path.parts}]
    names = done.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]
