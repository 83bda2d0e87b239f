"""Writes texts as Nix reads them: strings, paths, and references to flakes."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "${": "\\${"}
_SPECIAL: Final = re.compile(r'["\\\n\r\t]|\$\{')
# Paths that every version of Nix reads as a reference without quoting.
_PLAIN: Final = re.compile(r"[A-Za-z0-9/._+~-]+")


def nix_string(text: str) -> str:
    """Return a text as a string of the Nix language."""
    return '"' + _SPECIAL.sub(lambda found: _ESCAPES[found.group()], text) + '"'


def nix_path(path: Path) -> str:
    """Return a path as an expression, whatever its name holds."""
    return f"(/. + {nix_string(str(path))})"


def nix_list(texts: Iterable[str]) -> str:
    """Return texts as a list of strings."""
    return " ".join(["[", *map(nix_string, texts), "]"])


def is_plain(path: Path) -> bool:
    """Say whether a path can stand in a reference as it is."""
    return _PLAIN.fullmatch(str(path)) is not None


def git_reference(root: Path, below: Path, *, relative: bool) -> str:
    """Return the reference of a folder in git.

    `relative` names the repository by the working folder, which has to be `root`: Nix 2.8 does not
    see what is not committed behind an address with escapes in it.
    """
    place = "git+file:." if relative else f"git+file://{quote(os.fsencode(root))}"
    folder = below.as_posix()
    return place if folder == "." else f"{place}?dir={quote(os.fsencode(folder))}"
