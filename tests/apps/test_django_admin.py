"""Django's admin: a library whose books a person has an agent keep in order."""

import re
import sqlite3
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from support.named import told_apart

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
SITE = Path(__file__).parent / "sites" / "library" / "serve.py"
BOOKS = "/admin/library/book/"
BOOK = "select id from library_book where title = ?"


def today() -> date:
    """The day where the library is."""
    return datetime.now(UTC).date()


@pytest.fixture(scope="module")
def library(application, serve):
    return serve(application.python, SITE, "{port}", ready="/admin/login/")


@pytest.fixture
def rows(library):
    """Ask the library's database itself."""

    def ask(query, *values):
        with sqlite3.connect(library.folder / "library.sqlite3", timeout=60) as database:
            return database.execute(query, values).fetchall()

    return ask


@pytest.fixture
def new_book(rows):
    """Put a book into the database; return its number."""

    def put(title, *, genre="novel"):
        author = rows("select id from library_author where name = 'Stanislaw Lem'")[0][0]
        columns = "title, author_id, genre, in_print"
        rows(f"insert into library_book ({columns}) values (?, ?, ?, 1)", title, author, genre)
        return rows(BOOK, title)[0][0]

    return put


@pytest.fixture
def signed_in(browser, library):
    """The librarian is signed in before the job begins."""
    browser.ok("goto", f"{library.url}/admin/login/?next={BOOKS}")
    browser.ok("fill", "#id_username", "librarian")
    browser.ok("fill", "#id_password", "open sesame")
    browser.ok("press", "Enter")
    return library


@pytest.mark.job("Sign in as librarian and tell me how many books there are.")
def test_signing_in(job, library, rows):
    job("goto", f"{library.url}/admin/")
    job("snapshot", "-i")
    name, password = job.ref("textbox", "Username"), job.ref("textbox", "Password")
    job("fill", f"{name}=librarian", f"{password}=open sesame")
    job("click", job.ref("button", "Log in"), "--snapshot")
    job("click", job.ref("link", "Books"))
    said = job("text", "main").page

    assert f"{rows('select count(*) from library_book')[0][0]} books" in said


@pytest.mark.job("Add The Lathe of Heaven by Le Guin, a novel of today, with five stars from Ann.")
def test_adding_a_book_with_a_review(job, signed_in, rows):
    began = today()
    job("click", "text=Add book")
    job("snapshot", "-i", "-s", "main")
    title, reader = job.ref("textbox", "Title"), job.ref("textbox", near="reader")
    stars = job.ref("spinbutton", near="stars")
    job("select", job.ref("combobox", "Author"), "Ursula K. Le Guin")
    job("select", job.ref("combobox", "Genre"), "Novel")
    job("fill", f"{title}=The Lathe of Heaven", f"{reader}=Ann", f"{stars}=5")
    job("click", job.ref("link", "Today"))
    job("click", job.ref("button", "Save"), "--expect", "text=was added successfully")

    book = "select b.id, a.name, genre, published from library_book b, library_author a"
    ((number, *book),) = rows(f"{book} where a.id = author_id and title = 'The Lathe of Heaven'")
    assert book[:2] == ["Ursula K. Le Guin", "novel"]
    assert began <= date.fromisoformat(book[2]) <= today()
    review = "select reader, stars from library_review where book_id = ?"
    assert rows(review, number) == [("Ann", 5)]


@pytest.mark.job("Eden came out on the first of this month; choose it in the calendar.")
def test_a_date_from_the_calendar(job, signed_in, new_book, rows):
    began = today()
    number = new_book("Eden")
    job("goto", f"{signed_in.url}{BOOKS}{number}/change/")
    job("find", "choose", "date")
    job("click", job.ref("link", near="Choose-a-Date"), "--snapshot")
    job("click", job.ref("link", "1"))
    job("click", "text=Save")

    firsts = {str(day.replace(day=1)) for day in (began, today())}
    assert rows("select published from library_book where id = ?", number)[0][0] in firsts


@pytest.mark.job("Which of Lem's novels do we have? Search and filter.")
def test_searching_and_filtering(job, signed_in, rows):
    job("snapshot", "-i", "-s", "main")
    job("fill", job.ref("textbox", "Search"), "Lem")
    job("press", "Enter")
    job("click", "text=Novel")
    said = job("table", "main").page

    lem = "select id from library_author where name = 'Stanislaw Lem'"
    mine = rows(f"select title from library_book where genre = 'novel' and author_id = ({lem})")
    shown = [line.split("|")[2].strip() for line in said.splitlines()[2:]]
    assert sorted(shown) == sorted(title for (title,) in mine)


