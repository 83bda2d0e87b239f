"""The releases of Nix with known vulnerabilities.

advisories.json has one advisory a line, so that install.sh can read it before there is a Python. A
range is the first vulnerable release and the first fixed one.

CVE-2024-27297 (NixOS/nix GHSA-2ffj-w4mj-pg37): a fixed-output derivation passes its output on and
changes it after its hash was checked, so a pin by hash is no boundary. CVE-2026-39860: the fix of
that follows links, so a fixed-output derivation overwrites files of the daemon; Lix has another
fix. CVE-2025-46415: the same way out, through the folders of builds. CVE-2026-44028: two different
holes of Nix and of Lix in the reading of archives.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ADVISORIES: Final = Path(__file__).with_name("advisories.json")
NEWER_NIX: Final = "install a newer Nix (./install.sh --newer-nix, or https://nixos.org/download)"

Number = tuple[int, int, int]


@dataclass(frozen=True)
class Release:
    """A release of Nix.

    `implementation` is "Lix", whose numbers mean other releases, or else "Nix", as are Debian's
    and Determinate's. A release without its third number counts as the first of its line, and
    `is_preview` says that it comes before the release of its number.
    """

    implementation: str
    number: Number
    is_preview: bool = False

    def __str__(self) -> str:
        """Return the name and the number."""
        preview = " (a pre-release)" if self.is_preview else ""
        return f"{self.implementation} {'.'.join(map(str, self.number))}{preview}"


def _read_number(text: str) -> Number:
    major, minor, patch = (*map(int, re.findall(r"\d+", text)), 0, 0, 0)[:3]
    return major, minor, patch


def read_release(said: str) -> Release:
    """Return the release that an output of `nix --version` names.

    The last word is Nix's own version, as in `nix (Determinate Nix 3.5.2) 2.28.3`. Output without
    a version counts as the oldest one.
    """
    first, _, _ = said.strip().partition("\n")
    word = first.split()[-1] if first else ""
    number, suffix = re.fullmatch(r"(?s)([\d.]*)(.*)", word).groups()  # type: ignore[union-attr]
    implementation = "Lix" if "(Lix" in first else "Nix"
    # A distribution's own number comes after a `+`.
    return Release(implementation, _read_number(number), suffix[:1] not in ("", "+"))


def find_advisory(release: Release) -> str | None:
    """Return the identifier and the meaning of the first hole in a release, None without one.

    A pre-release is judged as the release before it, since it may lack fixes: 2.35.0pre1 as 2.34.0,
    2.28.6-rc1 as 2.28.5. Patches that a distribution adds without a new number are not known here.
    """
    major, minor, patch = release.number
    if release.is_preview:
        minor, patch = (minor, patch - 1) if patch else (max(minor - 1, 0), 0)
    for each in json.loads(ADVISORIES.read_text(encoding="utf-8")):
        ranges = (map(_read_number, text.split()) for text in each["ranges"])
        is_open = any(first <= (major, minor, patch) < fixed for first, fixed in ranges)
        if is_open and each["implementation"] == release.implementation:
            return f"{each['name']}: {each['meaning']}"
    return None
