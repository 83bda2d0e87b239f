"""The environment variables that a started program gets: those it needs, never the user's tokens.

environment.json has them by program, as patterns.

Nix hands its own environment to builds of root without a daemon, where a fixed-output derivation
may name any variable in `impureEnvVars` and has the network. So Nix gets no more than this either.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePath
from typing import Final

# Git's other variables choose a repository or name programs. An agent's socket opens ssh's keys. Of
# Nix's, NIX_CONFIG is missing, since it may hold access tokens: see `configuration_variables`.
_TEXT: Final = Path(__file__).with_name("environment.json").read_text(encoding="utf-8")
_TABLE: Final[Mapping[str, Sequence[str]]] = json.loads(_TEXT)
# By the beginning of the program's file name.
_PROGRAMS: Final = ("apt", "git", "nix")
# For Nix, too, which fetches the inputs of a flake with git.
GIT: Final = _TABLE["git"]
# pip's settings, and the desktop's keyring, which may hold the logins of its indexes.
PIP: Final = _TABLE["pip"]
# Logins of a cache on S3.
CACHE: Final = _TABLE["cache"]


def choose_variables(program: str, more: Sequence[str] = ()) -> dict[str, str]:
    """Return the variables for a program: those of its kind, and those that match `more`.

    Relative folders are left out of PATH: in a stranger's folder, they would be the stranger's.
    """
    name = PurePath(program).name
    patterns = [word for each in _PROGRAMS if name.startswith(each) for word in _TABLE[each]]
    chosen = {
        name: text
        for name, text in os.environ.items()
        if any(fnmatchcase(name, pattern) for pattern in (*_TABLE["all"], *patterns, *more))
    }
    folders = chosen.get("PATH", os.defpath).split(os.pathsep)
    return {**chosen, "PATH": os.pathsep.join(filter(os.path.isabs, folders))}


@cache
def configuration_variables() -> Mapping[str, str]:
    """Return variables that give Nix the settings of NIX_CONFIG, which may hold access tokens.

    Builds may ask for Nix's variables, but a file of this process is out of their reach. Where
    there is no memfd, builds run under a daemon, which has an environment of its own.
    """
    text = os.environ.get("NIX_CONFIG")
    if not text:
        return {}
    if sys.platform != "linux":
        return {"NIX_CONFIG": text}
    descriptor = os.memfd_create("NIX_CONFIG")
    os.write(descriptor, text.encode() + b"\n")
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    system = os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    folders = [home, *system.split(":")]
    files = os.environ.get("NIX_USER_CONF_FILES") or ":".join(f"{f}/nix/nix.conf" for f in folders)
    # The first file counts most, as NIX_CONFIG does.
    return {"NIX_USER_CONF_FILES": f"/proc/{os.getpid()}/fd/{descriptor}:{files}"}
