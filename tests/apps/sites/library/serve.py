"""Make the library's database, with a librarian and some books, and serve it on a port."""

import os
import sys
from datetime import date
from pathlib import Path

import django
from django.core.management import call_command

# As many as the admin shows on two pages.
MANY = 130


def stock() -> None:
    """Put in a librarian, and books by authors of whom one has very many."""
    from django.contrib.auth.models import User

    from library.models import Author, Book, Subject

    User.objects.create_superuser("librarian", "", "open sesame")
    names = ("Ursula K. Le Guin", "Stanislaw Lem", "Christopher Strachey")
    guin, lem, strachey = (Author.objects.create(name=name) for name in names)
    books = [
        Book(title="The Dispossessed", author=guin, genre="novel", published=date(1974, 5, 1)),
        Book(title="Wild Angels", author=guin, genre="poetry", published=date(1975, 1, 1)),
        Book(title="Solaris", author=lem, genre="novel", published=date(1961, 1, 1)),
        Book(title="The Cyberiad", author=lem, genre="novel", published=date(1965, 1, 1)),
        Book(title="Summa Technologiae", author=lem, genre="science"),
    ]
    letters = (
        Book(title=f"Love letter {number}", author=strachey, genre="poetry")
        for number in range(1, MANY + 1)
    )
    Book.objects.bulk_create([*letters, *books])
    for name in ("Anarchism", "Computers", "Love", "Oceans", "Other worlds", "Utopias"):
        Subject.objects.create(name=name)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    os.environ["DJANGO_SETTINGS_MODULE"] = "library.settings"
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    stock()
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", "--noreload", "--insecure")
