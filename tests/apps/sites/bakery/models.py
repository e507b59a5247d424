"""What the bakery's site has: a page for each bread."""

from django.db import models
from wagtail.admin.panels import FieldPanel
from wagtail.fields import RichTextField
from wagtail.models import Page


class BreadPage(Page):
    """A bread: what it is, in formatted words, and since when it is baked."""

    body = RichTextField(blank=True)
    since = models.DateField(null=True, blank=True)
    template = "bread.html"
    content_panels = (*Page.content_panels, FieldPanel("since"), FieldPanel("body"))
