"""Time `fleet map` beside one daemon's `batch`, kill parts of it, and model a large fleet.

    python -m tools.bench.fleet --pages 500 --workers 2
    python -m tools.bench.fleet --kills 10
    python -m tools.bench.fleet --kills 10 --changes
    python -m tools.bench.fleet --model

It needs a Chromium, makes a home and a site of its own, and leaves nothing behind.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import dask
import psutil
from distributed import Client, Worker

from browse.browser.process import chromium
from browse.fleet import keys, launch
from browse.fleet.connect import CONFIG
from browse.fleet.head import HeadOptions

Running = subprocess.Popen[str]
BOOT = Path(__file__).parents[2] / "src" / "browse" / "client" / "boot.py"
WORDS = "some words of a small page " * 40
BUY = """<button onclick="fetch(location.href, {method: 'POST'}).then((it) => it.text())
.then((it) => (document.querySelector('output').value = it))">Buy</button><output></output>"""
READS, CHANGES = "text", "click button | wait output --text bought"
BATCH = 25
# Of the model: machines, pages, tabs of a machine, and what a page of the web takes.
MACHINES, PAGES, TABS, PAGE_S = 1_000, 10_000_000, 4, 3.0
PROBE_WORKERS, PROBE_TASKS = (50, 200), 4_000


class Stage:
    """A home of its own, and `browse` run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / ".git").mkdir()
        browsers = str(chromium.playwright_folder(chromium.System.here()))
        kept = {"PLAYWRIGHT_BROWSERS_PATH": browsers, **os.environ}
        self.environ = {**kept, "HOME": str(folder)}
        self.environ.pop("BROWSE_STATE_FILE", None)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(BOOT), *words],
            cwd=self.folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> str:
        process = self.start(*words)
        out, err = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(words)}: {out}{err}")
        return out

    def note(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / ".gstack/fleet/head.json").read_text())
        return found

    def own(self) -> list[psutil.Process]:
        """The processes that are there for Dask: the head and the workers."""
        note = self.note()
        return [psutil.Process(it["pid"]) for it in (note["head"], *note["workers"])]

    def workers(self) -> list[str]:
        return sorted(str(it) for it in (self.folder / "browse-fleet").iterdir())

    def browsers(self) -> list[psutil.Process]:
        """The daemons of the workers, with all that they started."""
        states = self.folder.glob("browse-fleet/*/.gstack/browse.json")
        daemons = [psutil.Process(json.loads(it.read_text())["pid"]) for it in states]
        return [it for each in daemons for it in (each, *each.children(recursive=True))]


@contextlib.contextmanager
def site() -> Iterator[tuple[str, Counter[str]]]:
    """Serve small pages on loopback, each with a button that posts; count the posts of each."""
    posted: Counter[str] = Counter()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(f"<title>{self.path}</title><main><h1>{self.path}</h1>{WORDS}</main>{BUY}")

        def do_POST(self) -> None:
            posted[self.path] += 1
            self.answer("bought")

        def answer(self, html: str) -> None:
            body = html.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 200

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", posted
    server.shutdown()
    thread.join()
    server.server_close()


def spent(processes: list[psutil.Process]) -> float:
    """Return the seconds of processor time that they have used."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def batch(stage: Stage, urls: list[str]) -> float:
    """Read the pages with one daemon's `batch`; return the pages in a second."""
    import http.client

    stage.run("url")
    state = json.loads((stage.folder / ".gstack/browse.json").read_text())
    head = {"authorization": f"Bearer {state['token']}", "content-type": "application/json"}
    start = time.monotonic()
    for at in range(0, len(urls), BATCH):
        steps = [
            {"command": name, "args": [*args, "--json"]}
            for url in urls[at : at + BATCH]
            for name, args in (("goto", [url]), ("text", []))
        ]
        connection = http.client.HTTPConnection("127.0.0.1", state["port"])
        connection.request("POST", "/batch", json.dumps({"commands": steps}), head)
        rows = json.loads(connection.getresponse().read())["results"]
        connection.close()
        if any(row["status"] != 200 for row in rows):
            raise SystemExit(f"batch: {rows}")
    rate = len(urls) / (time.monotonic() - start)
    stage.run("stop")
    return rate


