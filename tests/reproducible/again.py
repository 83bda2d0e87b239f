"""Builds derivations a second time, here and in another store, and compares what comes out."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from kernel_builder.messages.errors import shorten
from tests.derivation import Derivation
from tests.evaluation import NixError, call, run_nix

# The kernels whose whole closure is built again.
EXAMPLES = ("relu", "silu-and-mul")
DIFFERS = re.compile(r"output '([^']+)' differs from '([^']+)'")
# The most lines about one output.
LINES = 60


def is_source(derivation: Derivation) -> bool:
    """Say whether a derivation only fetches: its bytes are given by its hash."""
    return bool(derivation.env.get("outputHash"))


def outputs_of(derivations: Iterable[Derivation]) -> list[str]:
    return sorted(path for one in derivations for path in one.outputs.values())


def describe(one: Path, two: Path) -> str:
    """Return the files that differ in two outputs."""
    argv = ["diff", "--brief", "--recursive", "--no-dereference", str(one), str(two)]
    done = call(*argv, status=None)
    assert done.returncode < 2, done.stderr
    lines = shorten(done.stdout.splitlines(), LINES)
    return "\n".join(lines) or "only the metadata of files differ"


def remove(folder: Path) -> None:
    """Remove a folder out of a store, where nothing may be written."""
    if not folder.is_symlink() and folder.is_dir():
        for path in (folder, *folder.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        shutil.rmtree(folder)
    else:
        folder.unlink(missing_ok=True)


def build_again(derivations: Iterable[str], kept: Path) -> dict[str, str]:
    """Build derivations that are built already; return in what each other output differs.

    What Nix leaves of those builds lies in `kept`.
    """
    options = ("--check", "--keep-failed", "--keep-going", "--no-build-output")
    argv = ["nix-store", "--realise", *options, *derivations]
    # The logs of the first builds stay: they say what was built in a sandbox.
    environment = {**os.environ, "TMPDIR": str(kept), "NIX_LOG_DIR": str(kept / "logs")}
    done = call(*argv, status=None, env=environment)
    pairs = dict.fromkeys(DIFFERS.findall(done.stderr))
    if done.returncode != 0 and not pairs:
        raise NixError(done.stderr)
    found = {}
    for first, second in pairs:
        found[first] = describe(Path(first), Path(second))
        # A daemon's store is not this user's: there it stays until garbage is collected.
        with contextlib.suppress(PermissionError):
            remove(Path(second))
    return found


class SecondStore:
    """A store whose files lie in another folder, though builds see it at the usual place."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.uri = f"local?root={root}"

    def copy(self, derivations: Sequence[Derivation]) -> None:
        """Bring what the builds start from: `.drv` files, sources, and nothing built."""
        sources = {source for one in derivations for source in one.sources}
        sources.update(outputs_of(filter(is_source, derivations)))
        drvs = [one.path for one in derivations]
        run_nix("nix", "copy", "--no-check-sigs", "--to", self.uri, *sorted(sources))
        run_nix("nix", "copy", "--no-check-sigs", "--derivation", "--to", self.uri, *drvs)

    def build(self, derivations: Iterable[str]) -> None:
        """Build with one process at a time, in another time zone and another folder."""
        folder = self.root / "tmp"
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "TZ": "Pacific/Kiritimati", "TMPDIR": str(folder)}
        options = ("--store", self.uri, "--max-jobs", "1", "--cores", "1")
        argv = ["nix-store", "--realise", *options, "--option", "substitute", "false"]
        done = call(*argv, *derivations, status=None, env=environment)
        if done.returncode != 0:
            raise NixError(done.stderr)

    def path_of(self, store_path: str) -> Path:
        """Return where a store path's files lie."""
        return Path(f"{self.root}{store_path}")

    def compare(self, paths: Sequence[str]) -> dict[str, str]:
        """Return in what each path differs from that of the machine's own store."""
        here, there = (hashes_of(paths, *options) for options in ((), ("--store", self.uri)))
        return {
            path: describe(Path(path), self.path_of(path))
            for path in paths
            if here[path] != there[path]
        }


def hashes_of(paths: Sequence[str], *options: str) -> dict[str, str]:
    """Return the hash of each path's contents, as the store has written it down."""
    said = run_nix("nix-store", *options, "--query", "--hash", *paths).split()
    assert len(said) == len(paths), f"{len(said)} hashes for {len(paths)} paths"
    return dict(zip(paths, said))


def report(found: dict[str, str]) -> str:
    """Return the differences of all outputs as one text."""
    return "\n\n".join(f"{path}\n{text}" for path, text in sorted(found.items()))
