"""`prefetch` of trees that are pinned by their content, out of archives."""

import re
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli
from tests.cli.served import Server
from tests.cli.store import Store
from tests.evaluation import FEATURES, ROOT, call

URL = "/own/tiny/archive/v1.0.tar.gz"


@dataclass
class Tree:
    """A small tree, its hash, and a derivation that wants it from an address."""

    folder: Path
    hash: str
    store: Store

    def pack(self, archive: Path) -> bytes:
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive, "w:gz") as opened:
            opened.add(self.folder, "tiny-1.0")
        return archive.read_bytes()

    def wanted_from(self, host: str, mode: str = "recursive") -> str:
        """Return the path of the derivation."""
        expression = self.store.source(
            "source", b"", sourceKind="archive", outputHashMode=mode, outputHash=self.hash,
            file="tiny-1.0.tar.gz", url=f"{host}{URL}", owner="own", repo="tiny", rev="v1.0",
        )  # fmt: skip
        return self.store.instantiate(expression)


@pytest.fixture
def tree(tmp_path: Path, store: Store, salt: str) -> Tree:
    folder = tmp_path / "tree"
    (folder / "include").mkdir(parents=True)
    (folder / "include" / "tiny.h").write_text(f"// {salt}\n")
    (folder / "program").write_text("#!/bin/sh\n")
    (folder / "program").chmod(0o755)
    (folder / "link").symlink_to("include/tiny.h")
    argv = ["nix", *FEATURES, "hash", "path", str(folder)]
    done = call(*argv)
    return Tree(folder, done.stdout.strip(), store)


def put_archive(tree: Tree, place: Path) -> None:
    tree.pack(place / "tiny-1.0.tar.gz")


def put_archive_of_the_address(tree: Tree, place: Path) -> None:
    tree.pack(place / "v1.0.tar.gz")


def put_zip(tree: Tree, place: Path) -> None:
    place.mkdir()
    with zipfile.ZipFile(place / "tiny-1.0.zip", "w") as packed:
        for path in sorted(tree.folder.rglob("*")):
            # A link is kept as one, with where it leads as its content.
            entry = zipfile.ZipInfo(f"tiny-1.0/{path.relative_to(tree.folder)}")
            entry.external_attr = path.lstat().st_mode << 16
            if path.is_symlink():
                packed.writestr(entry, str(path.readlink()))
            elif path.is_file():
                packed.writestr(entry, path.read_bytes())


@pytest.mark.parametrize("put", [put_archive, put_archive_of_the_address])
def test_from_a_folder(
    put: Any, cli: Cli, tree: Tree, tmp_path: Path, dead_url: str, leftovers: Any
) -> None:
    put(tree, tmp_path / "place")
    drv = tree.wanted_from(dead_url)
    done = cli("prefetch", drv, "--archives", str(tmp_path / "place"))
    assert (done.status, done.stderr) == (
        0,
        "[1/1] fetched tiny-1.0.tar.gz\nfetched 1 sources; all that is needed is in the store\n",
    )
    assert tree.store.has(drv)
    assert leftovers() == []


def test_from_its_address(cli: Cli, tree: Tree, server: Server, tmp_path: Path) -> None:
    server.put(URL[1:], tree.pack(tmp_path / "packed"))
    drv = tree.wanted_from(server.url)
    assert cli("prefetch", drv).status == 0
    assert tree.store.has(drv)


def test_the_command_for_an_archive_that_nobody_has(
    cli: Cli, tree: Tree, dead_url: str, tmp_path: Path
) -> None:
    drv = tree.wanted_from(dead_url)
    done = cli.expect(1, "prefetch", drv, "--archives", str(tmp_path))
    assert f"found  {dead_url}{URL}: unable to download '{dead_url}{URL}': " in done.stderr
    start = f"fetch {dead_url}{URL} elsewhere, bring it here, and run "
    (command,) = re.findall(rf"{re.escape(start)}(.*), or prefetch", done.stderr)
    tree.pack(tmp_path / "tiny-1.0.tar.gz")
    subprocess.run(["sh", "-c", command], check=True, capture_output=True, cwd=tmp_path)
    assert tree.store.has(drv)


def test_another_tree(cli: Cli, tree: Tree, server: Server, tmp_path: Path, leftovers: Any) -> None:
    drv = tree.wanted_from(server.url)
    (tree.folder / "include" / "tiny.h").write_text("// another\n")
    place = tmp_path / "place"
    server.put(URL[1:], tree.pack(place / "tiny-1.0.tar.gz"))
    done = cli.expect(1, "prefetch", drv, "--archives", str(place))
    assert f"found  file://{place}/tiny-1.0.tar.gz: hash mismatch for " in done.stderr
    assert f"       {server.url}{URL}: hash mismatch for " in done.stderr
    assert not tree.store.has(drv)
    assert leftovers() == []


@pytest.mark.parametrize("put", [put_archive, put_zip])
def test_nix_alone_gets_the_same(put: Any, tree: Tree, server: Server, tmp_path: Path) -> None:
    """The derivation of `fetchArchive`, which downloads and unpacks in the sandbox."""
    put(tree, tmp_path / "place")
    (archive,) = (tmp_path / "place").iterdir()
    url = server.put(archive.name, archive.read_bytes())
    expression = (
        f"(import {ROOT}).packages.${{builtins.currentSystem}}.fetchArchive "
        f'{{ url = "{url}"; hash = "{tree.hash}"; }}'
    )
    drv = tree.store.instantiate(expression)
    call("nix-store", "--realise", drv)
    assert tree.store.outputs(drv) == tree.store.outputs(tree.wanted_from("http://elsewhere"))
