"""The editors' pages, and the pages that they make."""

from django.urls import include, path
from wagtail import urls as pages
from wagtail.admin import urls as editors

urlpatterns = [path("admin/", include(editors)), path("", include(pages))]
