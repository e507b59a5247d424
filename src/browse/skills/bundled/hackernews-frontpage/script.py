"""The stories on the front page of Hacker News."""

import re
from urllib.parse import urljoin

from _lib.browse_client import Browse, Node, parse, run

HOME = "https://news.ycombinator.com/"


def parse_stories(html: str) -> list[dict]:
    """Take the stories out of the page. A row that is not whole is skipped, but keeps its rank."""
    stories, rank = [], 0
    rows = list(parse(html).every("tr"))
    for number, row in enumerate(rows):
        if "athing" not in row.get("class").split():
            continue
        rank += 1
        line = row.first("span", "titleline")
        link = line.first("a") if line else None
        if link and row.get("id"):
            story = {"rank": rank, "id": row.get("id"), "title": link.text}
            story["url"] = urljoin(HOME, link.get("href"))
            stories.append({**story, **_counts(rows[number + 1 :])})
    return stories


def _counts(following: list[Node]) -> dict:
    """Look for points and comments in the rows that belong to a story: up to the next one."""
    counts: dict = {"points": None, "comments": None}
    for row in following:
        if {"athing", "spacer"} & set(row.get("class").split()):
            break
        if score := row.first("span", "score"):
            counts["points"] = _number(score.text)
        for link in row.every("a"):
            if "item?id=" in link.get("href") and re.search(r"\d+\s+comment|discuss", link.text):
                counts["comments"] = _number(link.text) or 0
    return counts


def _number(words: str) -> int | None:
    found = re.match(r"\d+", words)
    return int(found[0]) if found else None


def main(browse: Browse, args: dict) -> dict:
    with browse.tab(args["url"]):
        stories = parse_stories(browse.html())
    return {"stories": stories, "count": len(stories)}


if __name__ == "__main__":
    run(main, url=HOME)
