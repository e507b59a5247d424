"""Everyday browsers of a person: a real Chromium and a real Firefox with profiles of their own."""

import asyncio
import os
import subprocess
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright
from tools.programs import where

from browse.browser.process import chromium
from browse.browser.process.chromium_sandbox import why_no_sandbox
from browse.core.errors import BrowseError
from support.cli import CALL_S
from support.site import Site


def cookie_page(site: Site, path: str, cookies: Sequence[str], html: str = "<p>x") -> None:
    """Serve a page that sets cookies, each with its attributes."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/html; charset=utf-8")
        for cookie in cookies:
            request.send_header("set-cookie", cookie.encode().decode("latin-1"))
        request.end_headers()
        request.wfile.write(html.encode())

    site.answer(path, answer)


def visit_with_chromium(
    profile: Path, urls: Sequence[str], env: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Visit pages, with keys from the keyring if an environment leads to one; return the cookies.

    All names below `example` lead to this machine. The browser is closed at the end.
    """
    try:
        program = chromium.find_with_window(os.environ.get("GSTACK_CHROMIUM_PATH", "")).path
    except BrowseError as exc:
        pytest.skip(f"no Chromium that keeps a profile: {exc.message}")

    async def visit() -> list[dict[str, Any]]:
        async with async_playwright() as driver:
            context = await driver.chromium.launch_persistent_context(
                profile,
                executable_path=program,
                chromium_sandbox=not why_no_sandbox(off=None, contained=True),
                env={**os.environ, **(env or {})},
                ignore_default_args=["--password-store=basic"],
                args=[
                    f"--password-store={'gnome-libsecret' if env else 'basic'}",
                    "--host-resolver-rules=MAP *.example 127.0.0.1",
                ],
            )
            page = context.pages[0]
            for url in urls:
                await page.goto(url, wait_until="load")
            kept: list[Any] = list(await context.cookies())
            await context.close()
            return kept

    return asyncio.run(visit())


def visit_with_firefox(profile: Path, url: str, home: Path) -> None:
    """Visit a page with Debian's Firefox, which ends by itself after a screenshot."""
    program = where("firefox-esr")
    if not program:
        pytest.skip("firefox-esr is not here")
    profile.mkdir(parents=True)
    words = ["--headless", "--no-remote", "--profile", str(profile)]
    shot = ["--screenshot", str(home / "firefox.png"), url]
    subprocess.run(
        [program, *words, *shot],
        env={**os.environ, "HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=CALL_S,
        check=True,
    )
