"""The form of a source's coordinates. They come from a kernel that may be a stranger's.

Most of them become words or lines for pip, apt, Nix and curl, for which a line break or a leading
dash would be another option. So all of them are checked before any of these programs starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

SRI: Final = re.compile(r"sha256-[A-Za-z0-9+/]{43}=")
ARCHITECTURES: Final = (
    *("all", "amd64", "arm64", "armel", "armhf", "i386"),
    *("loong64", "mips64el", "ppc64el", "riscv64", "s390x"),
)
_ADDRESS: Final = re.compile(r"(https?|file)://[!-~]+")
_VERSION: Final = re.compile(r"[A-Za-z0-9.!+_-]+")


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.ASCII)
    return lambda value: compiled.fullmatch(value) is not None


def _is_hash(value: str) -> bool:
    return bool(re.fullmatch("[0-9a-fA-F]{64}", value) or SRI.fullmatch(value))


def _is_address(value: str) -> bool:
    if not _ADDRESS.fullmatch(value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return bool(parts.path.startswith("/") if parts.scheme == "file" else parts.hostname)


def _is_python_version(value: str) -> bool:
    try:
        Version(value)
    except InvalidVersion:
        return False
    # `Version` ignores spaces and line breaks around it.
    return _VERSION.fullmatch(value) is not None


def _is_wheel(value: str) -> bool:
    try:
        parse_wheel_filename(value)
    except (InvalidWheelFilename, InvalidVersion):
        return False
    return re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+!-]*\.whl", value) is not None


# Where fields of two kinds share a name, the kind stands before it.
RULES: Final[Mapping[str, tuple[Callable[[str], bool], str]]] = {
    "name": (_matches(r"[A-Za-z0-9+_?=-][A-Za-z0-9+._?=-]{0,210}"), "the name of a store path"),
    "out": (_matches(r"/[!-~]+/[0-9a-z]{32}-[!-~]+"), "a store path"),
    "outputHash": (_is_hash, "SHA-256: 64 hexadecimal digits, or sha256-… in base 64"),
    "url": (_is_address, "an address with https://, http:// or file://, without spaces"),
    "wheel.project": (
        _matches(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"),
        "the name of a Python project (PEP 503)",
    ),
    "wheel.version": (_is_python_version, "a version of a Python project (PEP 440)"),
    "wheel.file": (_is_wheel, "the file name of a wheel"),
    "deb.package": (_matches(r"[a-z0-9][a-z0-9.+-]+"), "the name of a Debian package"),
    "deb.version": (
        _matches(r"([0-9]+:)?[0-9][A-Za-z0-9.+~-]*"),
        "the version of a Debian package",
    ),
    "deb.architecture": (ARCHITECTURES.__contains__, f"one of {', '.join(ARCHITECTURES)}"),
    "deb.suite": (_matches(r"[a-z][a-z0-9-]*"), "a Debian release, such as bookworm"),
    "archive.file": (_matches(r"[A-Za-z0-9_][A-Za-z0-9._+@=-]*"), "a file name"),
    "archive.repo": (_matches(r"[A-Za-z0-9_][A-Za-z0-9._-]*"), "the name of a repository"),
    "archive.rev": (_matches(r"[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/+-]*"), "a tag or a commit"),
}


def find_violations(kind: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return what is wanted of each field that has another form, by its name."""
    wanted = {}
    for name, value in values.items():
        is_right, want = RULES.get(f"{kind}.{name}") or RULES[name]
        if not is_right(value):
            wanted[name] = want
    if kind == "wheel" and not wanted:
        project, version, *_ = parse_wheel_filename(values["file"])
        if (project, version) != (canonicalize_name(values["project"]), Version(values["version"])):
            wanted["file"] = f"a wheel of {values['project']} {values['version']}"
    return wanted
