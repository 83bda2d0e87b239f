"""Commits of strangers: their files are counted before they are written, and none is changed."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.trust import clones
from kernel_builder.trust.clones import BRANCHES, fetch_commit, write_files
from tests.tiny_kernel import git

LIMIT = 2**31


def put(folder: Path, *words: str, data: bytes = b"") -> str:
    """Return what git prints about data, such as the id of an object."""
    argv = ["git", "-C", str(folder), *words]
    return subprocess.run(argv, input=data, capture_output=True, check=True).stdout.decode().strip()


class Stranger:
    """A repository whose trees are written as they are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        git(folder, "init", "--quiet")

    def blob(self, data: bytes = b"x") -> str:
        return put(self.folder, "hash-object", "-w", "--stdin", data=data)

    def tree(self, *entries: tuple[str, str, str]) -> str:
        """Return a tree of entries: mode, name and id, in the order of their names."""
        data = b"".join(
            f"{mode} {name}\0".encode() + bytes.fromhex(number) for mode, name, number in entries
        )
        words = ("hash-object", "-w", "-t", "tree", "--literally", "--stdin")
        return put(self.folder, *words, data=data)

    def many(self, count: int, each: tuple[str, str]) -> str:
        """Return a tree that names one object many times."""
        mode, number = each
        return self.tree(*((mode, f"n{name:06}", number) for name in range(count)))

    def commit(self, tree: str) -> str:
        who = [word for key in ("name", "email") for word in ("-c", f"user.{key}=a@b.invalid")]
        commit = put(self.folder, *who, "commit-tree", tree, "-m", "x")
        git(self.folder, "update-ref", "refs/heads/master", commit)
        return commit

    def fetch(self, tree: str, place: Path) -> tuple[Path, str]:
        commit = self.commit(tree)
        assert fetch_commit(str(self.folder), commit, place, ("--depth=1", commit)) == ""
        return place, commit


FILE, LINK, TREE, MODULE = "100644", "120000", "40000", "160000"


def bomb_of_files(stranger: Stranger) -> str:
    tree = stranger.many(11, (FILE, stranger.blob()))
    for _ in range(5):
        tree = stranger.many(11, (TREE, tree))
    return tree


def bomb_of_folders(stranger: Stranger) -> str:
    tree = stranger.tree()
    for _ in range(60):
        tree = stranger.many(2, (TREE, tree))
    return tree


def bomb_of_bytes(stranger: Stranger) -> str:
    return stranger.many(200, (FILE, stranger.blob(bytes(2**24))))


def large_file(stranger: Stranger) -> str:
    """Return more than a server sends."""
    return stranger.tree((FILE, "large", stranger.blob(bytes(2**28 + 1))))


def deep_folders(stranger: Stranger) -> str:
    tree = stranger.tree((FILE, "x", stranger.blob()))
    for _ in range(300):
        tree = stranger.tree((TREE, "d", tree))
    return tree


def twice(stranger: Stranger) -> str:
    return stranger.tree((FILE, "x", stranger.blob(b"1")), (FILE, "x", stranger.blob(b"2")))


def above(stranger: Stranger) -> str:
    return stranger.tree((TREE, "..", stranger.tree((FILE, "escaped", stranger.blob()))))


def same(stranger: Stranger) -> str:
    return stranger.tree((TREE, ".", stranger.tree((FILE, "x.cpp", stranger.blob()))))


