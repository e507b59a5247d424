"""The infobox and the tables of a Wikipedia article."""

import re
from urllib.parse import quote

from _lib.browse_client import Browse, Node, parse, run

_REFERENCE = re.compile(r"\s*\[(?:\d+|[a-z]|note \d+|citation needed|edit)\]")


def parse_article(html: str) -> dict:
    """Take an article apart: title, first paragraph, infobox, tables."""
    page = parse(html)
    title = page.first(id="firstHeading") or page.first("title")
    body = page.first("div", "mw-parser-output") or page
    summaries = (_words(node) for node in body.every("p"))
    return {
        "title": _words(title),
        "summary": next(filter(None, summaries), ""),
        "infobox": _infobox(page.first("table", "infobox")),
        "tables": [_table(node) for node in page.every("table", "wikitable")],
    }


def _infobox(box: Node | None) -> dict:
    facts: dict = {}
    for row in box.every("tr") if box else ():
        label, data = row.first("th"), row.first("td")
        if label and data and _words(label):
            facts.setdefault(_words(label), _words(data))
    return facts


def _table(table: Node) -> dict:
    rows = [[it for it in row.every() if it.tag in ("th", "td")] for row in table.every("tr")]
    headed = bool(rows) and all(cell.tag == "th" for cell in rows[0])
    words = [[_words(cell) for cell in row] for row in rows]
    return {
        "caption": _words(table.first("caption")),
        "columns": words[0] if headed else [],
        "rows": words[1:] if headed else words,
    }


def _words(node: Node | None) -> str:
    return _REFERENCE.sub("", node.text) if node else ""


def address(article: str, language: str) -> str:
    """Make the address of an article out of its title; an address stays as it is."""
    if re.match(r"(?:https?|file)://", article):
        return article
    return f"https://{language}.wikipedia.org/wiki/{quote(article.strip().replace(' ', '_'))}"


def main(browse: Browse, args: dict) -> dict:
    with browse.tab(address(args["article"], args["language"])):
        return parse_article(browse.html())


if __name__ == "__main__":
    run(main, article="Tea", language="en")
