"""One row of the settings table: how a setting is declared."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Reader = Literal["client", "daemon", "both"]


@dataclass(frozen=True, slots=True)
class StartFlag:
    """The flag with which a setting is given on the command line that starts a daemon.

    `joined` stands between several values; "" if it may be given once only.
    """

    word: str
    metavar: str
    doc: str
    joined: str = ""
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """Which variable the value comes from and what it means."""

    env: str
    help: str
    parse: Callable[[str], Any]
    read_by: Reader
    flag: StartFlag | None = None
    private: bool = False  # no program that the daemon starts gets the variable


def setting(
    default: Any,
    env: str,
    help: str,
    *,
    parse: Callable[[str], Any] = str,
    read_by: Reader = "daemon",
    flag: StartFlag | None = None,
    private: bool = False,
) -> Any:
    """Declare a row of the table."""
    about = SettingInfo(env, help, parse, read_by, flag, private)
    return field(default=default, metadata={"about": about})
