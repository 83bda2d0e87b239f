"""What this machine knows about mirrors, indexes and certificates, read when a test runs."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def _said_by(*argv: str) -> str:
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""


def debian_mirror() -> str | None:
    """Return where apt gets Debian's own packages from."""
    targets = _said_by("apt-get", "indextargets", "--format", "$(CREATED_BY) $(LABEL) $(SITE)")
    sources = (line.rsplit(" ", 1) for line in targets.splitlines())
    return next((site for what, site in sources if what == "Packages Debian"), None)


def apt_settings() -> str:
    """Return apt's proxies, certificates and logins as a file of its settings."""
    lines = _said_by("apt-config", "dump").splitlines(keepends=True)
    return "".join(line for line in lines if line.startswith("Acquire::"))


def certificates() -> Path:
    """Return the file of the authorities that this machine trusts."""
    return Path(os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE") or CERTIFICATES)


def pip_settings() -> dict[str, str]:
    """Return pip's settings, out of its files and of variables, as variables."""
    found = {}
    for line in _said_by("python3", "-m", "pip", "config", "list").splitlines():
        key, value = line.split("=", 1)
        # `global.find-links`, `install.find-links`, `:env:.find-links`; the last one wins.
        name = key.rsplit(".", 1)[-1].upper().replace("-", "_")
        found[f"PIP_{name}"] = str(ast.literal_eval(value))
    found.pop("PIP_CERT", None)
    return found


def pip_folders() -> list[str]:
    """Return folders that pip takes packages from; an index may point to its neighbours."""
    words = " ".join(pip_settings().values()).split()
    paths = [Path(word.removeprefix("file://")) for word in words]
    parents = {str(path.parent) for path in paths if path.is_absolute() and path.is_dir()}
    return sorted(parents - {"/"})
