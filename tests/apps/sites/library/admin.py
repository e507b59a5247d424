"""How the library's admin shows books."""

from django.contrib import admin

from library.models import Author, Book, Review


class ReviewInline(admin.TabularInline):
    model = Review
    extra = 1


@admin.action(description="Take out of print")
def take_out_of_print(_admin, _request, books):
    books.update(in_print=False)


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ("title", "author", "genre", "published", "in_print")
    list_filter = ("genre", "in_print")
    search_fields = ("title", "author__name")
    actions = (take_out_of_print,)
    inlines = (ReviewInline,)
    filter_horizontal = ("subjects",)


admin.site.register(Author)
