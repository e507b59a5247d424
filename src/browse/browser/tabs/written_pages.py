"""The markup of pages that are in memory only (`load-html`), so that a move can show it again."""

from weakref import WeakKeyDictionary

from playwright.async_api import Page

MARKUP: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
