"""`prefetch` of files that have an address, against a server on this machine."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from typing import Any

from tests.cli.command_line import Cli
from tests.cli.served import Server
from tests.cli.store import Store


def sri(content: bytes) -> str:
    """Return a hash as Nix names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_arrives_and_is_not_fetched_again(
    cli: Cli, store: Store, server: Server, salt: str, leftovers: Any
) -> None:
    content = salt.encode()
    url = server.put("a%20file", content)
    # The server decodes the address; the name in the store differs from the one in it.
    server.put("a file", content)
    source = store.source(f"{salt}.tar", content, sourceKind="vendor", url=url)
    top = store.instantiate(
        f'derivation {{ name = "{salt}-top"; system = "x"; builder = "x"; src = {source}; }}'
    )
    below = store.instantiate(source)

    first = cli("prefetch", top)
    assert first.status == 0, first.stderr
    assert first.stderr == (
        f"[1/1] fetched {salt}.tar\nfetched 1 sources; all that is needed is in the store\n"
    )
    assert store.has(below)
    assert leftovers() == []

    (server.root / "a file").unlink()
    second = cli("prefetch", top)
    assert (second.status, second.stderr) == (0, "all that is needed is in the store\n")


def test_wrong_hash(cli: Cli, store: Store, server: Server, salt: str, leftovers: Any) -> None:
    url = server.put("f", b"something else")
    wanted = salt.encode()
    drv = store.instantiate(store.source(f"{salt}.tar", wanted, sourceKind="vendor", url=url))
    done = cli("prefetch", drv)
    assert done.status == 1
    start = "error: 1 of 1 missing sources cannot be had (1 problem)\n\n"
    assert done.stderr.startswith(f"{start}       at     {salt}.tar\n")
    assert "       found  hash mismatch in fixed-output derivation" in done.stderr
    assert sri(b"something else") in done.stderr
    assert f"       want   {salt}.tar, sha256 {sha256(wanted)}\n" in done.stderr
    assert "       fix    do not use that file; if it was replaced on purpose" in done.stderr
    assert not store.has(drv)
    assert leftovers() == []


def test_others_still_arrive(
    cli: Cli, store: Store, server: Server, dead_url: str, salt: str
) -> None:
    good = store.source(f"{salt}-good", salt.encode(), sourceKind="vendor",
                        url=server.put("good", salt.encode()))  # fmt: skip
    bad = [
        store.source(f"{salt}-{n}", b"", sourceKind="vendor", url=f"{dead_url}/{n}")
        for n in range(14)
    ]
    drvs = [store.instantiate(each) for each in [*bad, good]]
    done = cli("prefetch", *drvs)
    assert done.status == 1
    assert "error: 14 of 15 missing sources cannot be had (1 problem)\n" in done.stderr
    assert done.stderr.count("Couldn't connect to server") == 4
    assert done.stderr.count("and 2 more\n") == 1
    assert store.has(drvs[-1])


def test_unknown_kind(cli: Cli, store: Store, salt: str) -> None:
    drv = store.instantiate(store.source(salt, b"", sourceKind="tape", url="http://x.invalid"))
    done = cli("prefetch", drv)
    assert done.status == 1
    assert (
        done.stderr
        == f"""\
error: the coordinates of a source cannot be read (1 problem)

       at     {drv}
       found  sourceKind "tape"
       want   one of archive, deb, kernel, vendor, wheel
       fix    use fetchArchive, fetchDeb, fetchKernel, fetchVendor or fetchWheel, which set the \
fields; or update kernel-builder. Do not build a stranger's kernel that does this
"""
    )


def test_nix_needs_no_network_afterwards(cli: Cli, store: Store, server: Server, salt: str) -> None:
    content = salt.encode()
    source = store.source(
        salt, content, sourceKind="vendor", url=server.put("f", content), urls=f"{server.url}/f"
    )
    drv = store.instantiate(source)
    assert cli("prefetch", drv).status == 0
    (server.root / "f").unlink()
    done = subprocess.run(
        ["nix-store", "--realise", drv], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
