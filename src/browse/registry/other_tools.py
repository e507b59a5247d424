"""Words of other tools that have no command of the same meaning here, and what to type instead.

Where a word means exactly what one of our commands does, it is an alias in that command's own
declaration. A word here is never run: the caller chooses.
"""

_END = (
    "`browse closetab` closes the current tab; `browse stop` ends the browser with all its tabs,"
    " also those of other agents."
)
_STARTS = "The first command starts the browser by itself: `browse goto <url>`."
_WINDOW = (
    "`browse view` shows the tabs to a person, `browse connect` in a window;"
    " `browse dashboard` shows what is done."
)
_SCRIPT = "`browse js '<expression>'` runs JavaScript in the page, `browse eval <file>` a file."
_STATES = "`browse state save <name>` and `browse state load <name>` keep states by name."
_LOOKS = "`browse is visible '<selector>'` prints true or false; `browse count` counts matches."
_FORGET = "`browse cookies --clear` removes cookies, `browse storage clear` web storage."
_PAUSE = "`browse wait 2s` waits two seconds; better: `browse wait '<selector>'`."
_BOX = "`browse inspect @e3` shows the box and the styles of an element."
_LOCAL = "`browse storage list`, `browse storage get <key>`, `browse storage set <key> <value>`."
_VIDEO = "`browse video start`, and then `browse video stop <file>`."

INSTEAD: dict[str, str] = {
    **dict.fromkeys(("close", "quit", "exit", "kill", "shutdown", "close-all", "kill-all"), _END),
    **dict.fromkeys(("start", "launch", "init"), _STARTS),
    "show": _WINDOW,
    "python": "`browse run -` runs a Python script from stdin.",
    **dict.fromkeys(("run-code", "pushstate"), _SCRIPT),
    **dict.fromkeys(("state-save", "state-load", "auth"), _STATES),
    **dict.fromkeys(("exists", "visible"), _LOOKS),
    "delete-data": _FORGET,
    **dict.fromkeys(("sleep", "pause"), _PAUSE),
    **dict.fromkeys(("get box", "get bbox", "get styles", "get style"), _BOX),
    "get cdp-url": "There is no debugging port; `browse cdp` calls methods of the protocol.",
    "batch": "`browse chain 'goto https://example.com | text'` runs several commands in one call.",
    "clear": "`browse fill @e3` without a value clears a field; `browse cookies --clear` cookies.",
    "clipboard": "`browse press Control+C` copies and `browse press Control+V` pastes in the page.",
    "cookie-get": "`browse cookies` prints all cookies.",
    "device": "`browse emulate device iPhone 15`; `browse emulate devices` lists them.",
    "extract": "`browse text --main` prints the article, `browse table` rows, `browse data` facts.",
    "highlight": "`browse snapshot -i -a` saves a screenshot with a box around each ref.",
    "install-browser": "`browse install` gets a browser.",
    "list": "`browse tabs` lists tabs, `browse session list` sessions, `browse links` links.",
    "mouse click": "`browse mouse move 200 150`, then `browse mouse down` and `browse mouse up`.",
    "read": "`browse text --main` prints the article, `browse markdown` the page as Markdown.",
    "record": _VIDEO,
    "search": "`browse find <words>` finds elements of the page; `browse goto <url>` opens a page.",
    "set": "`browse viewport`, `browse emulate`, `browse header` and `browse useragent` do that.",
    "storage local": _LOCAL,
    "storage session": f"{_LOCAL} Add --session-storage.",
    "submit": "`browse press Enter` in a field sends its form, or click the button.",
    "version": "`browse --version` prints it.",
    "vitals": "`browse perf` times the loading of the page.",
}
