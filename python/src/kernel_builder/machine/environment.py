"""The environment variables that a started program gets: those it needs, never the user's tokens.

Nix hands its own environment to builds of root without a daemon, where a fixed-output derivation
may name any variable in `impureEnvVars` and has the network. So Nix gets no more than this either.
"""

import os
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePath
from typing import Final

_COMMON: Final = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "TERM", "TMPDIR", "TZ", "XDG_*"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"),
    *("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"),
    *("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"),
)
# For git, with which Nix fetches the inputs of a flake, too. Git's other variables choose a
# repository or name programs. An agent's socket opens ssh's keys.
GIT: Final = (
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"),
    *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "SSH_ASKPASS"),
    *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSH_AUTH_SOCK"),
)
# NIX_CONFIG is missing, since it may hold access tokens: see `configuration_variables`.
_NIX: Final = (
    *("NIX_CONF_DIR", "NIX_USER_CONF_FILES", "NIX_DATA_DIR", "NIX_LOCALSTATE_DIR"),
    *("NIX_LOG_DIR", "NIX_STATE_DIR", "NIX_STORE", "NIX_STORE_DIR", "NIX_IGNORE_SYMLINK_STORE"),
    *("NIX_DAEMON_SOCKET_PATH", "NIX_REMOTE", "NIX_REMOTE_SYSTEMS", "NIX_SSHOPTS"),
    *("NIX_PATH", "NIX_PROFILES", "NIX_SSL_CERT_FILE", "SSH_AUTH_SOCK"),
)
# By the beginning of the program's file name.
_PROGRAMS: Final[Mapping[str, tuple[str, ...]]] = {"apt": ("APT_CONFIG",), "git": GIT, "nix": _NIX}
# pip's settings, and the desktop's keyring, which may hold the logins of its indexes.
PIP: Final = ("PIP_*", "NETRC", "DBUS_SESSION_BUS_ADDRESS")
# Logins of a cache on S3.
CACHE: Final = ("AWS_*",)


def choose_variables(program: str, more: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the variables for a program: those of its kind, and those that match `more`.

    Relative folders are left out of PATH: in a stranger's folder, they would be the stranger's.
    """
    name = PurePath(program).name
    own = [word for start, words in _PROGRAMS.items() if name.startswith(start) for word in words]
    chosen = {
        name: text
        for name, text in os.environ.items()
        if any(fnmatchcase(name, pattern) for pattern in (*_COMMON, *own, *more))
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
    others = os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    folders = [home, *others.split(":")]
    files = os.environ.get("NIX_USER_CONF_FILES") or ":".join(f"{f}/nix/nix.conf" for f in folders)
    # The first file counts most, as NIX_CONFIG does.
    return {"NIX_USER_CONF_FILES": f"/proc/{os.getpid()}/fd/{descriptor}:{files}"}