def throughput(stage: Stage, urls: list[str], workers: int) -> None:
    """Print pages a second of `batch`, of `map` and of the same without Dask, and what each takes.

    The share of Dask is what the head, the workers and the command take of the processor beyond
    what the same work takes without Dask, of all that a run takes.
    """
    alone = batch(stage, urls)
    (stage.folder / "urls.txt").write_text("\n".join(urls))
    print(f"{'':14}{'pages/s':>10}{'x batch':>10}{'own':>8}{'Dask':>8}")
    print(f"{'batch':14}{alone:10.1f}{1.0:10.2f}")
    for count in (1, workers):
        stage.run("fleet", "up", "--local", str(count), "--port", "0")
        words = ("fleet", "map", "urls.txt", "--do", "text", "--out", f"r{count}.jsonl", "--json")
        mapped, own_s, pages_s = taken(stage, partial(stage.run, *words))
        if (facts := json.loads(mapped))["done"] != len(urls):
            raise SystemExit(f"map: {facts}")
        start = time.monotonic()
        _, plain_s, plain_pages_s = taken(stage, partial(plainly, stage, count))
        plain = len(urls) / (time.monotonic() - start)
        whole_s = own_s + pages_s
        for name, rate, own, dask_s in (
            (f"{count} workers", facts["perSecond"], own_s / whole_s, own_s - plain_s),
            ("  no Dask", plain, plain_s / (plain_s + plain_pages_s), 0.0),
        ):
            print(f"{name:14}{rate:10.1f}{rate / alone:10.2f}{own:8.1%}{dask_s / whole_s:8.1%}")
        stage.run("fleet", "down")


def taken(stage: Stage, run: Callable[[], str]) -> tuple[str, float, float]:
    """Run something; return what it says, and the seconds of processor of ours and of browsers."""
    own, browsers, mine = spent(stage.own()), spent(stage.browsers()), os.times()
    said = run()
    now = os.times()
    command_s = now.children_user + now.children_system - mine.children_user - mine.children_system
    return said, spent(stage.own()) - own + command_s, spent(stage.browsers()) - browsers


