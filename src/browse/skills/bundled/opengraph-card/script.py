"""The card that a link to a page shows."""

from urllib.parse import urljoin

from _lib.browse_client import Browse, Node, parse, run


def parse_card(html: str, url: str) -> dict:
    """Take the card out of a page at this address."""
    page = parse(html)
    named = _named(page)
    tags = {key: value for key, value in named.items() if key.startswith(("og:", "twitter:"))}
    title = page.first("title")

    def best(*keys: str) -> str:
        return next((named[key] for key in keys if named.get(key)), "")

    canonical = best("og:url") or _link(page, "canonical")
    image = best(
        "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"
    )
    icon = _link(page, "icon") or _link(page, "apple-touch-icon")
    return {
        "url": urljoin(url, canonical) if canonical else url,
        "title": best("og:title", "twitter:title") or (title.text if title else ""),
        "description": best("og:description", "twitter:description", "description"),
        "image": urljoin(url, image) if image else "",
        "site": best("og:site_name", "twitter:site", "application-name"),
        "type": best("og:type"),
        "icon": urljoin(url, icon) if icon else "",
        "tags": tags,
    }


def _named(page: Node) -> dict[str, str]:
    """List the page's meta tags; of several of one name, the first."""
    named: dict[str, str] = {}
    for tag in page.every("meta"):
        key = (tag.get("property") or tag.get("name")).strip().lower()
        if key:
            named.setdefault(key, tag.get("content").strip())
    return named


def _link(page: Node, rel: str) -> str:
    links = (link for link in page.every("link") if rel in link.get("rel").lower().split())
    return next((link.get("href") for link in links), "")


def main(browse: Browse, args: dict) -> dict:
    with browse.tab(args["url"]):
        return parse_card(browse.html(), browse.url())


if __name__ == "__main__":
    run(main)
