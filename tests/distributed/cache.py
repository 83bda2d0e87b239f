"""A binary cache: files in a folder, which Nix writes as files and reads over HTTP."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Cache:
    """The cache, and the key that what is in it is signed with."""

    def __init__(self, root: Path, url: str) -> None:
        self.root, self.url = root, url
        self.secret, self.public = make_key(root.parent, "team-1")

    @property
    def unsigned(self) -> str:
        """The address for files that nobody signs. Compressing takes more time than all else."""
        return f"file://{self.root}?compression=none"

    @property
    def signed(self) -> str:
        """The address that signs them."""
        return f"{self.unsigned}&secret-key={self.secret}"

    @property
    def settings(self) -> dict[str, str]:
        """The settings in nix.conf of a machine that takes from it."""
        return {"substituters": self.url, "trusted_public_keys": self.public}

    def names(self) -> dict[str, Path]:
        """Return the file that describes each path, by the name that the path has."""
        return self.names_in(self.root)

    @staticmethod
    def names_in(folder: Path) -> dict[str, Path]:
        """Return the same for any folder of a cache's files."""
        infos = {}
        for info in folder.glob("*.narinfo"):
            path = info.read_text().split("StorePath: ")[1].split("\n")[0]
            infos[path.split("-", 1)[1]] = info
        return infos

    def content(self, info: Path) -> Path:
        """Return the archive that such a file is about."""
        return self.root / info.read_text().split("URL: ")[1].split("\n")[0]


def make_key(folder: Path, name: str) -> tuple[Path, str]:
    """Make a key; return where the secret one is, and the public one."""
    secret, public = folder / f"{name}.secret", folder / f"{name}.public"
    argv = ["nix-store", "--generate-binary-cache-key", name, str(secret), str(public)]
    subprocess.run(argv, check=True)
    return secret, public.read_text().strip()
