"""The pages that are measured: a form, tables of up to 20,000 rows, a long article."""

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Rows of the tables with a link, a button and a field each, of which a snapshot is taken.
TABLES = (100, 2_000, 20_000)
SMALL = """<!doctype html><title>Small</title><h1>Hello</h1><p>Some text</p><a href="#a">Link</a>
<button id=b>Press</button><label>Name <input id=name></label>"""


def write(folder: Path) -> None:
    """Put the pages into a folder."""
    row = (
        "<tr><td>{0}</td><td><a href=/item/{0}>Item {0}</a></td><td><button>Edit</button></td></tr>"
    )
    rows = "".join(row.format(number) for number in range(2000))
    control = (
        '<tr><td>{0}</td><td><a href="/item/{0}">Item {0}</a></td><td><button>Edit {0}</button>'
        '</td><td><input aria-label="Qty {0}" value="{0}"></td></tr>'
    )
    for count in TABLES:
        table = "".join(map(control.format, range(count)))
        (folder / f"table{count}.html").write_text(f"<!doctype html><table>{table}</table>")
    words = "the quick brown fox jumps over the lazy dog " * 6
    paragraphs = "".join(f"<p>Paragraph {number}: {words}</p>" for number in range(400))
    (folder / "small.html").write_text(SMALL)
    (folder / "big.html").write_text(f"<!doctype html><title>Big</title><table>{rows}</table>")
    (folder / "article.html").write_text(f"<!doctype html><title>Article</title>{paragraphs}")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; gives its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
