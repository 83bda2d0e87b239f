"""Repositories on disk, as the test server keeps them: commits with whole trees, and contents."""

import hashlib
import json
import threading
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

# The first file of a new repository on the Hub.
FIRST_FILE = (".gitattributes", b"*.so filter=lfs diff=lfs merge=lfs -text\n")

Tree = dict[str, dict[str, Any]]


class ConflictError(Exception):
    """The branch is not where the commit wants it."""


def blob_id(content: bytes) -> str:
    """Return git's name of a content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class Repository:
    """One repository; every method is one transaction."""

    folder: Path
    lock: threading.Lock

    @property
    def exists(self) -> bool:
        return (self.folder / "state.json").is_file()

    def create(self, private: bool) -> None:
        with self.lock:
            (self.folder / "blobs").mkdir(parents=True)
            (self.folder / "lfs").mkdir()
            state = {"private": private, "refs": {}, "commits": {}}
            path, content = FIRST_FILE
            tree = {path: self._store(content)}
            self._commit(state, "refs/heads/main", None, "initial commit", tree)

    def read(self) -> dict[str, Any]:
        """Return refs and commits."""
        state: dict[str, Any] = json.loads((self.folder / "state.json").read_text())
        return state

    def resolve(self, revision: str) -> str | None:
        """Return the commit that a branch, pull request or commit stands for."""
        state = self.read()
        found = state["refs"].get(revision) or state["refs"].get(f"refs/heads/{revision}")
        return found or (revision if revision in state["commits"] else None)

    def tree(self, commit: str) -> Tree:
        tree: Tree = self.read()["commits"][commit]["tree"]
        return tree

    def list_commits(self, commit: str | None) -> list[tuple[str, str]]:
        """Return name and title of a commit and of those before it."""
        commits, found = self.read()["commits"], []
        while commit:
            found.append((commit, commits[commit]["title"]))
            commit = commits[commit]["parent"]
        return found

    def describe(self, commit: str | None) -> str:
        """Return what a commit says below its title."""
        return str(self.read()["commits"][commit]["description"])

    def content(self, entry: dict[str, Any]) -> bytes:
        place = f"lfs/{entry['sha256']}" if entry["sha256"] else f"blobs/{entry['blob']}"
        return (self.folder / place).read_bytes()

    def branch(self, name: str, start: str) -> bool:
        """Make a branch; say whether it is new."""
        with self.lock:
            state = self.read()
            if f"refs/heads/{name}" in state["refs"]:
                return False
            state["refs"][f"refs/heads/{name}"] = start
            self._write_state(state)
            return True

    def has_lfs(self, sha256: str) -> bool:
        return (self.folder / "lfs" / sha256).is_file()

    def store_lfs(self, sha256: str, content: bytes) -> bool:
        """Keep a large file; say whether it is what its name says."""
        if hashlib.sha256(content).hexdigest() != sha256:
            return False
        self._write(f"lfs/{sha256}", content)
        return True

    def commit(
        self,
        revision: str,
        parent: str | None,
        title: str,
        changes: list[tuple[str, str, Any]],
        *,
        create_pr: bool,
        description: str = "",
    ) -> tuple[str, str | None]:
        """Apply `(operation, path, value)`s; return the commit and a new pull request's ref."""
        with self.lock:
            head = self.resolve(revision)
            assert head
            if parent is not None and parent != head:
                raise ConflictError
            state = self.read()
            tree = dict(state["commits"][head]["tree"])
            for operation, path, value in changes:
                if operation == "remove":
                    del tree[path]
                elif operation == "lfs":
                    tree[path] = value
                else:
                    tree[path] = self._store(value)
            ref = revision if revision.startswith("refs/") else f"refs/heads/{revision}"
            if create_pr:
                number = 1 + sum(each.startswith("refs/pr/") for each in state["refs"])
                ref = f"refs/pr/{number}"
            name = self._commit(state, ref, head, title, tree, description)
            return name, ref if create_pr else None

    def write(self, path: str, content: bytes | str, branch: str = "v1") -> str:
        """Commit one file; return the commit."""
        data = content.encode() if isinstance(content, str) else content
        return self.commit(branch, None, "one file", [("write", path, data)], create_pr=False)[0]

    def read_file(self, path: str, branch: str = "v1") -> bytes:
        return self.content(self.tree(self.resolve(branch) or "")[path])

    def _store(self, content: bytes) -> dict[str, Any]:
        name = blob_id(content)
        self._write(f"blobs/{name}", content)
        return {"blob": name, "sha256": None, "size": len(content)}

    def _commit(
        self,
        state: dict[str, Any],
        ref: str,
        parent: str | None,
        title: str,
        tree: Tree,
        description: str = "",
    ) -> str:
        made = {"parent": parent, "title": title, "description": description, "tree": tree}
        name = hashlib.sha1(json.dumps(made, sort_keys=True).encode()).hexdigest()
        state["commits"][name] = made
        state["refs"][ref] = name
        self._write_state(state)
        return name

    def _write_state(self, state: dict[str, Any]) -> None:
        self._write("state.json", json.dumps(state).encode())

    def _write(self, path: str, content: bytes) -> None:
        # In one step: another request may be reading the file.
        with NamedTemporaryFile(dir=self.folder, delete=False) as temporary:
            temporary.write(content)
        Path(temporary.name).replace(self.folder / path)

    def summarize(self) -> dict[str, dict[str, str]]:
        """Return the content of every branch and pull request, without its history."""
        state = self.read()
        return {
            ref: {
                path: entry["sha256"] or entry["blob"]
                for path, entry in state["commits"][commit]["tree"].items()
            }
            for ref, commit in state["refs"].items()
        }


class Repositories:
    """All repositories of a server."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._locks: dict[str, threading.Lock] = {}

    def get(self, repo_id: str, kind: str = "kernels") -> Repository:
        """Return a repository, which need not exist."""
        place = repo_id if kind == "kernels" else f"{kind}/{repo_id}"
        lock = self._locks.setdefault(place, threading.Lock())
        return Repository(self.root / place, lock)
