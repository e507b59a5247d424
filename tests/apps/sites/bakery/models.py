"""What the bakery's site has: a page for each bread, and recipes of steps."""

from django.db import models
from wagtail import blocks
from wagtail.admin.panels import FieldPanel
from wagtail.fields import RichTextField, StreamField
from wagtail.images.blocks import ImageChooserBlock
from wagtail.models import Page


class BreadPage(Page):
    """A bread: what it is, in formatted words, and since when it is baked."""

    body = RichTextField(blank=True)
    since = models.DateField(null=True, blank=True)
    template = "bread.html"
    content_panels = (*Page.content_panels, FieldPanel("since"), FieldPanel("body"))


class Ingredient(blocks.StructBlock):
    """So much of something."""

    name = blocks.CharBlock()
    grams = blocks.IntegerBlock()


class RecipePage(Page):
    """A recipe: parts of several kinds, in an order that the writer chooses."""

    parts = StreamField(
        [
            ("heading", blocks.CharBlock()),
            ("words", blocks.RichTextBlock()),
            ("picture", ImageChooserBlock()),
            ("ingredients", blocks.ListBlock(Ingredient())),
        ],
        blank=True,
    )
    template = "bread.html"
    content_panels = (*Page.content_panels, FieldPanel("parts"))
