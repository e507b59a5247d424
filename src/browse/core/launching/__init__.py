"""How a daemon and its Chromium are started: the settings, the flags that give them, the proxy."""
