"""Reads flake.nix and flake.lock of a kernel that is not yours, as text: nothing is evaluated.

Only two facts are taken from them: the revision of kernel-builder that the lock names, and whether
flake.nix asks for more than what is applied to every kernel.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.nix.systems import read_table

FLAKE: Final = "flake.nix"
LOCK: Final = "flake.lock"
MAX_BYTES: Final = 2**20
# The arguments of genKernelFlakeOutputs and genKernelsFlakeOutputs that change what is built.
ARGUMENTS: Final = (
    "kernelArguments",
    *(name for name, each in read_table("outputs/options.json").items() if "isPlace" not in each),
)
# Strings come first: an address may hold the sign of a comment.
_HIDDEN: Final = re.compile(
    r'"(?:\\.|[^"\\])*"?|\'\'.*?(?:\'\'|\Z)|#[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL
)
# Outputs that are one call, up to the end of the file.
_CALL: Final = re.compile(
    r"\boutputs\s*=\s*\{[^{}]*\}\s*:\s*[\w'-]+\.lib\.gen(?:Kernels?)?FlakeOutputs\s*"
    r"\{(?:\s*(?:inherit\s+self|self\s*=\s*self|path\s*=\s*[\w./-]+)\s*;)*\s*\}\s*;\s*\}\s*"
)
_OWN_FOLDER: Final = re.compile(r"\bpath\s*=\s*\./\.\s*;")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_HASH: Final = re.compile(r"sha256-[A-Za-z0-9+/]{43}=")
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
_ADDRESS: Final = re.compile(r"https://(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+/[\w./~-]+", re.ASCII)


class Named(NamedTuple):
    """A kernel-builder that a lock names: the address of its repository, its commit, its hash."""

    address: str
    commit: str
    digest: str


def read_builder(folder: Path) -> Named | None:
    """Return the kernel-builder that flake.lock names, or None if there is no lock.

    Raises ValueError if it names none that this reader knows.
    """
    text = _read(folder / LOCK)
    if text is None:
        return None
    try:
        data = json.loads(text)
        name = data["nodes"][data["root"]]["inputs"]["kernel-builder"]
        locked = data["nodes"][name]["locked"]
        return Named(_find_address(locked), locked["rev"], _match(_HASH, locked["narHash"]))
    except (ValueError, RecursionError, LookupError, TypeError):
        why = f"{LOCK} names no commit of a kernel-builder in a form that is read here"
        raise ValueError(why) from None


def _match(pattern: re.Pattern[str], value: Any) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError
    return value


def _find_address(locked: Mapping[str, Any]) -> str:
    _match(_COMMIT, locked["rev"])
    if locked["type"] == "github" and "host" not in locked:
        owner, repo = (_match(_NAME, locked[key]) for key in ("owner", "repo"))
        return f"https://github.com/{owner}/{repo}"
    if locked["type"] == "git":
        return _match(_ADDRESS, locked["url"])
    raise ValueError


def list_unapplied(folder: Path) -> list[str]:
    """Return notes on what flake.nix asks for and a build without it does not do."""
    try:
        text = _read(folder / FLAKE)
    except ValueError as error:
        return [str(error)]
    if text is None:
        return []
    shown = _HIDDEN.sub(lambda found: '""' if found[0][0] in "\"'" else " ", text)
    single = "genKernelsFlakeOutputs" not in shown
    given = [name for name in ARGUMENTS if re.search(rf"\b{name}\b", shown)]
    given += ["path"] if single and not _OWN_FOLDER.search(shown) else []
    if given:
        names = ", ".join(given)
        return [f"{FLAKE} passes more than `self` and `path = ./.`, not applied: {names}"]
    last = [*re.finditer(r"\boutputs\s*=", shown)][-1:]
    if last and _CALL.fullmatch(shown, last[0].start()):
        return []
    return [f"{FLAKE} does more than call genKernelFlakeOutputs, and that is not applied"]


def _read(file: Path) -> str | None:
    """Return the text of a file, None without it. Raises ValueError if it is no ordinary text."""
    try:
        return read_file(file, max_bytes=MAX_BYTES).decode()
    except FileNotFoundError:
        return None
    except (KernelBuilderError, OSError, UnicodeDecodeError):
        want = f"a text file of at most {MAX_BYTES} bytes"
        raise ValueError(f"{file.name} is not read: it is not {want}") from None
