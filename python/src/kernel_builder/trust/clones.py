"""Commits of repositories of others: fetched into a repository of ours, and read as blobs.

Nothing is checked out, so nothing is written before it is counted, and no attribute, filter or
hook of theirs changes a byte.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final

from kernel_builder.machine.files import MAX_BYTES, MAX_DEPTH, MAX_FILES, find_below
from kernel_builder.machine.git import run_git
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show

# Of a pack, which is compressed.
LIMITS: Final[dict[str, Any]] = {"seconds": 1800.0, "max_bytes": 2 * 2**30}
# `file` is for folders of the user.
TRANSPORTS: Final = "https:file"
# Of a list of files.
MAX_LIST: Final = 2**25
_FETCH: Final = (
    # A server may send git elsewhere.
    *("-c", "http.followRedirects=false"),
    # One pack, whose size is limited as that of any file.
    *("-c", "fetch.unpackLimit=1", "fetch", "--quiet", "--no-tags"),
    # Larger files are left out by a server that can do so.
    "--filter=blob:limit=256m",
    # In a folder git is the server, too, which fetches nowhere what the folder lacks.
    "--upload-pack=GIT_ALLOW_PROTOCOL= git -c uploadpack.allowFilter=true upload-pack",
)
# A mode.
_LINK: Final = "120000"
# A forge has commits of anybody's forks, too.
BRANCHES: Final = ("+refs/heads/*:refs/remotes/*", "+refs/tags/*:refs/tags/*")


def has_ancestor(folder: Path, commit: str) -> bool:
    """Return whether a checkout comes from a commit."""
    return run_git(folder, "merge-base", "--is-ancestor", commit, "HEAD").status == 0


def fetch_commit(source: str, commit: str, clone: Path, *ways: tuple[str, ...]) -> str:
    """Fetch a commit into a new repository, in the first of some ways that gives it.

    A way is words of `git fetch`. Returns the message of git if none gives it.
    """
    clone.mkdir()
    kind = "sha256" if len(commit) == 64 else "sha1"
    done = run_git(clone, "init", "--quiet", f"--object-format={kind}", is_new=True)
    said, config = done.stderr.strip(), clone / ".git" / "config"
    settings = config.read_bytes() if done.status == 0 else b""
    for words in ways if settings else ():
        call = ("-c", f"remote.source.url={source}", *_FETCH, "source", *words)
        done = run_git(clone, *call, transports=TRANSPORTS, **LIMITS)
        # git has noted where it could fetch what was left out.
        config.write_bytes(settings)
        if run_git(clone, "cat-file", "-e", f"{commit}^{{commit}}").status == 0:
            return ""
        said = said or done.stderr.strip()
    return said or f"no branch or tag of {source} has {commit}"


def write_files(
    clone: Path,
    commit: str,
    is_wanted: Callable[[PurePosixPath], bool],
    folder: Path,
    max_bytes: int,
    *,
    links: bool = False,
) -> list[str]:
    """Write some files of a commit below a folder; return the wanted paths that are none.

    `links` is for a commit that the user trusts: links of others are not written. Raises
    KernelBuilderError before it writes any if the commit has too many: a few trees can stand for
    any number of files, and a few bytes for a large one.
    """
    files: dict[PurePosixPath, tuple[str, str, int]] = {}
    others = []
    with _open_output(clone, ("ls-tree", "-r", "-t", "-l", "-z", commit), MAX_LIST) as output:
        for record in output.read().split(b"\0")[:-1]:
            facts, _, name = record.partition(b"\t")
            mode, kind, blob, size = facts.decode().split()
            path = PurePosixPath(os.fsdecode(name))
            # git checks out no path with another word for the same place, as `.`.
            is_odd = path in files or os.fsencode(path) != name
            if len(files) == MAX_FILES or len(path.parts) > MAX_DEPTH or is_odd:
                raise _refuse(f"one more, or twice: {show(path)}", max_bytes)
            is_file = mode.startswith("100") or (links and mode == _LINK)
            if is_file and is_wanted(path):
                # There is no number for a file that the server has left out.
                files[path] = (blob, mode, int(size) if size.isdigit() else MAX_BYTES)
            elif kind != "tree" and is_wanted(path):
                others.append(str(path))
    if (total := sum(size for *_, size in files.values())) > max_bytes:
        raise _refuse(f"{len(files)} files, {total} bytes", max_bytes)
    requests = "".join(f"{blob}\n" for blob, *_ in files.values()).encode()
    with _open_output(clone, ("cat-file", "--batch"), max_bytes + MAX_LIST, requests) as output:
        for path, (_, mode, count) in files.items():
            place = find_below(folder, str(path))
            place.parent.mkdir(parents=True, exist_ok=True)
            # The id, the kind and the size; the content; the end of a line.
            output.readline()
            if mode == _LINK:
                place.symlink_to(os.fsdecode(output.read(count)))
            else:
                with place.open("xb") as written:
                    written.write(output.read(count))
                place.chmod(0o755 if mode.endswith("755") else 0o644)
            output.readline()
    return others


@contextmanager
def _open_output(
    clone: Path, words: tuple[str, ...], max_bytes: int, requests: bytes = b""
) -> Iterator[BinaryIO]:
    """Give the output of git, which is killed if it writes more than `max_bytes`."""
    with TemporaryFile() as stdin, TemporaryFile() as stdout:
        stdin.write(requests)
        stdin.seek(0)
        if run_git(clone, *words, stdin=stdin, stdout=stdout, max_bytes=max_bytes).status:
            raise _refuse(f"git {words[0]} has no end, or misses objects", max_bytes)
        stdout.seek(0)
        yield stdout


def _refuse(found: str, max_bytes: int) -> KernelBuilderError:
    want = f"at most {MAX_FILES} files, {MAX_DEPTH} folders in each other, {max_bytes} bytes"
    problem = Problem("the files of its commit", found, want, "do not use this kernel")
    return KernelBuilderError("the kernel's commit is not read", [problem])
