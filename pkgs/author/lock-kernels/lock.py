"""Write kernels.lock in this folder: the commit of each kernel that this one loads, and the hash of its files.

Usage: lock-kernels. The kernels that those load in turn are locked, too. Nix gets the files, so that a build
downloads none of them again.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from huggingface_hub import snapshot_download
from kernels._rust import KernelDependency, KernelVersion, Metadata, NixKernelLock, NixKernelLocks
from kernels._versions import resolve_kernel_version

FILE = Path("kernels.lock")
locks: "dict[KernelDependency, NixKernelLock]" = {}


def run_nix(*words: str) -> str:
    """Return what a command of Nix prints."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def lock(kernel: "KernelDependency", above: "list[KernelDependency]") -> None:
    """Lock a kernel, and those that its variants load."""
    if kernel in above:
        sys.exit(f"lock-kernels: {' loads '.join(each.repo_id for each in [*above, kernel])}, which is a circle")
    if kernel in locks:
        return
    try:
        commit = resolve_kernel_version(kernel, local_files_only=False)
        with tempfile.TemporaryDirectory() as folder:
            files = Path(folder, kernel.repo_id.replace("/", "-"))
            snapshot_download(kernel.repo_id, repo_type="kernel", revision=commit, local_dir=files, token=False)
            shutil.rmtree(files / ".cache")
            metadata = [Metadata.read_from_file(path) for path in sorted(files.glob("build/*/metadata.json"))]
            path = run_nix("nix-store", "--add-fixed", "--recursive", "sha256", str(files))
            command = ("nix", "--extra-experimental-features", "nix-command", "hash", "path", path)
            locked = NixKernelLock(commit, run_nix(*command))
    except Exception as error:
        sys.exit(f"lock-kernels: {kernel.repo_id} cannot be locked: {error}\nBuilds take public kernels alone")
    for needed in {each for one in metadata for each in one.kernel_depends}:
        lock(needed, [*above, kernel])
    locks[kernel] = locked


for each in json.loads(Path(sys.argv[1]).read_text()):
    version = KernelVersion.Version(each["version"]) if "version" in each else KernelVersion.Revision(each["revision"])
    lock(KernelDependency(repo_id=each["repo-id"], version=version), [])
new = FILE.with_name(f".{FILE}.new")
new.write_text(NixKernelLocks(dict(sorted(locks.items(), key=lambda item: item[0].repo_id))).to_json() + "\n")
new.replace(FILE)
print("\n".join(f"{kernel.repo_id}: {each.commit}" for kernel, each in locks.items()))
