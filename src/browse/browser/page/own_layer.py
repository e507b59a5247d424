"""The element in which our extension draws on pages of a window: no part of the page.

It is the last child of the root element, and what is drawn is in its closed shadow root
(`extension/content/layer.js`).
"""

MARKUP = '<browse-layer aria-hidden="true" popover="manual"></browse-layer>'


def without_own_layer(markup: str) -> str:
    """Return the markup of a page as it is without our extension."""
    return markup.replace(MARKUP, "")