def plainly(stage: Stage, count: int) -> str:
    """Do the same without Dask, in the same browsers."""
    words = (str(stage.folder / "urls.txt"), str(stage.folder / f"p{count}.jsonl"), "2")
    folders = stage.workers()[:count]
    return subprocess.run(
        [sys.executable, "-m", "tools.bench.plain_map", *words, *folders],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def kills(stage: Stage, urls: list[str], workers: int, number: int, do: str) -> None:
    """Kill a worker, the head or the run, again and again, until all pages have a line."""
    up = ("fleet", "up", "--local", str(workers), "--port", "0")
    (stage.folder / "urls.txt").write_text("\n".join(urls))
    words = ("fleet", "map", "urls.txt", "--do", do, "--out", "r.jsonl", "--resume")
    dice = random.Random(1)  # noqa: S311  # the same kills in each run
    tally: dict[str, int] = {}
    runs = 0
    while lines(stage) < len(urls):
        stage.run(*up)
        running = stage.start(*words)
        runs += 1
        while running.poll() is None and sum(tally.values()) < number:
            victim = kill_one(stage, running, dice, lines(stage) + dice.randint(5, 40))
            tally[victim] = tally.get(victim, 0) + 1
            if victim == "worker":
                stage.run(*up)  # in its place, while the run goes on
        running.communicate()
    stage.run(*up)  # so that `down` finds all daemons
    stage.run("fleet", "down")
    print(f"{len(urls)} pages, {workers} workers, {runs} runs, kills: {tally}")


def told(stage: Stage, urls: list[str], posted: Counter[str] | None) -> None:
    """Print what the results say, and whether the site says the same."""
    rows = [json.loads(it) for it in (stage.folder / "r.jsonl").read_text().splitlines()]
    numbers = [row["n"] for row in rows]
    once = len(set(numbers))
    print(f"lost {len(urls) - once}, lines twice {len(numbers) - once}", end=", ")
    print(dict(Counter(row["state"] for row in rows)))
    if posted is not None:
        twice = sum(number > 1 for number in posted.values())
        done = {f"/p{row['n']}" for row in rows if row["state"] == "done"}
        print(f"of the site: done {len(posted)}, done twice {twice}", end=", ")
        print(f"said to be done and not done {len(done - posted.keys())}")


def kill_one(stage: Stage, running: Running, dice: random.Random, until: int) -> str:
    """Wait until so many pages are done, and kill something; return what."""
    while running.poll() is None and lines(stage) < until:
        time.sleep(0.05)
    note = stage.note()
    pids = {
        "run": running.pid,
        "head": note["head"]["pid"],
        "worker": dice.choice(note["workers"])["pid"],
    }
    victim = dice.choice(list(pids))
    with contextlib.suppress(ProcessLookupError):
        os.kill(pids[victim], signal.SIGKILL)
    return victim


def lines(stage: Stage) -> int:
    path = stage.folder / "r.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def nothing(pages: list[int]) -> list[str]:
    """Do what a task of `map` does apart from its pages: take some, give some text back."""
    return [WORDS * 2 for _ in pages]


async def probe(folder: Path, workers: int) -> tuple[float, float]:
    """Return what a head takes: seconds for a task, and bytes in all, with so many workers."""
    file = keys.own(folder)
    options = HeadOptions("127.0.0.1", 0, str(file))
    started = launch.start("head", "browse.fleet.head", options, folder / "head.log")()
    head, address = psutil.Process(started.process.pid), started.facts["address"]
    security = keys.security(file)
    with dask.config.set(CONFIG):
        made = [
            Worker(
                address,
                nthreads=TABS,
                name=f"w{n}",
                host="127.0.0.1",
                security=security,
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
            )
            for n in range(workers)
        ]
        await asyncio.gather(*made)
        async with Client(address, security=security, asynchronous=True) as client:
            before, room = spent([head]), asyncio.Semaphore(workers * TABS * 2)

            async def one(n: int) -> None:
                async with room:
                    await client.submit(nothing, [n], key=f"pages-{n}", pure=False)

            await asyncio.gather(*(one(n) for n in range(PROBE_TASKS)))
            task_s = (spent([head]) - before) / PROBE_TASKS
            memory = float(head.memory_info().rss)
        await asyncio.gather(*(each.close() for each in made))
    head.terminate()
    head.wait(30)
    return task_s, memory


def model(folder: Path) -> None:
    """Print what a head can do for a thousand machines, from what it takes for some."""
    few, many = (asyncio.run(probe(folder, count)) for count in PROBE_WORKERS)
    span = PROBE_WORKERS[1] - PROBE_WORKERS[0]
    each_b = (many[1] - few[1]) / span
    task_s = max(few[0], many[0])
    memory = many[1] + each_b * (MACHINES - PROBE_WORKERS[1])
    print(f"measured with {PROBE_WORKERS[1]} workers: {task_s * 1000:.2f} ms a task,", end=" ")
    print(f"{few[1] / 2**20:.0f} → {many[1] / 2**20:.0f} MB, {each_b / 1024:.0f} kB a worker")
    wanted = MACHINES * TABS / PAGE_S
    print(
        f"{MACHINES:,} machines with {TABS} tabs, {PAGE_S:g} s a page: {wanted:,.0f} pages/s wanted"
    )
    print(f"head: {memory / 2**20:,.0f} MB, at most {1 / task_s:,.0f} tasks/s")
    print(
        f"{'pages a task':>14}{'pages/s':>10}{'head busy':>11}{'hours':>8}{'bends at machines':>19}"
    )
    for pages in (1, 2, 5, 10, 20):
        most = pages / task_s
        rate = min(wanted, most)
        busy = rate / most
        bends = most * PAGE_S / TABS
        hours = PAGES / rate / 3600
        print(f"{pages:14}{rate:10,.0f}{busy:11.0%}{hours:8.1f}{bends:19,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench.fleet", description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--changes", action="store_true", help="kill while pages are changed")
    parser.add_argument("--model", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="browse-fleet-") as name:
        folder = Path(name)
        if options.model:
            return model(folder)
        with site() as (base, posted):
            urls = [f"{base}/p{n}" for n in range(options.pages)]
            stage = Stage(folder)
            if options.kills:
                kills(
                    stage,
                    urls,
                    options.workers,
                    options.kills,
                    CHANGES if options.changes else READS,
                )
                return told(stage, urls, posted if options.changes else None)
            return throughput(stage, urls, options.workers)


if __name__ == "__main__":
    main()
