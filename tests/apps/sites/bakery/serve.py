"""Make the bakery's database, with a baker and some pages, and serve it on a port."""

import os
import sys
from pathlib import Path

import django
from django.core.management import call_command


def stock() -> None:
    """Put in a baker who may do everything, and a small tree of pages."""
    from django.contrib.auth.models import User
    from wagtail.models import Page, Site

    from bakery.models import BreadPage

    User.objects.create_superuser("baker", "baker@example.org", "open sesame")
    home = Site.objects.get(is_default_site=True).root_page or Page.objects.get(depth=2)
    for section in ("Breads", "Cakes"):
        page = home.add_child(instance=BreadPage(title=section, slug=section.lower()))
        page.save_revision().publish()
    breads = home.get_children().get(slug="breads")
    for title in ("Rye", "Pound cake", "Spelt"):
        page = breads.add_child(instance=BreadPage(title=title, slug=title.lower().split()[0]))
        page.save_revision().publish()


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path.cwd())]
    os.environ["DJANGO_SETTINGS_MODULE"] = "bakery.settings"
    django.setup()
    Path("bakery_migrations").mkdir()
    Path("bakery_migrations", "__init__.py").touch()
    call_command("makemigrations", "bakery", verbosity=0)
    call_command("migrate", verbosity=0)
    stock()
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", "--noreload", "--insecure")
