"""What the library keeps: authors, their books on subjects, and what readers say of those."""

from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=100)

    def __str__(self):
        return self.name


class Subject(models.Model):
    name = models.CharField(max_length=100)

    def __str__(self):
        return self.name


class Book(models.Model):
    title = models.CharField(max_length=200)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    published = models.DateField(null=True, blank=True)
    genre = models.CharField(
        max_length=20, choices=[(it, it.title()) for it in ("novel", "poetry", "science")]
    )
    in_print = models.BooleanField(default=True)
    subjects = models.ManyToManyField(Subject, blank=True)

    def __str__(self):
        return self.title


class Review(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    reader = models.CharField(max_length=100)
    stars = models.PositiveSmallIntegerField()

    def __str__(self):
        return f"{self.stars} of {self.reader}"
