"""The browse SDK for browser-skills: one file, nothing but the standard library.

A skill has a copy of it in `_lib/`; `browse skill upgrade` brings the copy up to date.

    from _lib.browse_client import Browse, run

    def main(browse: Browse, args: dict[str, str]) -> object:
        with browse.tab(args["url"]):
            return {"words": browse.text("h1")}

    if __name__ == "__main__":
        run(main, url="https://example.com/")

`browse skill run` tells the script where the daemon is; by hand, it finds that of the project.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time

try:
    import _socket as sockets  # what `socket` wraps, without the enums that cost 8 ms
except ImportError:  # an interpreter that has no such module
    import socket as sockets  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType
    from typing import Any

TIMEOUT_S = 60.0
WAIT_S = 330.0
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}  # fmt: skip
_UNSEEN = {"script", "style", "template", "noscript"}
_APART = {"br", "dd", "div", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "li", "p", "td", "th", "tr"}
# Compiled where they are used: many scripts need none of them.
_CDATA = r"(?s)<!\[CDATA\[(.*?)\]\]>"
_MARKER = r"(?m)^--- (?:\w+ UNTRUSTED EXTERNAL .*---|(?:page|end) .*\[\w{8}\])$\n?"


class BrowseError(Exception):
    """A command failed: `code` as in docs/errors.md, `status` of the reply (0 for none)."""

    def __init__(
        self, message: str, *, code: str = "", status: int = 0, hint: str = "", page: str = ""
    ) -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.message = message
        self.code = code
        self.status = status
        self.hint = hint
        self.page = page


class Browse:
    """The browser. Its commands act on `tab_id`; None means the token's own current tab."""

    def __init__(
        self,
        port: int | None = None,
        token: str | None = None,
        *,
        tab_id: int | None = None,
        timeout: float = TIMEOUT_S,
        state_file: str | None = None,
    ) -> None:
        if port is None or token is None:
            port, token = _find_daemon(state_file)
        self.port = port
        self.tab_id = _number("BROWSE_TAB") if tab_id is None else tab_id
        self.timeout = timeout
        self._token = token

    def command(self, name: str, /, *args: object, **flags: object) -> str:
        """Run a command; return what it prints, without the marks around the page's words."""
        return re.sub(_MARKER, "", self._ask(name, *args, **flags)).removesuffix("\n")

    def json(self, name: str, /, *args: object, **flags: object) -> dict[str, Any]:
        """Run a command; return its facts. What the page wrote is below `page`."""
        flags = {"json": True, "max_chars": 0, **flags}
        found: dict[str, Any] = json.loads(self._ask(name, *args, **flags))
        return found

    def page(self, name: str, /, *args: object, **flags: object) -> dict[str, Any]:
        """Run a command; return what the page wrote, by name."""
        found: dict[str, Any] = self.json(name, *args, **flags)["page"]
        return found

    def __getattr__(self, name: str) -> Callable[..., str]:
        """Any other command is a method too, and returns what it prints: `wait(text="Saved")`."""
        if name.startswith("_"):
            raise AttributeError(name)
        word = name.rstrip("_").replace("_", "-")
        return lambda *args, **flags: self.command(word, *args, **flags)

    def tab(self, url: str | None = None) -> Tab:
        """Work in a tab of its own, as a `with` block; it is closed at the end."""
        return Tab(self, url)

    def goto(self, url: str, **flags: object) -> dict[str, Any]:
        return self.json("goto", url, **flags)

    def url(self) -> str:
        return str(self.page("url")["url"])

    def text(self, *args: object, **flags: object) -> str:
        return str(self.page("text", *_given(args), **flags)["text"])

    def html(self, *args: object, **flags: object) -> str:
        return str(self.page("html", *_given(args), **flags)["html"])

    def markdown(self, *args: object, **flags: object) -> str:
        return str(self.page("markdown", *_given(args), **flags)["text"])

    def accessibility(self, *args: object, **flags: object) -> str:
        return str(self.page("accessibility", *_given(args), **flags)["tree"])

    def links(self, **flags: object) -> list[dict[str, str]]:
        return list(self.page("links", **flags)["links"])

    def forms(self, **flags: object) -> list[dict[str, Any]]:
        return list(self.page("forms", **flags)["forms"])

    def table(self, *args: object, **flags: object) -> dict[str, Any]:
        return self.page("table", *args, **flags)

    def attrs(self, target: str, **flags: object) -> dict[str, str]:
        return dict(self.page("attrs", target, **flags)["attributes"])

    def media(self, *args: object, **flags: object) -> dict[str, Any]:
        return self.page("media", *args, **flags)

    def data(self, *args: object, **flags: object) -> dict[str, Any]:
        return self.page("data", *args, **flags)

    def snapshot(self, *args: object, **flags: object) -> str:
        return self.command("snapshot", *args, **{"max_chars": 0, **flags})

    def js(self, code: str, **flags: object) -> str:
        """Run JavaScript in the page. A skill's token does not cover it; the owner's does."""
        return self.command("js", code, **{"max_chars": 0, **flags})

    def fill(self, target: str, value: str, *args: object, **flags: object) -> str:
        return self.command("fill", *args, "--", target, value, **flags)

    def select(self, target: str, *values: str, **flags: object) -> str:
        return self.command("select", "--", target, *values, **flags)

    def type(self, words: str, **flags: object) -> str:
        return self.command("type", "--", words, **flags)

    def tabs(self) -> list[dict[str, Any]]:
        return list(self.json("tabs")["tabs"])

    def newtab(self, url: str | None = None, **flags: object) -> int:
        """Open a tab and work in it from now on."""
        self.tab_id = int(self.json("newtab", *_given([url]), **flags)["tabId"])
        return self.tab_id

    def _ask(self, name: str, /, *args: object, **flags: object) -> str:
        words = [str(arg) for arg in args]
        at = words.index("--") if "--" in words else len(words)
        words[at:at] = _flag_words(flags)
        body: dict[str, Any] = {"command": name, "args": words}
        if self.tab_id is not None and name not in ("newtab", "tabs"):
            body["tabId"] = self.tab_id
        limit = max(self.timeout, WAIT_S) if name == "wait" else self.timeout
        raw = json.dumps(body).encode()
        while (answer := self._exchange(raw, name, limit))[0] == 429:  # it may not ask so often
            time.sleep(0.2)
        status, reply = answer
        text = reply.decode("utf-8", "replace")
        if status == 200:
            return text
        try:
            error = json.loads(text)
        except ValueError:
            error = {}
        message = error.get("error") or f"{name}: the daemon answered with status {status}"
        detail = error.get("page", {}).get("detail", "")
        code, hint = error.get("code", ""), error.get("hint", "")
        raise BrowseError(message, code=code, status=status, hint=hint, page=detail)

    def _exchange(self, body: bytes, name: str, limit: float) -> tuple[int, bytes]:
        head = (
            "POST /command HTTP/1.0\r\n"
            f"Host: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self._token}\r\n"
            "Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        sock = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
        try:
            sock.settimeout(limit)
            sock.connect(("127.0.0.1", self.port))
            sock.sendall(head.encode() + body)
            reply = b"".join(iter(lambda: sock.recv(262_144), b""))
        except TimeoutError:
            raise BrowseError(f"{name}: no answer within {limit:.0f} s", code="timeout") from None
        except OSError as exc:
            why = f"{name}: no daemon answers on port {self.port}: {exc.strerror}"
            hint = "start one with any browse command"
            raise BrowseError(why, code="unreachable", hint=hint) from None
        finally:
            sock.close()
        first, _, content = reply.partition(b"\r\n\r\n")
        if not first.startswith(b"HTTP/1.") or not first[9:12].isdigit():
            raise BrowseError(f"{name}: the answer was cut off", code="unreachable")
        return int(first[9:12]), content


class Tab:
    """A tab for as long as a `with` block."""

    def __init__(self, browse: Browse, url: str | None) -> None:
        self._browse = browse
        self._url = url

    def __enter__(self) -> Browse:
        self._before = self._browse.tab_id
        self._id = self._browse.newtab()
        if self._url:
            try:
                self._browse.goto(self._url)
            except BaseException:
                self.__exit__(None, None, None)
                raise
        return self._browse

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._browse.tab_id = self._before
        try:  # noqa: SIM105 - contextlib is one more import for every skill
            self._browse.closetab(self._id)
        except BrowseError:  # the page may have closed it
            pass


class Node:
    """An element of a parsed page: its tag, its attributes, and what is inside."""

    __slots__ = ("attrs", "children", "parent", "tag")

    def __init__(self, tag: str, attrs: dict[str, str], parent: Node | None = None) -> None:
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.children: list[Node | str] = []

    def every(self, tag: str = "", cls: str = "", **attrs: str) -> Iterator[Node]:
        """Find the elements inside, in the page's order, by tag, class and attributes."""
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                continue
            waiting.extend(node.children[::-1])
            if (
                tag in ("", node.tag)
                and (not cls or cls in node.attrs.get("class", "").split())
                and all(node.attrs.get(key) == value for key, value in attrs.items())
            ):
                yield node

    def first(self, tag: str = "", cls: str = "", **attrs: str) -> Node | None:
        """Find the first of them."""
        return next(self.every(tag, cls, **attrs), None)

    def get(self, name: str) -> str:
        return self.attrs.get(name, "")

    @property
    def text(self) -> str:
        """The words inside, with single spaces."""
        words: list[str] = []
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                words.append(node)
            elif node.tag not in _UNSEEN:
                words.append(" " if node.tag in _APART else "")
                waiting.extend(node.children[::-1])
        return " ".join("".join(words).split())


def parse(markup: str, *, xml: bool = False) -> Node:
    """Parse a page, as `Browse.html` returns it, or a feed with `xml=True`."""
    from html import escape
    from html.parser import HTMLParser

    root = at = Node("", {})

    class Builder(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            nonlocal at
            node = Node(tag, {key: value or "" for key, value in attrs}, at)
            at.children.append(node)
            if xml or tag not in _VOID:
                at = node

        def handle_endtag(self, tag: str) -> None:
            nonlocal at
            node: Node | None = at
            while node and node.tag != tag:
                node = node.parent
            at = node.parent if node and node.parent else at

        def handle_data(self, data: str) -> None:
            at.children.append(data)

    builder = Builder()
    builder.feed(re.sub(_CDATA, lambda found: escape(found[1]), markup) if xml else markup)
    builder.close()
    return root


def arguments(argv: list[str] | None = None, **defaults: str) -> dict[str, str]:
    """Read `--arg key=value` from the command line, over these defaults."""
    words = sys.argv[1:] if argv is None else argv
    given = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "--arg"]
    return {**defaults, **dict(pair.split("=", 1) for pair in given if "=" in pair)}


def emit(document: object) -> None:
    """Print the skill's result: the one JSON document on stdout."""
    line = json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
    sys.stdout.buffer.write(line.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def log(*words: object) -> None:
    """Print a message to the person while the skill runs."""
    print(*words, file=sys.stderr, flush=True)


def run(main: Callable[[Browse, dict[str, str]], object], **defaults: str) -> None:
    """Run a skill: print the document that `main` returns, or a short error message."""
    try:
        emit(main(Browse(), arguments(None, **defaults)))
    except BrowseError as exc:
        log("\n".join(filter(None, [exc.message, exc.page, exc.hint])))
        sys.exit(1)


def _find_daemon(state_file: str | None) -> tuple[int, str]:
    port, token = _number("GSTACK_PORT"), os.environ.get("GSTACK_SKILL_TOKEN", "")
    if port and token and not state_file:
        return port, token
    path = state_file or os.environ.get("BROWSE_STATE_FILE") or _project_state()
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        return int(state["port"]), str(state["token"])
    except (OSError, ValueError, KeyError, TypeError):
        unset = "neither GSTACK_PORT and GSTACK_SKILL_TOKEN are set"
        why = f"There is no daemon to talk to: {unset}, nor can {path} be read"
        hint = "run it with `browse skill run`, or start a daemon with any browse command"
        raise BrowseError(why, code="unreachable", hint=hint) from None


def _project_state() -> str:
    start = folder = os.getcwd()
    while not (found := os.path.exists(os.path.join(folder, ".git"))) and folder != "/":
        folder = os.path.dirname(folder)
    return os.path.join(folder if found else start, ".gstack", "browse.json")


def _number(variable: str) -> int | None:
    raw = os.environ.get(variable, "")
    if not raw:
        return None
    if not (raw.isascii() and raw.isdecimal() and len(raw) < 10):
        raise BrowseError(f"{variable}={raw[:20]!r} is not a number", code="usage")
    return int(raw)


def _given(values: Iterable[object]) -> Iterator[object]:
    return (value for value in values if value is not None)


def _flag_words(flags: dict[str, object]) -> Iterator[str]:
    """Spell flags as on a command line: `i=True` is `-i`, `max_chars=0` is `--max-chars 0`."""
    for name, value in flags.items():
        flag = f"-{name}" if len(name) == 1 else "--" + name.rstrip("_").replace("_", "-")
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None and each is not False:
                yield from (flag,) if each is True else (flag, str(each))