@pytest.mark.job("Take Fiasco and The Invincible out of print, in one go.")
def test_an_action_on_several_rows(job, signed_in, new_book, rows):
    for title in ("Fiasco", "The Invincible", "Mortal Engines"):
        new_book(title)
    job("reload")
    job("snapshot", "-i", "-s", "main", "--max-chars", "3000")
    for title in ("Fiasco", "The Invincible"):
        job("check", job.ref("checkbox", f"- {title}"))
    job("select", job.ref("combobox", "Action"), "Take out of print")
    job("click", job.ref("button", "Go"))

    titles = ("Fiasco", "The Invincible", "Mortal Engines")
    kept = "select title, in_print from library_book where title in (?, ?, ?) order by title"
    assert rows(kept, *titles) == [("Fiasco", 0), ("Mortal Engines", 1), ("The Invincible", 0)]


@pytest.mark.job("Throw out Return from the Stars; yes, I am sure.")
def test_deleting_with_a_confirmation(job, signed_in, new_book, rows):
    new_book("Return from the Stars")
    job("reload")
    job("click", "text=Return from the Stars")
    job("click", "text=Delete")
    said = job("snapshot", "-i", "-s", "main").page
    assert "Return from the Stars" in said
    job("click", job.ref("button", "Yes"))

    assert rows(BOOK, "Return from the Stars") == []


@pytest.mark.job("Rename His Masters Voice to His Master's Voice, then show me what was changed.")
def test_editing_and_its_history(job, signed_in, new_book, rows):
    number = new_book("His Masters Voice")
    job("goto", f"{signed_in.url}{BOOKS}{number}/change/")
    job("find", "title", "--role", "textbox")
    job("fill", job.ref("textbox", "Title"), "His Master's Voice")
    job("click", "text=Save and continue editing")
    job("click", "text=History")
    said = job("text", "main").page

    assert rows("select title from library_book where id = ?", number) == [("His Master's Voice",)]
    assert "Changed Title." in said


@pytest.mark.job("Solaris is about oceans and other worlds; note these subjects.")
def test_subjects_are_chosen_from_two_lists(job, signed_in, rows):
    job("click", "text=Solaris")
    job("find", "subjects")
    job("select", job.ref("listbox", "Available"), "Oceans", "Other worlds")
    job("click", "text=Choose selected subjects")
    job("click", "text='Save'", "--expect", "text=was changed successfully")

    subjects = "select name from library_subject s, library_book_subjects of, library_book b"
    subjects += " where s.id = of.subject_id and b.id = of.book_id and b.title = 'Solaris'"
    assert sorted(rows(subjects)) == [("Oceans",), ("Other worlds",)]


@pytest.mark.job("Wild Angels is about love: search the subjects for it.")
def test_a_list_is_filtered(job, signed_in, rows):
    job("click", "text=Wild Angels")
    job("find", "available subjects")
    job("fill", job.ref("textbox", "available subjects"), "lov", "--snapshot")
    job("click", "text=Choose all subjects")
    job("click", "text='Save'", "--expect", "text=was changed successfully")

    subjects = "select name from library_subject s, library_book_subjects of, library_book b"
    subjects += " where s.id = of.subject_id and b.id = of.book_id and b.title = 'Wild Angels'"
    assert rows(subjects) == [("Love",)]


@pytest.mark.job("The author of Exhalation is missing: add Ted Chiang from the book's own page.")
def test_an_author_is_added_in_a_window_of_its_own(job, signed_in, new_book, rows):
    number = new_book("Exhalation")
    job("goto", f"{signed_in.url}{BOOKS}{number}/change/")
    job("find", "add another author")
    said = job("click", job.ref("link", "Add another author")).out
    (opened,) = re.findall(r"Tab (\d+) was opened", said)
    job("chain", f"tab {opened} | snapshot -i")
    job("fill", job.ref("textbox", "Name"), "Ted Chiang")
    job("click", job.ref("button", "Save"))
    job("click", "text='Save'", "--expect", "text=was changed successfully")

    author = "select name from library_author a, library_book b where a.id = author_id and b.id = ?"
    assert rows(author, number) == [("Ted Chiang",)]


@pytest.mark.job("Take all poetry out of print, also what is on the other pages.")
def test_an_action_on_all_pages(job, signed_in, rows):
    job("click", "text=Poetry")
    job("find", "select all", "--role", "checkbox")
    job("check", job.ref("checkbox", "Select all"))
    job("click", "text=/Select all \\d+ books/")
    job("chain", "select label=Action 'Take out of print' | click text=Go")

    assert rows("select distinct in_print from library_book where genre = 'poetry'") == [(0,)]


@pytest.mark.parametrize("page", ["", "add/"])
def test_what_can_be_operated_can_be_told_apart(browser, signed_in, page):
    browser.ok("goto", f"{signed_in.url}{BOOKS}{page}")

    assert told_apart(browser) >= 0.98
