"""Known holes of versions of Nix that concern kernels of others.

CVE-2024-27297 (NixOS/nix GHSA-2ffj-w4mj-pg37): a fixed-output derivation passes its output on and
changes it after its hash was checked, so a pin by hash is no boundary. Fixed in 2.3.18, 2.18.2,
2.19.4, 2.20.5. CVE-2026-39860: that fix follows links, so a fixed-output derivation overwrites
files of the daemon. Fixed in 2.28.6, 2.29.3, 2.30.4, 2.31.4, 2.32.7, 2.33.4, 2.34.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

FIX: Final = "install a newer Nix (./install.sh --newer-nix, or https://nixos.org/download)"
# The first fixed release of each minor version; every later minor version has the fix.
_HASHES: Final = {(2, 3): 18, (2, 18): 2, (2, 19): 4, (2, 20): 5}
_LINKS: Final = {
    (2, 28): 6, (2, 29): 3, (2, 30): 4, (2, 31): 4, (2, 32): 7, (2, 33): 4, (2, 34): 5,
}  # fmt: skip
ADVISORIES: Final[tuple[tuple[str, Mapping[tuple[int, int], int], str], ...]] = (
    ("CVE-2024-27297", _HASHES, "a kernel can change pinned files after their hash was checked"),
    ("CVE-2026-39860", _LINKS, "a fixed-output derivation can overwrite files of Nix's user"),
)


def find_advisory(version: tuple[int, ...]) -> str | None:
    """Return the identifier and the meaning of the hole in a version of Nix, None without one.

    A version without its third number counts as the first release. Patches that a distribution
    adds without a new number are not known here.
    """
    major, minor, patch = (*version, 0, 0, 0)[:3]
    for name, fixed, meaning in ADVISORIES:
        if (major, minor) > max(fixed) or patch >= fixed.get((major, minor), patch + 1):
            continue
        return f"{name}: {meaning}"
    return None


def require_fixed(version: tuple[int, ...]) -> None:
    """Raise KernelBuilderError if this version has a known hole."""
    if advisory := find_advisory(version):
        found = f"{'.'.join(map(str, version))}, which has {advisory}"
        want = "a Nix without known holes, to build what is not yours"
        fix = f"{FIX};\nor accept the risk: --allow-vulnerable-nix"
        raise KernelBuilderError(
            "this Nix is no boundary for kernels of others",
            [Problem("nix --version", found, want, fix)],
        )
