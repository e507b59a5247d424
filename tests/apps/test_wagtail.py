"""Wagtail: the web site of a bakery, which a person has an agent write and keep in order."""

import base64
import json
import sqlite3
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
SITE = Path(__file__).parent / "sites" / "bakery" / "serve.py"
# 40 by 30 pixels of crust.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAAK0lEQVR4nO3NMQ0AAAgD"
    "sIlFE5qQhQw4mvRvputExGKxWCwWi8VisVj8N15zHj3ZaianpwAAAABJRU5ErkJggg=="
)
PAGE = "select id from wagtailcore_page where title = ?"


@pytest.fixture(scope="module")
def bakery(application, serve):
    return serve(application.python, SITE, "{port}", ready="/admin/login/")


@pytest.fixture
def rows(bakery):
    """Ask the site's database itself."""

    def ask(query, *values):
        with sqlite3.connect(bakery.folder / "bakery.sqlite3", timeout=60) as database:
            return database.execute(query, values).fetchall()

    return ask


@pytest.fixture
def page(bakery, rows):
    """Return the editors' address of a page, by its title."""
    return lambda title: f"{bakery.url}/admin/pages/{rows(PAGE, title)[0][0]}/"


@pytest.fixture
def signed_in(browser, bakery):
    """The baker is signed in before the job begins."""
    browser.ok("goto", f"{bakery.url}/admin/login/")
    browser.ok("fill", "[name=username]", "baker")
    browser.ok("fill", "[name=password]", "open sesame")
    browser.ok("press", "Enter")


@pytest.mark.job("Sign in as baker and tell me which breads the site has.")
def test_signing_in_and_exploring(job, bakery, rows):
    job("goto", f"{bakery.url}/admin/")
    job("snapshot", "-i")
    name, password = job.ref("textbox", "Username"), job.ref("textbox", "Password")
    job("fill", f"{name}=baker", f"{password}=open sesame")
    job("click", job.ref("button", "Sign in"), "--snapshot")
    job("click", job.ref("link", "Pages created"))
    job("find", "child pages of Breads")
    job("click", job.ref("link", "Breads"))
    said = job("table").page

    breads = rows(
        "select p.title from wagtailcore_page p, wagtailcore_page b"
        " where b.title = 'Breads' and p.depth = b.depth + 1 and p.path like b.path || '%'"
    )
    assert breads
    assert [title for (title,) in breads if title not in said] == []


@pytest.mark.job("Write a page on Sourdough below Breads, with two paragraphs, and publish it.")
def test_a_page_is_written_and_published(job, signed_in, page, rows):
    job("goto", page("Breads"))
    job("find", "add child page")
    job("click", job.ref("link", "Add child page"), "--snapshot")
    job("click", job.ref("link", "Bread page"))
    job("snapshot", "-i", "-s", "main")
    editor = job.ref("textbox", near="Body")
    job("fill", job.ref("textbox", "Title"), "Sourdough")
    job("fill", editor, "Baked every morning.\n\nFrom our own leaven.")
    job("click", job.ref("button", "More actions"), "--snapshot")
    job("click", job.ref("button", "Publish"), "--expect", "text=published")

    body = "select live, body from wagtailcore_page p, bakery_breadpage b where p.id = page_ptr_id"
    ((live, text),) = rows(f"{body} and title = 'Sourdough'")
    assert live == 1
    assert text.index("Baked every morning.</p>") < text.index("From our own leaven.</p>")


@pytest.mark.job(
    "On the page on Rye: a heading 'Flour', and under it a list: Light, Dark. Save it."
)
def test_a_heading_and_a_list_are_typed(job, signed_in, page, rows):
    job("goto", f"{page('Rye')}edit/")
    job("find", "body", "--role", "textbox")
    job("click", job.ref("textbox"))
    job("chain", "type '## Flour' | press Enter | type '- Light' | press Enter | type 'Dark'")
    job("click", "role=button[name='More actions']", "--snapshot")
    job("click", job.ref("button", "Publish"), "--expect", "text=published")

    number = rows(PAGE, "Rye")[0][0]
    ((body,),) = rows("select body from bakery_breadpage where page_ptr_id = ?", number)
    assert "Flour</h2>" in body
    assert body.count("<li") == 2


