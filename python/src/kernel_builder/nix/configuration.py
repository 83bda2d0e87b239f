"""Nix's settings in NIX_CONFIG, which may hold access tokens, as a file instead of a variable.

Nix hands its variables to builds that ask for them; a file of this process is out of their reach.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def configuration_variables() -> Mapping[str, str]:
    """Return the variables that give Nix the user's settings.

    Where there is no memfd, builds run under a daemon, which has an environment of its own.
    """
    text = os.environ.get("NIX_CONFIG")
    if not text:
        return {}
    if sys.platform != "linux":
        return {"NIX_CONFIG": text}
    descriptor = os.memfd_create("NIX_CONFIG")
    os.write(descriptor, text.encode() + b"\n")
    # The first file counts most, as NIX_CONFIG does.
    files = [f"/proc/{os.getpid()}/fd/{descriptor}", *_user_files()]
    return {"NIX_USER_CONF_FILES": ":".join(files)}


def _user_files() -> list[str]:
    """Return the files that Nix reads by itself if the variable does not name any."""
    if named := os.environ.get("NIX_USER_CONF_FILES"):
        return named.split(":")
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    others = os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [f"{folder}/nix/nix.conf" for folder in (home, *others.split(":"))]
