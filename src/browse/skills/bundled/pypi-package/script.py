"""What PyPI says about a package."""

import re
from urllib.parse import quote

from _lib.browse_client import Browse, Node, parse, run

HOME = "https://pypi.org/project/"


def parse_package(html: str) -> dict:
    """Take the facts out of a package's page."""
    page = parse(html)
    name, _, version = _words(page.first("h1", "package-header__name")).rpartition(" ")
    date = page.first("p", "package-header__date")
    time = date.first("time") if date else None
    facts = _meta(page)
    badge = page.first("a", "status-badge")
    return {
        "name": name,
        "version": version,
        "summary": _words(page.first("p", "package-description__summary")),
        "released": time.get("datetime") if time else "",
        "license": facts.get("License", facts.get("License Expression", "")),
        "python": facts.get("Requires", "").removeprefix("Python").strip(),
        "links": _links(page),
        "maintainers": _maintainers(page),
        "latest": badge is None or "status-badge--good" in badge.get("class").split(),
    }


def _meta(page: Node) -> dict[str, str]:
    facts: dict[str, str] = {}
    for item in page.every("li"):
        label = item.first("strong")
        if label and label.text.endswith(":"):
            facts.setdefault(label.text[:-1], item.text[len(label.text) :].strip())
    return facts


def _links(page: Node) -> dict[str, str]:
    tabs = (a for a in page.every("a", "vertical-tabs__tab") if a.get("rel"))
    return {a.text: a.get("href") for a in tabs}


def _maintainers(page: Node) -> list[str]:
    names = (node.text for node in page.every("span", "sidebar-section__user-gravatar-text"))
    return list(dict.fromkeys(names))  # the sidebar is there twice, for phones


def _words(node: Node | None) -> str:
    return node.text if node else ""


def address(package: str) -> str:
    """Make the address of the page out of a name; an address stays as it is."""
    if re.match(r"(?:https?|file)://", package):
        return package
    return f"{HOME}{quote(package.strip())}/"


def main(browse: Browse, args: dict) -> dict:
    with browse.tab(address(args["package"])):
        return parse_package(browse.html())


if __name__ == "__main__":
    run(main)