@pytest.mark.job("Pound cake is no bread. Move it to Cakes.")
def test_a_page_is_moved(job, signed_in, page, rows):
    job("goto", page("Breads"))
    job("find", "more options pound cake")
    job("click", job.ref("button", "Pound cake"), "--snapshot")
    job("click", job.ref("link", "Move"), "--snapshot")
    job("click", job.ref("button", "Actions"), "--snapshot")
    job("click", job.ref("button", "Choose another page"), "--snapshot")
    job("click", job.ref("link", "Cakes"))
    job("click", "text=Confirm", "--snapshot")
    job("click", job.ref("button", "Yes"), "--expect", "text=moved")

    paths = "select path from wagtailcore_page where title = ?"
    assert rows(paths, "Pound cake")[0][0].startswith(rows(paths, "Cakes")[0][0])


@pytest.mark.job("Put this picture into the site's images, as Our loaf.")
def test_a_picture_is_uploaded(job, signed_in, bakery, rows, browser):
    (browser.root / "loaf.png").write_bytes(PICTURE)
    job("goto", f"{bakery.url}/admin/images/")
    job("find", "add an image")
    job("click", job.ref("link", "Add an image"))
    job("snapshot", "-i", "-s", "main")
    job("upload", job.ref("button", "Choose File"), "loaf.png")
    job("wait", "--text", "Upload successful")
    job("snapshot", "-i", "-s", "main")
    job("fill", job.ref("textbox", "Title"), "Our loaf")
    job("click", job.ref("button", "Update"), "--expect", "text=updated")

    assert rows("select title, width, height from wagtailimages_image") == [("Our loaf", 40, 30)]


@pytest.mark.job("Write a recipe below Cakes: Plain loaf, with 500 g of flour and 350 g of water.")
def test_a_recipe_of_blocks_is_written(job, signed_in, page, rows):
    job("goto", page("Cakes"))
    job("find", "add child page")
    job("click", job.ref("link", "Add child page"), "--snapshot")
    job("click", job.ref("link", "Recipe page"))
    job("snapshot", "-i", "-s", "main")
    job("fill", job.ref("textbox", "Title"), "Plain loaf")
    job("click", job.ref("button", "Insert a block"), "--snapshot")
    job("click", job.ref("option", "Ingredients"), "--snapshot")
    name, grams = job.ref("textbox", "Name"), job.ref("spinbutton", "Grams")
    job("fill", f"{name}=Flour", f"{grams}=500")
    job("click", job.ref("button", "Add", near='in "Name"'), "--snapshot")
    name, grams = job.ref("textbox", "Name"), job.ref("spinbutton", "Grams")
    job("fill", f"{name}=Water", f"{grams}=350")
    job("click", "role=button[name='More actions']", "--snapshot")
    job("click", job.ref("button", "Publish"), "--expect", "text=published")

    parts = (
        "select live, parts from wagtailcore_page p, bakery_recipepage r where p.id = page_ptr_id"
    )
    ((live, parts),) = rows(f"{parts} and title = 'Plain loaf'")
    (block,) = json.loads(parts)
    assert live == 1
    assert [it["value"] for it in block["value"]] == [
        {"name": "Flour", "grams": 500},
        {"name": "Water", "grams": 350},
    ]


@pytest.mark.job("Spelt is sold out: take its page off the site, but keep it.")
def test_a_page_is_unpublished(job, signed_in, page, rows):
    job("goto", f"{page('Spelt')}edit/")
    job("click", "role=button[name='More actions']", "--snapshot")
    job("click", job.ref("link", "Unpublish"), "--snapshot")
    job("click", job.ref("button", "Yes"), "--expect", "text=unpublished")

    assert rows("select live from wagtailcore_page where title = 'Spelt'") == [(0,)]


@pytest.mark.job("Since when do we bake rye? Put in the first of May 1990, and publish.")
def test_a_date_is_put_in(job, signed_in, page, rows):
    job("goto", f"{page('Rye')}edit/")
    job("find", "since", "--role", "textbox")
    job("fill", job.ref("textbox", near="ince"), "1990-05-01")
    job("click", "role=button[name='More actions']", "--snapshot")
    job("click", job.ref("button", "Publish"), "--expect", "text=published")

    number = rows(PAGE, "Rye")[0][0]
    since = rows("select since from bakery_breadpage where page_ptr_id = ?", number)
    assert since == [("1990-05-01",)]
