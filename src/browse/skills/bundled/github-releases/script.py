"""The releases of a GitHub repository."""

import re
from urllib.parse import unquote, urljoin

from _lib.browse_client import Browse, Node, parse, run

HOME = "https://github.com/"
MAX_NOTES = 2_000
_TAG = re.compile(r"/releases/tag/([^/?#]+)$")


def parse_releases(html: str) -> list[dict]:
    """Take the releases out of the page; each has a section with a link to its tag."""
    releases: list[dict] = []
    for section in parse(html).every("section"):
        link = next((a for a in section.every("a") if _TAG.search(a.get("href")) and a.text), None)
        if link:
            releases.append(_release(section, link))
    return releases


def _release(section: Node, link: Node) -> dict:
    found = _TAG.search(link.get("href"))
    labels = [label.text.lower() for label in section.every("span", "Label")]
    time = section.first("relative-time") or section.first("time")
    notes = section.first("div", "markdown-body")
    return {
        "tag": unquote(found[1]) if found else "",
        "name": link.text,
        "url": urljoin(HOME, link.get("href")),
        "date": time.get("datetime") if time else "",
        "latest": "latest" in labels,
        "prerelease": "pre-release" in labels,
        "notes": notes.text[:MAX_NOTES] if notes else "",
    }


def address(repository: str) -> str:
    """Make the address of the page out of owner/name; an address stays as it is."""
    if re.match(r"(?:https?|file)://", repository):
        return repository
    return f"{HOME}{repository.strip('/')}/releases"


def main(browse: Browse, args: dict) -> dict:
    with browse.tab(address(args["repository"])):
        releases = parse_releases(browse.html())
    return {"releases": releases, "count": len(releases)}


if __name__ == "__main__":
    run(main)