BOMBS: dict[str, Callable[[Stranger], str]] = {
    "308 kB that stand for 1.7 million files": bomb_of_files,
    "some trees that stand for 2^60 folders": bomb_of_folders,
    "16 MB of zeros under 200 names": bomb_of_bytes,
    "a file of 256 MB": large_file,
    "300 folders in each other": deep_folders,
    "one name twice": twice,
    "a path that leads up": above,
    "a path that git checks out nowhere": same,
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=pytest.mark.attack("verify", f"a commit with {each}", "refused"))
        for each in BOMBS
    ],
)
def test_too_much(name: str, tmp_path: Path) -> None:
    stranger = Stranger(tmp_path / "theirs")
    tree = BOMBS[name](stranger)
    start = time.monotonic()
    clone, commit = stranger.fetch(tree, tmp_path / "clone")
    with pytest.raises(KernelBuilderError) as refused:
        write_files(clone, commit, lambda _: True, tmp_path / "in" / "files", LIMIT)
    assert "at most " in str(refused.value) or "outside of" in str(refused.value)
    assert not (tmp_path / "in").exists()
    assert not (tmp_path / "escaped").exists()
    # Minutes, if the files were written.
    assert time.monotonic() - start < 60


@pytest.mark.attack("verify", "a large file in another folder of the repository", "not read")
def test_others_are_not_read(tmp_path: Path) -> None:
    stranger = Stranger(tmp_path / "theirs")
    inner = stranger.tree((FILE, "build.toml", stranger.blob(b"text")))
    others = bomb_of_bytes(stranger)
    tree = stranger.tree((TREE, "kernel", inner), (TREE, "others", others))
    clone, commit = stranger.fetch(tree, tmp_path / "clone")
    write_files(clone, commit, lambda path: path.parts[0] == "kernel", tmp_path / "files", 2**20)
    written = [path for path in (tmp_path / "files").rglob("*") if path.is_file()]
    assert written == [tmp_path / "files/kernel/build.toml"]


ATTRIBUTES = "* text eol=crlf ident filter=x export-subst\nhidden export-ignore\n"
TEXT = b"$Format:%H$ $Id$\nline\n"


@pytest.mark.attack("verify", "attributes, filters, hooks and replaced objects", "have no effect")
def test_bytes_are_those_of_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = tmp_path / "proof"
    (tmp_path / "user").write_text(f'[filter "x"]\n\tsmudge = touch {proof}; cat\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "user"))
    stranger = Stranger(tmp_path / "theirs")
    git(stranger.folder, "config", "uploadpack.packObjectsHook", f"touch {proof};")
    blobs = [stranger.blob(each) for each in (ATTRIBUTES.encode(), TEXT, b"\0\xff", b"/etc/passwd")]
    tree = stranger.tree(
        (FILE, ".gitattributes", blobs[0]),
        (FILE, "a\nb\udcff".encode(errors="surrogateescape").decode("latin-1"), blobs[2]),
        (FILE, "hidden", blobs[1]),
        (LINK, "link", blobs[3]),
        (MODULE, "module", "1" * 40),
        ("100755", "run", blobs[1]),
    )
    clone, commit = stranger.fetch(tree, tmp_path / "clone")
    other = stranger.commit(stranger.tree((FILE, "other", blobs[1])))
    git(stranger.folder, "replace", commit, other)
    place = tmp_path / "files"
    assert write_files(clone, commit, lambda _: True, place, LIMIT) == ["link", "module"]
    found = {
        path.name: (path.read_bytes(), path.stat().st_mode & 0o111) for path in place.iterdir()
    }
    assert found[".gitattributes"] == (ATTRIBUTES.encode(), 0)
    assert (found["hidden"], found["run"]) == ((TEXT, 0), (TEXT, 0o111))
    assert len(found) == 4
    assert not proof.exists()
    # All branches and tags, as a server that gives no single commits does, bring no replacement.
    assert fetch_commit(str(stranger.folder), commit, tmp_path / "all", BRANCHES) != ""


@pytest.mark.attack("verify", "a repository that sends without an end", "ended at the limit")
def test_more_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(clones.LIMITS, "max_bytes", 2**20)
    stranger = Stranger(tmp_path / "theirs")
    commit = stranger.commit(stranger.tree((FILE, "x", stranger.blob(os.urandom(2**21)))))
    assert fetch_commit(str(stranger.folder), commit, tmp_path / "clone", ("--depth=1", commit))
    left = sum(path.stat().st_size for path in (tmp_path / "clone").rglob("*") if path.is_file())
    assert left < 2**21
