"""Whether actions tell the truth: `.venv/bin/python -m tools.bench.settle [--rounds 3]`.

A page answers a press in one of many ways, after a delay that it is told. The reply is true if it
says that something changed and the answer is there for the next command; where the page never
answers, if it says that nothing changed. Each cell of the table counts the true replies.
`--act 'press Enter --on #go'` takes another action than `click #go`.
"""

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

COMMAND = str(Path(__file__).resolve().parents[2] / "browse")
DELAYS_MS = (0, 5, 20, 50, 100, 150, 300, 390)
# By kind: what the page does on a press, with `ms` and `answer()`, which sets `window.answered`.
KINDS = {
    "timer": "setTimeout(answer, ms)",
    "microtask": "setTimeout(() => Promise.resolve().then(answer), ms)",
    "fetch": "fetch('/late?ms=' + ms).then(it => it.text()).then(answer)",
    "animation end": "out.onanimationend = answer; out.style.animation = `fade ${ms + 1}ms`",
    "transition end": """out.ontransitionend = answer; out.style.transition = `opacity ${ms + 1}ms`;
        out.style.opacity = 0.5""",
    "in a frame": "frames[0].postMessage(ms)",
    "open shadow root": """setTimeout(() => { host.shadowRoot.firstChild.textContent = 'answered';
        answered = true }, ms)""",
    "worker message": "worker.onmessage = answer; worker.postMessage(ms)",
    "class only": "setTimeout(() => { panel.className = 'shown'; answered = true }, ms)",
    "checked style": "setTimeout(() => { box.checked = true; answered = true }, ms)",
    "focus": "setTimeout(() => { field.focus(); answered = true }, ms)",
    "value": "setTimeout(() => { field.value = 'Ada'; answered = true }, ms)",
    "dialog": "setTimeout(() => { alert('Hello'); answered = true }, ms)",
    "modal dialog": "setTimeout(() => { asked.showModal(); answered = true }, ms)",
    "popover": "setTimeout(() => { hint.showPopover(); answered = true }, ms)",
    "idle callback": "setTimeout(() => requestIdleCallback(answer), ms)",
    "frame callback": "setTimeout(() => requestAnimationFrame(answer), ms)",
    "scroll": "setTimeout(() => { scrollTo(0, 900); answered = true }, ms)",
    "address": "setTimeout(() => { history.pushState(0, '', '#there'); answered = true }, ms)",
    "new page": "setTimeout(() => { location = '/there' }, ms)",
    "new tab": "setTimeout(() => { open('/there'); answered = true }, ms)",
    "beside a slow frame": "setTimeout(answer, ms)",
    "beside a slow picture": "setTimeout(answer, ms)",
    "never": "",
    "never, slow frame": "",
}
PAGE = """<!doctype html><title>Settle</title><button id=go>Go</button><p id=out>asked</p>
<style>@keyframes fade {{ from {{ opacity: 0.5 }} to {{ opacity: 1 }} }} #panel {{ display: none }}
#panel.shown {{ display: block }}</style><p id=panel>Panel</p><input id=box type=checkbox>
<input id=field><dialog id=asked>Sure?</dialog><p id=hint popover>Hint</p><p id=host></p>
{more}<div style="height: 4000px"></div><script>
var answered = false; const ms = {ms};
const answer = () => {{ out.textContent = 'answered'; answered = true }};
host.attachShadow({{mode: 'open'}}).innerHTML = '<p>asked</p>';
const code = 'onmessage = (it) => setTimeout(() => postMessage(1), it.data)';
const worker = new Worker(URL.createObjectURL(new Blob([code])));
go.onclick = () => {{ {react} }}</script>"""
INNER = """<!doctype html><p>asked</p><script>onmessage = (it) => setTimeout(() => {
  document.querySelector('p').textContent = 'answered'; parent.answered = true
}, it.data)</script>"""
THERE = "<!doctype html><title>There</title><script>var answered = true</script><p>There"
SLOW_FRAME = "<iframe src='/late?ms=250'></iframe>"
MORE = {
    "in a frame": "<iframe src=/inner></iframe>",
    "beside a slow frame": SLOW_FRAME,
    "never, slow frame": SLOW_FRAME,
    "beside a slow picture": """<img src='/late?ms=250'><script>
        onload = () => document.body.append('loaded')</script>""",
}


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/late":
            time.sleep(int(query["ms"]) / 1000)
        text = {"/there": THERE, "/inner": INNER, "/late": "late"}.get(address.path)
        self._answer(text if text is not None else _page(query["kind"], query["ms"]))

    def _answer(self, text: str) -> None:
        raw = text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        with suppress(ConnectionError):  # the page has gone on
            self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _page(kind: str, ms: str) -> str:
    return PAGE.format(ms=ms, react=KINDS[kind], more=MORE.get(kind, ""))


@contextmanager
def serving() -> Iterator[str]:
    """Serve the pages on loopback; gives their address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(server.serve_forever)
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
    server.server_close()


def press(folder: Path, base: str, act: str, kind: str, ms: int) -> str:
    """Press once; return why the reply was not true, or ""."""
    url = f"{base}/?{urlencode({'kind': kind, 'ms': ms})}"
    # What is slow is to come after the press.
    steps = [f"goto {url}", *([] if "slow" in kind else ["wait --load"]), act]
    words = [COMMAND, "chain", " | ".join([*steps, "js window.answered"]), "--json"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{kind}, {ms} ms: {done.stderr}")
    *_, click, answered = (it["result"] for it in json.loads(done.stdout)["steps"])
    # `changed` is what happened in the document.
    page = click["page"]
    told = click["changed"] or click["navigated"] or click["opened"] or page["dialogs"]
    if kind.startswith("never"):
        return "told of a change" if told else ""
    if not told:
        return "said that nothing changed"
    return "" if answered["page"]["value"] is True else "replied before the answer"


def report(folder: Path, base: str, act: str, kinds: Sequence[str], rounds: int) -> None:
    """Print the table, and below it each reply that was not true."""
    untrue: list[str] = []
    width = max(map(len, kinds))
    print(" " * width + "".join(f"{ms:>7}" for ms in DELAYS_MS), flush=True)
    for kind in kinds:
        print(kind.ljust(width), end="", flush=True)
        for ms in DELAYS_MS:
            found = [press(folder, base, act, kind, ms) for _ in range(rounds)]
            cell = f"{found.count('')}/{rounds}"
            print(f"{cell:>7}", end="", flush=True)
            untrue += [f"{kind}, {ms} ms: {why}" for why in found if why]
        print()
    print(*untrue, sep="\n")


def main() -> None:
    """Press each kind of page after each delay."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.settle", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--act", default="click #go")
    parser.add_argument("--kinds", default="", help="only kinds with this in their name")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, serving() as base:
        folder = Path(name)
        (folder / ".git").mkdir()
        try:
            kinds = [it for it in KINDS if args.kinds in it]
            report(folder, base, args.act, kinds, args.rounds)
        finally:
            subprocess.run([COMMAND, "stop"], cwd=folder, check=False, capture_output=True)


if __name__ == "__main__":
    main()
