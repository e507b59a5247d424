"""The entries of an RSS or Atom feed, as the browser shows it."""

from _lib.browse_client import Browse, BrowseError, Node, parse, run

MAX_SUMMARY = 1_000
ROOTS = ("rss", "feed", "rdf:rdf")


def parse_feed(html: str) -> dict | None:
    """Take a feed apart; None where the page is none."""
    feed = _feed(html)
    if feed is None:
        return None
    head = feed.first("channel") or feed
    entries = [_entry(node) for node in feed.every() if node.tag in ("item", "entry")]
    return {
        "title": _child(head, "title"),
        "link": _link(head),
        "entries": entries,
        "count": len(entries),
    }


def _feed(html: str) -> Node | None:
    """Find the feed: in the browser's view of XML, or in the text that it shows instead."""
    page = parse(html, xml=True)
    shown = page.first("pre")
    if shown and not any(page.first(root) for root in ROOTS):
        page = parse("".join(part for part in shown.children if isinstance(part, str)), xml=True)
    return next(filter(None, (page.first(root) for root in ROOTS)), None)


def _entry(node: Node) -> dict:
    dates = ("pubdate", "published", "updated", "dc:date")
    bodies = ("description", "summary", "content:encoded", "content")
    return {
        "title": _plain(_child(node, "title")),
        "link": _link(node),
        "date": next(filter(None, (_child(node, name) for name in dates)), ""),
        "id": _child(node, "guid") or _child(node, "id") or node.get("rdf:about"),
        "summary": _plain(next(filter(None, (_child(node, name) for name in bodies)), "")),
    }


def _child(node: Node, tag: str) -> str:
    """Give the words of a direct child: an image or a source has a title as well."""
    for child in node.children:
        if isinstance(child, Node) and child.tag == tag:
            return child.text
    return ""


def _link(node: Node) -> str:
    links = [child for child in node.children if isinstance(child, Node) and child.tag == "link"]
    best = [link for link in links if link.get("rel") in ("", "alternate")] or links
    return (best[0].text or best[0].get("href")) if best else ""


def _plain(words: str) -> str:
    return parse(words).text[:MAX_SUMMARY]


def main(browse: Browse, args: dict) -> dict:
    with browse.tab(args["url"]):
        found = parse_feed(browse.html())
    if found is None:
        raise BrowseError(
            "This page is neither an RSS nor an Atom feed", hint="look at `browse links`"
        )
    return found


if __name__ == "__main__":
    run(main)
