"""The browser's life: finding, starting and ending Chromium and its driver."""
