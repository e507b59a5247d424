"""Do what `fleet map` does without Dask: threads of one process, the same visits, the same file.

    python -m tools.bench.plain_map urls.txt out.jsonl <tabs> <folder of a worker>…

`tools/bench/fleet.py` runs it, to tell what of a run is there because of Dask.
"""

import sys
import threading
from pathlib import Path

from browse.fleet import job
from browse.fleet.machine import Machine, environment
from browse.fleet.results import ResultFile
from browse.fleet.urls import UrlList
from browse.fleet.visit import visit


def main() -> None:
    source, out, tabs, *folders = sys.argv[1:]
    wanted = job.parse("text")
    pages, turn = UrlList(source).pages(), threading.Lock()
    file = ResultFile(Path(out), wanted, resume=False)

    def work(machine: Machine) -> None:
        while True:
            with turn:
                page = next(pages, None)
            if page is None:
                return
            outcome = visit(machine, wanted, page, lambda _: True)
            with turn:
                file.write(outcome)

    machines = [Machine(Path(each), environment()) for each in folders]
    threads = [threading.Thread(target=work, args=(it,)) for it in machines * int(tabs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    file.close()


if __name__ == "__main__":
    main()
