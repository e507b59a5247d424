"""Functions that recorded scripts use: each is copied as it is."""

from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from browse.sdk.browse_client import Node


def words(node: Node | None) -> str:
    """The words of an element; none where there is no such element."""
    return node.text if node else ""


def down(node: Node | None, *path: str) -> Node | None:
    """Go from an element to its child, and on: "li:2" is the second child that is an li."""
    for step in path:
        tag, _, nth = step.partition(":")
        inside = node.children if node else ()
        alike = [child for child in inside if isinstance(child, Node) and child.tag == tag]
        node = alike[int(nth or 1) - 1] if len(alike) >= int(nth or 1) else None
    return node


def rows(table: Node | None) -> list[dict[str, str]]:
    """The rows of a table, each by the words of the header."""
    found: list[dict[str, str]] = []
    header: list[str] = []
    for row in table.every("tr") if table else ():
        cells = [cell for cell in row.every() if cell.tag in ("td", "th")]
        if not (header or found) and all(cell.tag == "th" for cell in cells):
            header = [cell.text for cell in cells]
        elif cells:
            numbered = [f"column {at}" for at in range(len(header) + 1, len(cells) + 1)]
            names = [*header, *numbered]
            found.append({names[at]: cell.text for at, cell in enumerate(cells)})
    return found


def links(page: Node, url: str) -> list[dict[str, str]]:
    """The links of a page at this address that have words."""
    found = (link for link in page.every("a") if "href" in link.attrs and link.text)
    return [{"text": link.text, "href": urljoin(url, link.get("href"))} for link in found]


def with_query(url: str, values: dict[str, str]) -> str:
    """Put values into the query of an address, in place of those that it has."""
    parts = urlsplit(url)
    pairs = [(key, values.get(key, value)) for key, value in parse_qsl(parts.query, True)]
    return urlunsplit(parts._replace(query=urlencode(pairs)))
