"""`fleet map` on real workers: what becomes of pages when something is lost, slow or killed."""

import json
import re
import signal
import threading

import psutil
import pytest

from support.cli import ask_each, until, words_of
from support.fleets import ended, rows, states

pytestmark = [pytest.mark.e2e, pytest.mark.issue(19)]


@pytest.fixture
def pages(site, request) -> list[str]:
    name = re.sub(r"\W+", "-", request.node.name)
    return [site.page(f"/{name}/{n}", f"<main>Tea {n}</main>") for n in range(12)]


def test_every_page_has_one_line_with_its_number_and_its_words(fleet, pages):
    urls, out = fleet.urls([*pages, pages[0]]), fleet.out()

    ran = fleet.ok("map", urls, "--do", "text main", "--out", str(out), "--json")

    found = rows(out)
    assert [(row["n"], row["url"]) for row in found] == list(enumerate(pages))
    assert [row["result"]["page"]["text"] for row in found] == [f"Tea {n}" for n in range(12)]
    assert {row["status"] for row in found} == {200}
    facts = json.loads(ran.out)
    assert (facts["total"], facts["done"], facts["failed"], facts["unknown"]) == (12, 12, 0, 0)
    assert sum(facts["workers"].values()) == 12
    assert {it.stat().st_mode & 0o777 for it in out.parent.glob(f"{out.name}*")} == {0o600}


def test_results_go_to_stdout_and_come_from_stdin(fleet, pages):
    ran = fleet.project.browse(
        "fleet", "map", "-", "--do", "text main | title", stdin="\n".join(pages[:3])
    )

    found = sorted(map(json.loads, ran.out.splitlines()), key=lambda row: row["n"])
    assert [[step["command"] for step in row["steps"]] for row in found] == [["text", "title"]] * 3
    assert "3 pages of 3 done" in ran.err


def test_with_json_stdout_has_the_results_and_nothing_else(fleet, pages):
    words = ("fleet", "map", "-", "--do", "title", "--json")

    ran = fleet.project.browse(*words, stdin="\n".join(pages[:2]))

    assert (ran.code, len([*map(json.loads, ran.out.splitlines())])) == (0, 2)
    assert "2 pages of 2 done" in ran.err


def test_a_script_is_sent_along_and_runs_once_for_each_page(fleet, pages):
    script = 'page.goto(args["url"])\nresult = page.text("main")\n'
    (fleet.project.root / "read.py").write_text(script)
    urls, out = fleet.urls(pages[:3]), fleet.out()

    fleet.ok("map", urls, "--do", "run read.py --arg url={url}", "--out", str(out))

    assert [row["result"]["page"]["result"] for row in rows(out)] == [f"Tea {n}" for n in range(3)]


def test_a_page_that_fails_says_why_and_the_rest_is_done(fleet, pages, site):
    hung = site.never("/fleet-hangs")
    urls, out = fleet.urls([hung, "http://169.254.169.254/", "tea", *pages[:4]]), fleet.out()

    ran = fleet.fleet(
        "map", urls, "--do", "text", "--out", str(out), "--timeout", "3", "--retries", "0"
    )

    found = rows(out)
    assert ran.code == 1
    assert [row.get("code") for row in found[:3]] == ["timeout", "url-refused", "usage"]
    assert {row["state"] for row in found[3:]} == {"done"}
    assert "3 failed" in ran.out


def test_a_slow_host_does_not_hold_up_a_fast_one(fleet, pages, site):
    held = [site.hold(f"/fleet-slow/{n}", "<main>slow</main>") for n in range(8)]
    slow = [it.url.replace("127.0.0.1", "localhost") for it in held]
    urls, out = fleet.urls([*slow, *pages]), fleet.out()

    running = fleet.start("map", urls, "--do", "text main", "--out", str(out))
    until(lambda: states(out)["done"] == len(pages), what="all pages of the fast host")
    before = [row["url"] for row in rows(out)]
    for each in held:
        each.let_go.set()

    assert ended(running)[0] == 0
    assert before == pages
    assert states(out) == {"done": len(pages) + len(held)}


def test_a_page_whose_worker_is_killed_is_read_by_another(fleet, site):
    held = site.hold("/fleet-killed", "<main>Tea</main>")
    urls, out = fleet.urls([held.url]), fleet.out()
    running = fleet.start("map", urls, "--do", "text main", "--out", str(out))
    assert held.arrived.wait(60)
    lost = fleet.busy()

    fleet.kill(next(it for it in fleet.note()["workers"] if it["name"] == lost))
    held.let_go.set()

    assert ended(running)[0] == 0
    (row,) = rows(out)
    assert (row["state"], row["attempts"], row["worker"] != lost) == ("done", 2, True)


