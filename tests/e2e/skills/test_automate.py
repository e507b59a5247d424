"""Automation: what changes something waits for a person, who answers at a terminal."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import Project, until
from support.person import person
from support.running import owned
from support.skills import write_skill

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("automate")]
SHOP = """
<title>Shop</title>
<button id=pay onclick="document.querySelector('output').append('paid ')">Place order</button>
<input aria-label=Street><input aria-label=Password type=password><output></output>
"""


def code(shown: str) -> str:
    found = re.search(r"Type `([0-9a-f]{4})`", shown)
    assert found, shown
    return found[1]


def held(project: Project, *words: str) -> dict:
    ran = project.browse(*words, "--json")
    assert (ran.code, ran.json["code"]) == (4, "needs-confirmation"), ran
    return ran.json


def paid(project: Project) -> str:
    return json.loads(project.post("text", "output", "--json"))["page"]["text"]


@pytest.fixture(scope="module")
def gated(tmp_path_factory) -> Iterator[Project]:
    """A project in which automation is on."""
    made = Project.make(tmp_path_factory.mktemp("gated"))
    made.ok("automate", "begin")
    yield made
    made.end()


@pytest.fixture
def shop(gated, site) -> Project:
    gated.post("goto", site.page("/shop", SHOP))
    return gated


def test_a_step_runs_once_when_a_person_at_a_terminal_says_so(shop):
    step = held(shop, "click", "#pay")
    assert held(shop, "click", "#pay")["id"] == step["id"]
    assert step["page"]["detail"] == '[button] "Place order"'
    assert step["host"] == "127.0.0.1"
    assert '[button] "Place order"' in shop.post("snapshot", "-i"), "reading is free"

    done, shown = person(shop, "confirm", step["id"], types=code)

    assert done.code == 0, done
    assert json.loads(done.out)["target"] == "#pay"
    assert '[button] "Place order"' in shown
    assert paid(shop) == "paid"
    again = shop.ok("click", "#pay")
    assert again.out.startswith(f"[step {step['id']} was confirmed and done")
    assert paid(shop) == "paid", "the reply, not another click"
    assert held(shop, "click", "#pay")["id"] != step["id"]


def test_without_a_persons_word_nothing_runs(shop):
    id = held(shop, "click", "#pay")["id"]

    alone = shop.browse("confirm", id)
    status, text = shop.ask("POST", "/command", {"command": "confirm", "args": [id]})
    wrong = person(shop, "confirm", id, types=lambda _: "nope")[0]
    empty = person(shop, "confirm", id, types=lambda _: "")[0]

    assert alone.code == 4
    assert "in a terminal of their own: browse confirm" in alone.err
    assert (status, json.loads(text)["code"]) == (403, "not-confirmed")
    assert (wrong.code, empty.code) == (4, 4)
    assert paid(shop) == ""
    assert "not now" in shop.ok("deny", id, "not", "now", "--json").out
    refused = shop.browse("click", "#pay")
    assert (refused.code, "They say: not now" in refused.err) == (4, True)
    assert shop.browse("confirm", "ffffff", "--show").code == 3


def test_a_step_is_refused_on_a_page_that_is_another_by_now(shop):
    address = json.loads(shop.post("url", "--json"))["page"]["url"]
    street = held(shop, "fill", "label=Street", "Main Street 5")
    assert street["page"]["detail"] == '[textbox] "Street"\nvalue: "Main Street 5"'
    secret = held(shop, "fill", "label=Password", "hunter22")
    assert "hunter22" not in json.dumps(secret)
    shop.post("goto", address)

    late = person(shop, "confirm", street["id"], "--json", types=code)[0]

    assert (late.code, late.json["code"]) == (3, "step-changed")
    audit = shop.root / ".gstack" / "browse-audit.jsonl"
    until(lambda: audit.exists() and street["id"] in audit.read_text(), what="the audit")
    assert "hunter22" not in audit.read_text()
    assert '"state":"asked"' in shop.post("activity", "--json", "--last", "50")


def test_a_script_is_one_step_and_its_commands_are_part_of_it(shop):
    code_of = "page.fill('label=Street', 'Main Street 5')\nprint(page.value('label=Street'))\n"
    (shop.root / "order.py").write_text(code_of)
    step = held(shop, "run", "order.py")
    assert json.loads(shop.post("value", "label=Street", "--json"))["page"]["value"] == ""

    done, _ = person(shop, "confirm", step["id"], types=code)

    assert done.code == 0, done
    assert json.loads(shop.post("value", "label=Street", "--json"))["page"]["value"]
    assert "was confirmed and done" in shop.ok("run", "order.py").out
    changed = held(shop, "run", "order.py")
    (shop.root / "order.py").write_text("page.click('#pay')")
    late, _ = person(shop, "confirm", changed["id"], types=code)
    assert late.code == 3
    assert paid(shop) == ""


def test_it_outlives_the_daemon_and_only_the_pin_ends_it(project, site):
    pin, old = "correct horse", "2468"
    begun, asked = person(project, "automate", "begin", "--pin", types=lambda _: old)
    assert begun.code == 0, begun
    assert old not in asked
    project.ok("restart")
    assert "not known any more" in project.ok("automate").out
    page = site.page("/pinned", SHOP)

    chained = project.browse("chain", f"goto {page} | focus label=Street | press Enter")
    step = project.ok("confirm", "--list", "--json").json["steps"]

    assert chained.code == 4
    assert "step 3 of 3" in chained.err
    assert [row["step"] for row in step] == ["press Enter"]
    lost, _ = person(project, "confirm", step[0]["id"], types=lambda _: old)
    assert (lost.code, "browse automate begin --pin" in lost.err) == (4, True)
    assert person(project, "automate", "begin", "--pin", types=lambda _: pin)[0].code == 0
    assert 'has the focus: [textbox] "Street"' in chained.err
    assert (
        person(project, "confirm", step[0]["id"], types=lambda _: step[0]["hash"][:4])[0].code == 4
    )
    with owned(project.start("automate", "wait", step[0]["id"])) as waiting:
        assert person(project, "confirm", step[0]["id"], types=lambda _: pin)[0].code == 0
        assert b"Pressed Enter" in waiting.communicate(timeout=150)[0]

    skills = project.root / ".gstack" / "browser-skills"
    write_skill(skills, "by-hand")
    assert held(project, "skill", "run", "by-hand")["step"] == "skill run by-hand"
    end = held(project, "automate", "end")
    assert "Automation is on with a PIN" in project.ok("automate").out
    assert person(project, "confirm", end["id"], types=lambda _: pin)[0].code == 0
    assert "Automation is off" in project.ok("automate").out
    assert project.ok("js", "1").page == "1"
    assert not (project.root / ".gstack" / "browse-automation.json").exists()


def test_a_skill_that_the_owner_approved_runs_unattended_until_it_changes(gated, site):
    page = site.page("/codified", "<title>Teas</title><table id=teas><tr><th>Tea<tr><td>Assam")
    gated.post("goto", page)
    gated.post("table", "#teas")
    staged = gated.ok("skill", "record", "teas", "--stage", "--json").json["folder"]
    step = held(gated, "skill", "approve", "teas")
    assert person(gated, "confirm", step["id"], types=code)[0].code == 0
    assert not Path(staged).exists()

    assert "Assam" in gated.ok("skill", "run", "teas").out
    assert gated.browse("skill", "run", "rss-feed", "--arg", f"url={page}").code == 1, "bundled"

    script = Path(gated.env["HOME"]) / ".gstack/browser-skills/teas/script.py"
    script.write_text(script.read_text() + "\n")
    assert held(gated, "skill", "run", "teas")["step"] == "skill run teas"
