"""Write kernels.lock in this folder: the commit of each kernel that this one loads, and the hash of its files.

Usage: lock-kernels [--update]. The kernels that those load in turn are locked, too. A locked kernel keeps its commit
without --update. Nix gets the files, so that a build downloads none of them again.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

# Builds take public kernels alone, so the Hub's library, which reads this when it is imported, sends no token.
os.environ["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = "1"

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import RepositoryNotFoundError
from kernels._rust import KernelDependency, KernelVersion, Metadata, NixKernelLock, NixKernelLocks
from kernels._versions import resolve_kernel_version

FILE = Path("kernels.lock")
# As for all that is fetched from the Hub.
MAX_BYTES = 64 * 2**30
locks: "dict[KernelDependency, NixKernelLock]" = {}


def fail(message: str) -> "NoReturn":
    """End the program. Answers of the Hub may have characters that control a terminal."""
    sys.exit("lock-kernels: " + "".join(each if each.isprintable() or each == "\n" else "?" for each in message))


def run_nix(*words: str) -> str:
    """Return what a command of Nix prints."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def lock(kernel: "KernelDependency", above: "list[KernelDependency]") -> None:
    """Lock a kernel, and those that its variants load."""
    # A stranger's kernel may name anything.
    if not re.fullmatch(request["repository"], kernel.repo_id):
        fail(f"{' loads '.join(each.repo_id for each in above)} loads {kernel.repo_id!r}, which is no owner/name")
    if kernel in above:
        circle = [*above[above.index(kernel) :], kernel]
        fail(f"{' loads '.join(each.repo_id for each in circle)}, which is a circle")
    if kernel in locks:
        return
    known = old.get(kernel)
    try:
        named = known.commit if known else resolve_kernel_version(kernel, local_files_only=False)
        commit = str(HfApi().kernel_info(kernel.repo_id, revision=named).sha)
        place: dict[str, Any] = {"repo_id": kernel.repo_id, "repo_type": "kernel", "revision": commit}
        sizes = [getattr(each, "size", 0) for each in islice(HfApi().list_repo_tree(**place, recursive=True), 100_001)]
        if len(sizes) > 100_000 or sum(sizes) > MAX_BYTES:
            raise ValueError(f"it has more than 100,000 files or {MAX_BYTES} bytes")
        with tempfile.TemporaryDirectory() as folder:
            files = Path(folder, kernel.repo_id.replace("/", "-"))
            snapshot_download(**place, local_dir=files)
            shutil.rmtree(files / ".cache")
            metadata = [Metadata.read_from_file(path) for path in sorted(files.glob("build/*/metadata.json"))]
            path = run_nix("nix-store", "--add-fixed", "--recursive", "sha256", str(files))
            command = ("nix", "--extra-experimental-features", "nix-command", "hash", "path", path)
            locked = NixKernelLock(commit, run_nix(*command))
    except RepositoryNotFoundError:
        fail(f"{kernel.repo_id} cannot be locked: it is not on the Hub, or not public, and builds get no token")
    except Exception as error:
        fail(f"{kernel.repo_id} cannot be locked: {error}")
    if known and known.hash != locked.hash:
        fail(f"{kernel.repo_id} has other files at commit {commit} than were locked; --update locks the newest commit")
    for needed in {each for one in metadata for each in one.kernel_depends}:
        lock(needed, [*above, kernel])
    locks[kernel] = locked


request = json.loads(Path(sys.argv[1]).read_text())
if sys.argv[2:] not in ([], ["--update"]):
    fail("the only option is --update, which locks the newest commits")
old = NixKernelLocks({})
if FILE.exists() and "--update" not in sys.argv:
    try:
        old = NixKernelLocks.from_json(FILE.read_text())
    except ValueError as error:
        fail(f"{FILE} cannot be read: {error}\n--update writes it anew")
for each in request["dependencies"]:
    version = KernelVersion.Version(each["version"]) if "version" in each else KernelVersion.Revision(each["revision"])
    lock(KernelDependency(repo_id=each["repo-id"], version=version), [])
new = FILE.with_name(f".{FILE}.new")
# A link of this name, which the kernel could bring, is removed and not followed.
new.unlink(missing_ok=True)
with new.open("x", encoding="utf-8") as opened:
    opened.write(NixKernelLocks(dict(sorted(locks.items(), key=lambda item: item[0].repo_id))).to_json() + "\n")
new.replace(FILE)
print("\n".join(f"{kernel.repo_id}: {each.commit}" for kernel, each in locks.items()))
