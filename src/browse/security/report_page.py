"""The report on attempts as an HTML page: no scripts, nothing fetched, everything escaped."""

from collections import Counter
from html import escape

from browse.security.report import AttemptReport

MAX_ROWS = 20
MAX_DAYS = 120
BAR, GAP, HEIGHT = 18, 6, 160
COLOURS = ("#3b6fb6", "#c8553d", "#588157", "#8d6a9f", "#c99700", "#4a4e69")
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 2rem; }
td, th { padding: .2rem 1rem .2rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .9em; }
svg { max-width: 100%; height: auto; }
text { font: 10px system-ui, sans-serif; fill: currentColor; }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .4em 0 1em; }
"""


def page(report: AttemptReport, *, title: str, about: str) -> str:
    """Write the page."""
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(about)}</p>"]
    if report.entries:
        parts += [
            _chart(report),
            _table("By kind", report.kinds),
            _table("By reason", report.reasons),
            _table("By source (hashed)", report.sources),
            _table("By host (hashed)", report.hosts),
        ]
    head = (
        '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>"
    )
    body = "\n".join(filter(None, parts))
    return f'<!doctype html>\n<html lang="en">\n{head}\n<body>\n{body}\n</body>\n</html>\n'


def _chart(report: AttemptReport) -> str:
    """Draw a bar for each day, its parts coloured by kind."""
    days = sorted(report.by_day)[-MAX_DAYS:]
    kinds = _names(report.kinds)
    colours = dict(zip(kinds, COLOURS, strict=False))
    top = max(report.days[day] for day in days)
    bars = [
        _bar(at, day, {kind: HEIGHT * report.by_day[day][kind] / top for kind in kinds}, colours)
        for at, day in enumerate(days)
    ]
    keys = "".join(
        f'<span class="key" style="background:{colour}"></span>{escape(kind)}'
        for kind, colour in colours.items()
    )
    width = len(days) * (BAR + GAP)
    return (
        f"<h2>By day</h2>\n<p>At most {top:,} a day.{keys}</p>\n"
        f'<svg role="img" aria-label="Attempts by day" width="{width}" '
        f'viewBox="0 0 {width} {HEIGHT + 50}">'
        f"{''.join(bars)}</svg>"
    )


def _bar(at: int, day: str, tall: dict[str, float], colours: dict[str, str]) -> str:
    left, bottom, drawn = at * (BAR + GAP), float(HEIGHT), []
    for kind in filter(tall.get, tall):
        bottom -= tall[kind]
        drawn.append(
            f'<rect x="{left}" y="{bottom:.1f}" width="{BAR}" height="{tall[kind]:.1f}" '
            f'fill="{colours.get(kind, COLOURS[-1])}"><title>{escape(day)} {escape(kind)}</title>'
            "</rect>"
        )
    turned = f"translate({left + 5},{HEIGHT + 6}) rotate(60)"
    return "".join(drawn) + f'<text transform="{turned}">{escape(day[5:])}</text>'


def _table(title: str, names: Counter[str]) -> str:
    if not names:
        return ""
    rows = [
        f'<tr><td><code>{escape(name)}</code></td><td class="n">{names[name]:,}</td></tr>'
        for name in _names(names)[:MAX_ROWS]
    ]
    more = len(names) - len(rows)
    if more > 0:
        rows.append(f"<tr><td>{more:,} more</td></tr>")
    return f"<h2>{escape(title)}</h2>\n<table>{''.join(rows)}</table>"


def _names(names: Counter[str]) -> list[str]:
    """List names, the most frequent first."""
    return sorted(names, key=lambda name: (-names[name], name))
