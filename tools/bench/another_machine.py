"""A second machine: it has the store that this one has now, and keeps to itself what it builds.

The store is covered by a layer that only the machine's own processes see; nothing of it is left.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from bench.measuring import measure

# The users that builds run as stay shared: Nix kills what else runs as the user of a new build.
COVER = """\
mount --bind /nix/var/nix/userpool "$0/users" &&
mount -t overlay overlay -o "lowerdir=/nix,upperdir=$0/made,workdir=$0/work" /nix &&
mount --bind "$0/users" /nix/var/nix/userpool && exec "$@"
"""


class Machine:
    """A machine whose own files lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("made", "work", "users"):
            (folder / name).mkdir(parents=True)

    @property
    def within(self) -> list[str]:
        """The words before a command that run it there."""
        apart = ["unshare", "--mount", "--propagation", "private"]
        return [*apart, "sh", "-c", COVER, str(self.folder)]

    def push(self, cache: Path) -> None:
        """Copy what `kernel-builder push` would of the units compiled there into a binary cache."""
        made = [path.name for path in (self.folder / "made/store").iterdir()]
        # An object, or what was written of it beside it; a precompiled header.
        of_units = re.compile(r".+\.o(-[a-z]+)?|[a-z0-9]+-precompiled-.+\.h")
        paths = [f"/nix/store/{name}" for name in made if of_units.fullmatch(name)]
        options = ["--extra-experimental-features", "nix-command", "--no-check-sigs"]
        url = f"file://{cache}?compression=zstd"
        measure([*self.within, "nix", "copy", *options, "--to", url, *paths])


def find_obstacle() -> str:
    """Say why there can be no second machine here; nothing if there can."""
    if os.geteuid() != 0:
        return "a layer over the store needs root"
    with tempfile.TemporaryDirectory() as folder:
        argv = [*Machine(Path(folder)).within, "true"]
        return subprocess.run(argv, capture_output=True, text=True, check=False).stderr.strip()
