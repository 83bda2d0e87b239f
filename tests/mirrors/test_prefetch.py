"""`prefetch` of wheels through the real pip, and of files that have an address."""

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kernel_builder.mirrors.fetch import _measure
from kernel_builder.mirrors.wheels import find_pip
from tests.cli.command_line import Cli, Started, wait_for
from tests.cli.debian_mirror import DebianMirror
from tests.cli.served import Answer, Server, serve_with
from tests.cli.store import Store, make_wheel, put_wheels, wheel_source
from tests.install.fake_machine import write_program
from tests.mirrors.test_prefetch_deb import deb_source


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

    first = cli.expect(0, "prefetch", top)
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
    done = cli.expect(1, "prefetch", drv)
    start = "error: 1 of 1 missing sources cannot be had (1 problem)\n\n"
    assert done.stderr.startswith(f"{start}       at     {salt}.tar\n")
    assert "       found  hash mismatch in fixed-output derivation" in done.stderr
    assert f"want   {salt}.tar, sha256 {hashlib.sha256(wanted).hexdigest()}\n" in done.stderr
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
    done = cli.expect(1, "prefetch", *drvs)
    assert "error: 14 of 15 missing sources cannot be had (1 problem)\n" in done.stderr
    assert done.stderr.count("Couldn't connect to server") == 4
    assert done.stderr.count("and 2 more\n") == 1
    assert store.has(drvs[-1])


def test_unknown_kind(cli: Cli, store: Store, salt: str) -> None:
    drv = store.instantiate(store.source(salt, b"", sourceKind="tape", url="http://x.invalid"))
    done = cli.expect(1, "prefetch", drv)
    assert f'at     {drv}\n       found  sourceKind "tape"\n' in done.stderr


def test_arrives(offline: Cli, links: Path, store: Store, salt: str, leftovers: Any) -> None:
    wheels = (
        ("kbtest-one", "1.0", "py3-none-any"),
        ("kbtest-two", "2.0+cpu", "py2.py3-none-any"),
        ("kbtest-three", "3", "cp38-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64"),
        ("kbtest-four", "4", "cp311-cp311-manylinux_2_28_x86_64"),
        ("kbtest-five", "5", "py3-none-any"),
    )
    drvs = put_wheels(links, store, salt, wheels)
    offline.expect(0, "prefetch", *drvs)
    assert [store.has(drv) for drv in drvs] == [True] * 5
    assert leftovers() == []


def test_gone_and_others_arrive(offline: Cli, links: Path, store: Store, salt: str) -> None:
    (good,) = put_wheels(links, store, salt, [("kbtest-one", "1.0", "py3-none-any")])
    gone, other = make_wheel("kbtest-gone", "1.0", salt=salt)
    drv = wheel_source(store, gone, other)
    done = offline.expect(1, "prefetch", drv, good)
    assert f"       at     {gone}\n       found  pip does not get {gone}\n" in done.stderr
    assert "No matching distribution found for kbtest_gone==1.0\n" in done.stderr
    assert store.has(good)


def test_vendor_after_pip(offline: Cli, store: Store, server: Server, salt: str) -> None:
    file, content = make_wheel("kbtest-vendor", "1.0+cpu", salt=salt)
    url = server.put(file, content)
    drv = wheel_source(store, file, content, url=url)
    offline.expect(0, "prefetch", drv)
    assert store.has(drv)


def test_no_pip(offline: Cli, store: Store, salt: str) -> None:
    file, content = make_wheel("kbtest-one", "1.0", salt=salt)
    drv = wheel_source(store, file, content)
    done = offline.expect(1, "prefetch", drv, KERNEL_BUILDER_PIP="python3 -m pip")
    said = 'KERNEL_BUILDER_PIP is "python3 -m pip", which does not run: name the program alone'
    assert f"found  {said}\n" in done.stderr


@pytest.mark.parametrize(
    "variable", ["PIP_REQUIRE_VIRTUALENV", "PIP_CONSTRAINT", "PIP_CONFIG_FILE"]
)
def test_a_rule_about_installing_does_not_hold(
    offline: Cli, links: Path, store: Store, salt: str, tmp_path: Path, variable: str
) -> None:
    constraints, config = tmp_path / "constraints.txt", tmp_path / "pip.conf"
    constraints.write_text("kbtest-one<1\n")
    config.write_text(f"[global]\nconstraint = {constraints}\n")
    values = {"PIP_CONSTRAINT": str(constraints), "PIP_CONFIG_FILE": str(config)}
    (drv,) = put_wheels(links, store, salt, [("kbtest-one", "1.0", "py3-none-any")])
    done = offline("prefetch", drv, **{variable: values.get(variable, "1")})
    assert (done.status, store.has(drv)) == (0, True), done.stderr


