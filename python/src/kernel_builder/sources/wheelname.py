"""The tags in a wheel's file name, and the options that make pip accept exactly that wheel."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Tags:
    """Which interpreters and machines a wheel is for."""

    pythons: tuple[str, ...]
    abis: tuple[str, ...]
    platforms: tuple[str, ...]


def parse_tags(file: str) -> Tags:
    """Return the tags of `name-version[-build]-python-abi-platform.whl`."""
    parts = file[: -len(".whl")].split("-") if file.endswith(".whl") else []
    if len(parts) not in (5, 6):
        raise ValueError(f"not the name of a wheel: {file}")
    python, abi, platform = (tuple(part.split(".")) for part in parts[-3:])
    return Tags(python, abi, platform)


def pip_options(tags: Tags) -> list[str]:
    """Return pip's options for a machine that takes these tags, whichever machine this is.

    The lowest minor version of an abi3 wheel is enough, since it is named as the interpreter.
    """
    options = []
    tag = tags.pythons[-1]
    named = re.fullmatch(r"([a-z]{2})(\d)(\d*)", tag)
    if named:
        implementation, major, minor = named.groups()
        options += ["--implementation", implementation]
        options += ["--python-version", f"{major}.{minor}" if minor else major]
    for abi in tags.abis:
        options += ["--abi", abi]
    for platform in tags.platforms:
        options += ["--platform", platform]
    return options
