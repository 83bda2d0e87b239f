"""`prefetch` of Debian packages, through the real apt and a mirror on this machine."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli
from tests.cli.debian_mirror import DebianMirror
from tests.cli.served import Server
from tests.cli.store import Store, put_wheels

pytestmark = pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")


@pytest.fixture
def mirror(cli: Cli, server: Server, tmp_path: Path) -> DebianMirror:
    made = DebianMirror(server.root, server.url, tmp_path / "apt")
    cli.environment |= made.configure()
    return made


def deb_source(
    store: Store, package: str, version: str, content: bytes, architecture: str = "amd64",
    url: str = "", suite: str = "bookworm"
) -> str:  # fmt: skip
    name = f"{package}_{version.rpartition(':')[2].replace('~', '_')}_{architecture}.deb"
    more = {"url": url} if url else {}
    return store.instantiate(
        store.source(
            name,
            content,
            sourceKind="deb",
            package=package,
            version=version,
            architecture=architecture,
            suite=suite,
            **more,
        )
    )


def update(cli: Cli) -> None:
    environment = {**os.environ, **cli.environment}
    subprocess.run(["apt-get", "update"], env=environment, capture_output=True, check=True)


def test_arrives_without_lists(
    cli: Cli, mirror: DebianMirror, store: Store, salt: str, leftovers: Any
) -> None:
    packages = [
        ("kbtest-one", "1.0-1", "amd64"),
        ("kbtest-two", "1:2.0~rc1-1+b1", "amd64"),
        ("kbtest-all", "3", "all"),
        ("kbtest-arm", "1:4", "arm64"),
    ]
    drvs = []
    for package, version, architecture in packages:
        content = f"{salt}{package}".encode()
        mirror.put(package, version, content, architecture)
        drvs.append(deb_source(store, package, version, content, architecture))
    mirror.publish()
    cli.expect(0, "prefetch", *drvs)
    assert [store.has(drv) for drv in drvs] == [True] * 4
    assert leftovers() == []
    # The machine's own lists are as empty as before.
    assert not list((mirror.home / "lists").glob("*Packages*"))


def test_the_store_is_called_for_all_files_at_once(
    offline: Cli, mirror: DebianMirror, links: Path, store: Store, salt: str
) -> None:
    names = [f"kbtest-{number}" for number in range(5)]
    drvs = put_wheels(links, store, salt, [(name, "1.0", "py3-none-any") for name in names])
    for name in names:
        mirror.put(name, "1.0-1", f"{salt}{name}".encode(), "amd64")
        drvs.append(deb_source(store, name, "1.0-1", f"{salt}{name}".encode()))
    mirror.publish()
    done = offline.expect(0, "prefetch", "-v", *drvs)
    assert all(map(store.has, drvs))
    started = [line.split()[1:3] for line in done.stderr.splitlines() if line.startswith("+ ")]
    # Once for what came by pip and once for what came by apt, whatever their number.
    assert started.count(["nix-store", "--add-fixed"]) == 2
    assert started.count(["nix-store", "--check-validity"]) == 2


def test_lists_are_older_than_the_pin(
    cli: Cli, mirror: DebianMirror, store: Store, salt: str
) -> None:
    mirror.put("kbtest-one", "1.0", b"old")
    mirror.publish()
    update(cli)
    mirror.clear_lists()
    # Under this name only fresh lists lead to it.
    mirror.put("kbtest-one", "1.1", salt.encode(), file="unusual.deb")
    mirror.publish()
    drv = deb_source(store, "kbtest-one", "1.1", salt.encode())
    lists = {file: file.read_bytes() for file in (mirror.home / "lists").glob("*_*")}
    cli.expect(0, "prefetch", drv)
    # The machine's own stay as they were.
    assert lists
    assert lists == {file: file.read_bytes() for file in (mirror.home / "lists").glob("*_*")}


def test_a_version_that_only_the_pool_has(
    cli: Cli, mirror: DebianMirror, store: Store, salt: str
) -> None:
    mirror.put("kbtest-one", "1:1.0+b1", salt.encode(), listed=False)
    mirror.put("kbtest-one", "1:1.1", b"newer")
    mirror.publish()
    drv = deb_source(store, "kbtest-one", "1:1.0+b1", salt.encode())
    cli.expect(0, "prefetch", drv)


def test_replaced(cli: Cli, mirror: DebianMirror, store: Store, salt: str, dead_url: str) -> None:
    mirror.put("kbtest-one", "1.1", b"newer")
    # Only the lists know its place: what apt has saved is not asked for in the pool.
    mirror.put("kbtest-good", "1", salt.encode(), file="unusual.deb")
    mirror.put("kbtest-good", "2", b"newer")
    mirror.publish()
    good = deb_source(store, "kbtest-good", "1", salt.encode())
    drv = deb_source(store, "kbtest-one", "1.0", salt.encode(), url=f"{dead_url}/file/abc")
    done = cli.expect(1, "prefetch", drv, good)
    assert "       at     kbtest-one_1.0_amd64.deb\n" in done.stderr
    assert "apt says: E: Version '1.0' for 'kbtest-one' was not found\n" in done.stderr
    assert f"unable to download '{dead_url}/file/abc': " in done.stderr
    assert store.has(good)


def test_archive_after_apt(
    cli: Cli, mirror: DebianMirror, server: Server, store: Store, salt: str
) -> None:
    mirror.put("kbtest-one", "1.1", b"newer")
    mirror.publish()
    url = server.put("archive/abc", salt.encode())
    drv = deb_source(store, "kbtest-one", "1.0", salt.encode(), url=url)
    cli.expect(0, "prefetch", drv)
    assert store.has(drv)


def test_wrong_hash(cli: Cli, mirror: DebianMirror, store: Store, salt: str) -> None:
    mirror.put("kbtest-one", "1.0", b"something else")
    mirror.publish()
    drv = deb_source(store, "kbtest-one", "1.0", salt.encode())
    done = cli.expect(1, "prefetch", drv)
    found = hashlib.sha256(b"something else").hexdigest()
    assert f"       found  another file came under this name, sha256 {found}\n" in done.stderr
    assert not store.has(drv)


@pytest.mark.parametrize("suite", ["trixie", "trixie/non-free"])
def test_another_release(
    cli: Cli, mirror: DebianMirror, server: Server, store: Store, salt: str, tmp_path: Path,
    suite: str,
) -> None:  # fmt: skip
    # The machine lists bookworm alone, which has no package of that name; its mirror has more.
    mirror.put("kbtest-old", "1.0", b"bookworm's")
    mirror.publish()
    newer = DebianMirror(server.root, server.url, tmp_path / "other", suite=suite)
    newer.put("kbtest-new", "2.0", salt.encode())
    newer.publish()
    drv = deb_source(store, "kbtest-new", "2.0", salt.encode(), suite=suite)
    cli.expect(0, "prefetch", drv)
    assert store.has(drv)


def test_dead_mirror(cli: Cli, store: Store, salt: str, tmp_path: Path, dead_url: str) -> None:
    mirror = DebianMirror(tmp_path / "served", dead_url, tmp_path / "apt")
    cli.environment |= mirror.configure()
    drvs = [deb_source(store, f"kbtest-{n}", "1.0", salt.encode()) for n in range(2)]
    done = cli.expect(1, "prefetch", *drvs)
    assert "apt says: W: Failed to fetch" in done.stderr
    assert "(1 problem)" in done.stderr


def test_no_apt(cli: Cli, store: Store, salt: str, programs: Any) -> None:
    drv = deb_source(store, "kbtest-one", "1.0", salt.encode())
    done = cli.expect(1, "prefetch", drv, PATH=programs(["nix", "nix-store"]))
    assert "       found  there is no apt on this machine\n" in done.stderr
