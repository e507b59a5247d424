"""The browser, its tabs and pages; the only package that imports Playwright."""
