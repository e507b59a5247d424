"""How much of what a person can operate on a page has a ref, and words that tell it apart."""

from collections import Counter

from support.cli import Project

# What browsers let everybody operate, as far as it is shown and enabled.
OPERABLE = """[...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary"
)].filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.matches(":disabled"))"""
HINT = "[hint="


def told_apart(browser: Project) -> float:
    """Return the part of it that has a ref with a line of its own: a name, a context or a hint."""
    operable = int(browser.ok("js", f"{OPERABLE}.length").page)
    nodes = browser.ok("snapshot", "-i", "--json", "--max-chars", "0").json["page"]["nodes"]
    nodes = [it for it in nodes if it["role"] != "option"]  # which is a part of its select
    lines = Counter((it["role"], it["name"], it["context"], it["marks"]) for it in nodes)
    named = [it for it, times in lines.items() if times == 1 and (any(it[1:3]) or HINT in it[3])]
    assert operable
    return len(named) / max(operable, len(nodes))