def test_what_changes_something_is_unknown_when_its_worker_is_killed_and_never_runs_again(
    fleet, site
):
    bought = threading.Semaphore(0)
    site.answer("/fleet-bought", lambda _: bought.release())
    url = site.page("/fleet-buys", "<button onclick=\"fetch('/fleet-bought')\">Buy</button>")
    urls, out = fleet.urls([url]), fleet.out()
    do = "click button | wait #never 200000"
    words = ("map", urls, "--do", do, "--out", str(out), "--timeout", "300")
    running = fleet.start(*words)
    assert bought.acquire(timeout=60)

    fleet.kill(next(it for it in fleet.note()["workers"] if it["name"] == fleet.busy()))
    code = ended(running)[0]
    again = fleet.fleet(*words, "--resume")

    assert (code, again.code) == (1, 1)
    assert [row["state"] for row in rows(out)] == ["unknown"]
    assert not bought.acquire(blocking=False)


def test_a_page_whose_renderer_crashes_is_tried_again(fleet, site):
    opened = threading.Semaphore(0)
    site.answer("/fleet-opened", lambda _: opened.release())
    tell = "<script>onload = () => fetch('/fleet-opened')</script>"
    url = site.page("/fleet-crashes", f"<main>Tea</main>{tell}")
    urls, out = fleet.urls([url]), fleet.out()
    do = "wait #late 100000 | text main"
    running = fleet.start("map", urls, "--do", do, "--out", str(out), "--timeout", "200")
    assert opened.acquire(timeout=60)

    family = ask_each(fleet.daemon(fleet.busy()).children(recursive=True), words_of)
    renderers = [it for it, words in family.items() if "--type=renderer" in words]
    site.page("/fleet-crashes", "<main id=late>Tea</main>")
    for renderer in renderers:
        renderer.kill()

    assert ended(running)[0] == 0
    (row,) = rows(out)
    assert (row["state"], row["attempts"], len(renderers) > 0) == ("done", 2, True)


def test_ctrl_c_keeps_what_is_done_and_resume_does_the_rest(fleet, pages, site):
    held = [site.hold(f"/fleet-waits/{n}", "<main>late</main>") for n in range(12)]
    urls, out = fleet.urls([*pages, *(it.url for it in held)]), fleet.out()
    words = ("map", urls, "--do", "text main", "--out", str(out))
    running = fleet.start(*words)
    until(lambda: states(out)["done"] == len(pages), what="the pages that answer")

    running.send_signal(signal.SIGINT)
    assert running.stderr
    assert running.stderr.readline() == b"\n"
    assert b"Waiting for the pages under way" in running.stderr.readline()
    for each in held:
        each.let_go.set()
    code, _, err = ended(running)
    kept = states(out)["done"]
    for each in held:
        each.arrived.clear()
    again = fleet.ok(*words, "--resume", "--json")

    assert (code, "--resume does them" in err) == (130, True)
    assert len(pages) <= kept < len(pages) + len(held)
    assert json.loads(again.out)["before"] == kept
    assert [row["n"] for row in rows(out)] == list(range(len(pages) + len(held)))
    assert sum(each.arrived.is_set() for each in held) == len(pages) + len(held) - kept


def test_a_run_that_is_killed_loses_nothing_and_does_nothing_twice(fleet, pages, site):
    held = site.hold("/fleet-kill", "<main>late</main>")
    urls, out = fleet.urls([*pages, held.url]), fleet.out()
    words = ("map", urls, "--do", "text main", "--out", str(out))
    running = fleet.start(*words)
    until(lambda: states(out)["done"] == len(pages), what="the pages that answer")

    running.kill()
    ended(running)
    with out.open("ab") as torn:
        torn.write(b'{"n":12,"url":"ht')
    held.let_go.set()
    fleet.ok(*words, "--resume")

    assert [row["n"] for row in rows(out)] == list(range(13))
    assert states(out) == {"done": 13}


def test_a_killed_head_ends_the_run_with_what_to_do_and_a_new_one_goes_on(fleet, pages, site):
    held = site.hold("/fleet-head", "<main>late</main>")
    urls, out = fleet.urls([*pages, held.url]), fleet.out()
    words = ("map", urls, "--do", "text main", "--out", str(out))
    running = fleet.start(*words)
    until(lambda: states(out)["done"] == len(pages), what="the pages that answer")
    workers = [psutil.Process(it["pid"]) for it in fleet.note()["workers"]]

    fleet.kill(fleet.note()["head"])
    code, _, err = ended(running)
    held.let_go.set()
    down = fleet.fleet(*words, "--resume")
    psutil.wait_procs(workers, timeout=60)
    fleet.up()
    fleet.ok(*words, "--resume")

    assert (code, "The head of the fleet has ended. What was done is kept." in err) == (6, True), (
        f"{err}\n{fleet.logs()}"
    )
    assert (down.code, "Its head has ended" in down.err) == (6, True), down.err
    assert [row["n"] for row in rows(out)] == list(range(13))


def test_robots_txt_is_kept_to_where_it_is_asked_for(fleet, pages, site):
    rules = "User-agent: *\nDisallow: " + pages[1].removeprefix(site.url)
    site.page("/robots.txt", rules, content_type="text/plain")
    urls, out = fleet.urls(pages[:1] + pages[2:4] + pages[1:2]), fleet.out()

    fleet.fleet("map", urls, "--do", "title", "--out", str(out), "--robots")

    assert [row.get("code") for row in rows(out)] == [None, None, None, "robots"]