def test_a_host_that_lied_once(cli: Cli, store: Store, server: Server, tmp_path: Path) -> None:
    """The second run finds the answers that pip has kept."""
    file, content = make_wheel("kbtest-one", "1.0", salt=str(tmp_path))
    cli.environment |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": f"{server.url}/simple",
        "PIP_FIND_LINKS": "",
        # pip caches nothing from other hosts without https://.
        "PIP_TRUSTED_HOST": "127.0.0.1",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_CACHE_DIR": str(tmp_path / "pip"),
    }
    server.put("simple/kbtest-one/index.html", f'<a href="/{file}">{file}</a>'.encode())
    drv = wheel_source(store, file, content)
    for lie in (content[::-1], content[:50], b"<html>Please log in to this network.</html>"):
        server.put(file, lie)
        assert (cli("prefetch", drv).status, store.has(drv)) == (1, False)
        server.put(file, content)
    assert cli("prefetch", drv).status == 0
    assert store.has(drv)


FILES = 12
# Only a test that fails waits so long.
PATIENCE = 60


class Gate(Answer):
    """Keeps everybody waiting until it is opened."""

    asked: ClassVar[list[str]] = []
    is_open = threading.Event()

    def do_GET(self) -> None:  # noqa: N802
        self.asked.append(self.path)
        self.is_open.wait(PATIENCE)
        with suppress(OSError):
            self.answer(self.path.strip("/").encode())


def wait_for_crowd() -> None:
    """Return when somebody waits, and nobody else comes."""
    before = -1
    while not Gate.asked or len(Gate.asked) != before:
        before = len(Gate.asked)
        time.sleep(0.5)


@pytest.fixture
def gate() -> Iterator[str]:
    Gate.asked.clear()
    Gate.is_open.clear()
    with serve_with(Gate) as url:
        yield url
        Gate.is_open.set()


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_what_has_not_begun_is_not_begun(
    cli: Cli, store: Store, gate: str, salt: str, leftovers: Any, word: signal.Signals
) -> None:
    names = [f"{salt}-{number}" for number in range(FILES)]
    sources = [
        store.instantiate(
            store.source(name, name.encode(), sourceKind="vendor", url=f"{gate}/{name}")
        )
        for name in names
    ]
    with Started(cli, "prefetch", *sources) as process:
        wait_for_crowd()
        process.send_signal(word)
        # Until then everybody waits: the order is not left to chance.
        _wait_for_its_programs(process)
        Gate.is_open.set()
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + word
    assert said.splitlines()[-1] == "error: interrupted; run it again to go on"
    assert len(Gate.asked) < FILES
    assert leftovers() == []

    # Files that had arrived are kept, and the rest can be fetched.
    assert cli("prefetch", *sources).status == 0
    assert all(store.has(source) for source in sources)


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")
def test_pip_and_apt_end_together(
    cli: Cli, store: Store, server: Server, gate: str, salt: str, tmp_path: Path, leftovers: Any
) -> None:
    cli.environment |= DebianMirror(server.root, gate, tmp_path / "apt").configure()
    cli.environment |= {"PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": f"{gate}/simple"}
    # It is a process between us and pip, as the launchers of version managers are.
    launcher, pip = tmp_path / "pip", find_pip()
    assert pip
    write_program(launcher, f'{shlex.join(pip)} "$@"\nexit $?')
    cli.environment["KERNEL_BUILDER_PIP"] = str(launcher)
    sources = []
    for number in range(FILES):
        file, content = make_wheel(f"kbtest-{number}", "1.0", salt=salt)
        sources.append(wheel_source(store, file, content))
        sources.append(deb_source(store, f"kbtest-{number}", "1.0-1", content))
    with Started(cli, "prefetch", "-v", *sources) as process:
        folders = {"simple", "dists"}
        wait_for(
            lambda: (
                process.poll() is not None or folders <= {path.split("/")[1] for path in Gate.asked}
            )
        )
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        # pip itself would wait for longer.
        _, said = process.communicate(timeout=12)
    assert process.returncode == 128 + signal.SIGINT
    assert said.splitlines()[-1] == "error: interrupted; run it again to go on"
    # Neither is started anew for each single file.
    assert said.count(" download ") <= 2
    assert leftovers() == []


def _wait_for_its_programs(process: subprocess.Popen[str]) -> None:
    """Return when the programs that it started have ended."""
    tasks = Path(f"/proc/{process.pid}/task")
    # A thread that ends takes its file along.
    with suppress(OSError):
        while any(path.read_text() for path in tasks.glob("*/children")):
            time.sleep(0.1)


def test_a_folder_may_vanish_while_it_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip removes its temporary folders, and that is no full disk."""
    for name in ("gone/below", "stays"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_text("12345")
    scan = os.scandir

    def scan_late(path: str) -> object:
        if Path(path).name == "gone" and Path(path).exists():
            subprocess.run(["rm", "-r", path], check=True)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scan_late)
    assert _measure(tmp_path) == 5
    assert _measure(tmp_path / "stays" / "file") == 5
