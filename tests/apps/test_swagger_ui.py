"""Swagger UI: the description of an API, which a person has an agent try out."""

import sys
from pathlib import Path

import pytest

from support.named import told_apart

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
SITE = Path(__file__).parent / "sites" / "pet_shop.py"
KEY = "the cat is out"


@pytest.fixture(scope="module")
def shop(application, serve):
    return serve(sys.executable, SITE, "{port}", application.modules / "swagger-ui-dist")


@pytest.fixture
def pets(shop):
    """Ask the shop itself; what it has, by name."""
    return lambda: {pet["name"]: pet for pet in shop.json("/pets")}


def authorize(job):
    job("click", "text=Authorize", "--snapshot")
    job("fill", job.ref("textbox", "Value"), KEY)
    job("click", job.ref("button", "Apply credentials"), "--snapshot")
    job("click", job.ref("button", "Close"))


@pytest.mark.job("The API key is 'the cat is out'. Add a cat called Tom for 35, by the API page.")
def test_a_request_with_a_key_and_a_body(job, shop, pets):
    job("goto", shop.url)
    job("snapshot", "-i")
    authorize(job)
    job("click", job.ref("button", "Add a pet"))
    job("click", "text=Try it out", "--snapshot")
    body = '{\n  "name": "Tom",\n  "kind": "cat",\n  "price": 35\n}'
    job("fill", job.ref("textbox", near="body"), body)
    job("click", job.ref("button", "Execute"))
    said = job("text").page

    assert '"name": "Tom"' in said
    assert "201" in said
    assert {it: pets()["Tom"][it] for it in ("kind", "price")} == {"kind": "cat", "price": 35}


@pytest.mark.job("Ask the API which pet has number 1, and which dogs there are.")
def test_parameters_of_a_path_and_of_a_query(job, shop, pets):
    job("goto", shop.url)
    job("snapshot", "-i")
    job("click", job.ref("button", "GET /pets /{number}"))
    job("click", "text=Try it out", "--snapshot")
    job("fill", job.ref("textbox", near="number"), "1")
    job("click", job.ref("button", "Execute"))
    one = job("text").page
    job("click", job.ref("button", "GET /pets /{number}"))
    job("click", job.ref("button", "GET /pets List"))
    job("click", "text=Try it out", "--snapshot")
    job("select", job.ref("combobox", near="kind"), "dog")
    job("click", job.ref("button", "Execute"))
    dogs = job("text").page

    assert '"name": "Rex"' in one
    names = [name for name, pet in pets().items() if pet["kind"] == "dog"]
    assert [name for name in names if f'"name": "{name}"' not in dogs] == []


@pytest.mark.job("What does the API answer to somebody without a key who wants to sell Rex?")
def test_an_answer_that_refuses(job, shop, pets):
    job("goto", shop.url)
    job("snapshot", "-i")
    job("click", job.ref("button", "DELETE"))
    job("click", "text=Try it out", "--snapshot")
    job("fill", job.ref("textbox", near="number"), "1")
    job("click", job.ref("button", "Execute"))
    said = job("text").page

    assert "401" in said
    assert "no key" in said
    assert "Rex" in pets()


@pytest.mark.job("Fold the pets away, and tell me what else the API can do.")
def test_folding_a_section(job, shop):
    job("goto", shop.url)
    job("snapshot", "-i")
    job("click", job.ref("button", "Collapse operation", near="pets"))
    said = job("snapshot", "-i").page

    assert "/pets" not in said
    assert '"GET /hours When we are open"' in said
    assert shop.json("/hours") == {"from": 9, "to": 17}


@pytest.mark.job("Hang up rex.png as the photo of pet 1; the API key is 'the cat is out'.")
def test_a_file_is_sent(job, shop, pets, browser):
    (browser.root / "rex.png").write_bytes(b"a dog")
    job("goto", shop.url)
    job("snapshot", "-i")
    authorize(job)
    job("click", job.ref("button", "Hang up a photo"))
    job("click", "text=Try it out", "--snapshot")
    job("fill", job.ref("textbox", near="number"), "1")
    job("upload", job.ref("button", "Choose File"), "rex.png")
    job("click", job.ref("button", "Execute"))

    assert '"photo": "rex.png"' in job("text").page
    assert pets()["Rex"]["photo"] == "rex.png"


@pytest.mark.job("How would I ask for the birds with curl?")
def test_the_command_for_a_request(job, shop):
    job("goto", shop.url)
    job("snapshot", "-i")
    job("click", job.ref("button", "GET /pets List"))
    job("click", "text=Try it out", "--snapshot")
    job("select", job.ref("combobox", near="kind"), "bird")
    job("click", job.ref("button", "Execute"))
    said = job("text").page

    assert f"'{shop.url}/pets?kind=bird'" in said
    assert shop.json("/pets?kind=bird") == []


@pytest.mark.job("Which fields does a pet have, and which kinds are there?")
def test_a_schema_is_unfolded(job, shop):
    job("goto", shop.url)
    job("snapshot", "-i")
    job("click", job.ref("button", "Pet"), "--snapshot")
    job("click", job.ref("button", near='in "kind"'), "--snapshot")
    job("click", job.ref("button", "Array"))
    said = job("text").page

    assert [it for it in ("name", "kind", "price", "dog", "cat", "bird") if it not in said] == []


def test_what_can_be_operated_can_be_told_apart(browser, shop):
    browser.ok("goto", shop.url)
    browser.ok("click", "text=Add a pet", "--snapshot")

    assert told_apart(browser) >= 0.98
