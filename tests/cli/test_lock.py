"""`lock-pins`: pins from the real apt and the real pip, against a mirror and a folder of wheels."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lock.__main__ import add_system
from lock.pins import dump
from tests.cli.command_line import Cli
from tests.cli.debian_mirror import DebianMirror
from tests.cli.served import Server
from tests.cli.store import make_wheel


@pytest.fixture
def lock(offline: Cli) -> Cli:
    offline.module = "lock"
    return offline


def write(file: Path, data: Any) -> Path:
    file.write_text(json.dumps(data))
    return file


def deb_pin(file: str, version: str, content: bytes) -> dict[str, Any]:
    return {
        "file": file,
        "sha1": hashlib.sha1(content).hexdigest(),
        "sha256": hashlib.sha256(content).hexdigest(),
        "version": version,
    }


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")
def test_debs(lock: Cli, server: Server, tmp_path: Path, leftovers: Any) -> None:
    mirror = DebianMirror(server.root, server.url, tmp_path / "apt")
    lock.environment |= mirror.configure()
    mirror.put("kbtest-one", "1:1.0~rc1", b"one")
    mirror.put("kbtest-one", "1:1.0~rc1", b"one, arm", "arm64")
    mirror.put("kbtest-all", "2", b"all", "all")
    mirror.put("kbtest-x86", "3", b"x86")
    mirror.publish()
    want = ["kbtest-all", "kbtest-one", "kbtest-x86:amd64"]
    file = write(
        tmp_path / "pins.json",
        {"kind": "deb", "suite": "bookworm", "want": want, "pins": {"amd64": {}, "arm64": {}}},
    )
    done = lock.expect(0, str(file))
    everywhere = deb_pin("kbtest-all_2_all.deb", "2", b"all")
    assert json.loads(file.read_text()) == {
        "kind": "deb",
        "suite": "bookworm",
        "want": want,
        "pins": {
            "amd64": {
                "kbtest-all": everywhere,
                "kbtest-one": deb_pin("kbtest-one_1.0~rc1_amd64.deb", "1:1.0~rc1", b"one"),
                "kbtest-x86": deb_pin("kbtest-x86_3_amd64.deb", "3", b"x86"),
            },
            "arm64": {
                "kbtest-all": everywhere,
                "kbtest-one": deb_pin("kbtest-one_1.0~rc1_arm64.deb", "1:1.0~rc1", b"one, arm"),
            },
        },
    }
    assert done.stdout.splitlines()[0] == "amd64 kbtest-all none -> 2"
    assert leftovers() == []

    # Unchanged packages are not downloaded again: the pool is gone.
    before = file.read_text()
    assert before == dump(json.loads(before))
    shutil.rmtree(mirror.root / "pool")
    again = lock(str(file))
    assert (again.status, again.stdout) == (0, f"{file}: 0 changes\n")
    assert file.read_text() == before

    # One package that apt does not know leaves the file as it is.
    unknown = write(file, {**json.loads(before), "want": [*want, "kbtest-no"]})
    before = unknown.read_text()
    done = lock(str(unknown))
    assert (done.status, unknown.read_text()) == (1, before)
    assert "no kbtest-no in bookworm" in done.stderr


def put(
    folder: Path, project: str, version: str, *requires: str, tags: str = "py3-none-any"
) -> Any:
    file, content = make_wheel(project, version, requires=requires, tags=tags)
    (folder / file).write_bytes(content)
    return file, hashlib.sha256(content).hexdigest()


def test_wheels(lock: Cli, links: Path, tmp_path: Path, leftovers: Any) -> None:
    arm = 'kbtest-arm; platform_machine == "aarch64"'
    extra = 'kbtest-fast>=1; extra == "speed"'
    made = {
        "kbtest-top": put(
            links, "kbtest-top", "1", "kbtest_Lib[speed]>=1", arm, 'kbtest-no; extra == "x"'
        ),
        "kbtest-lib": put(links, "kbtest-lib", "1.5", extra, 'kbtest-win; os_name == "nt"'),
        "kbtest-fast": put(links, "kbtest-fast", "2"),
        "kbtest-arm": put(
            links, "kbtest-arm", "3", 'kbtest-late; python_version >= "3.9"',
            tags="cp311-cp311-manylinux_2_28_aarch64",
        ),
        "kbtest-late": put(links, "kbtest-late", "4"),
    }  # fmt: skip
    put(links, "kbtest-late", "3")
    put(links, "kbtest-arm", "3", tags="cp311-cp311-manylinux_2_28_x86_64")
    file = write(
        tmp_path / "pins.json",
        {
            "kind": "wheel",
            "python": "3.11",
            "want": ["kbtest-top"],
            "pins": {"aarch64-linux": {}, "x86_64-linux": {}},
        },
    )
    lock.expect(0, str(file))

    def pin(name: str, version: str, *depends: str) -> dict[str, Any]:
        wheel, sha256 = made[name]
        found = {"version": version, "file": wheel, "sha256": sha256}
        return {**found, "depends": list(depends)}

    common = {
        "kbtest-fast": pin("kbtest-fast", "2"),
        "kbtest-lib": pin("kbtest-lib", "1.5", "kbtest-fast"),
    }
    assert json.loads(file.read_text())["pins"] == {
        "x86_64-linux": {**common, "kbtest-top": pin("kbtest-top", "1", "kbtest-lib")},
        "aarch64-linux": {
            **common,
            "kbtest-arm": pin("kbtest-arm", "3", "kbtest-late"),
            "kbtest-late": pin("kbtest-late", "4"),
            "kbtest-top": pin("kbtest-top", "1", "kbtest-arm", "kbtest-lib"),
        },
    }
    assert leftovers() == []
    before = file.read_text()
    assert lock(str(file)).stdout == f"{file}: 0 changes\n"
    assert file.read_text() == before


def test_torch_is_not_pinned_because_something_needs_it(
    lock: Cli, links: Path, tmp_path: Path
) -> None:
    put(links, "kbtest-metrics", "1", "torch>=2", "kbtest-lib")
    put(links, "kbtest-lib", "1")
    put(links, "torch", "2.9.0", "kbtest-cuda")
    put(links, "kbtest-cuda", "1")
    pins: dict[str, Any] = {"x86_64-linux": {}}
    data = {"kind": "wheel", "python": "3.11", "want": ["kbtest-metrics"], "pins": pins}
    file = write(tmp_path / "pins.json", data)
    lock.expect(0, str(file))
    pinned = json.loads(file.read_text())["pins"]["x86_64-linux"]
    assert set(pinned) == {"kbtest-metrics", "kbtest-lib"}
    assert pinned["kbtest-metrics"]["depends"] == ["kbtest-lib"]

    write(file, {**data, "want": ["torch"]})
    assert lock(str(file)).status == 0
    pinned = json.loads(file.read_text())["pins"]["x86_64-linux"]
    assert set(pinned) == {"torch", "kbtest-cuda"}


def test_versions_are_kept_where_that_is_asked_for(lock: Cli, links: Path, tmp_path: Path) -> None:
    put(links, "kbtest-old", "1")
    pins: dict[str, Any] = {"x86_64-linux": {}}
    data = {"kind": "wheel", "python": "3.11", "want": ["kbtest-old"], "pins": pins}
    file = write(tmp_path / "pins.json", data)
    assert lock(str(file)).status == 0
    put(links, "kbtest-old", "2")
    put(links, "kbtest-new", "1", "kbtest-old")
    write(file, {**json.loads(file.read_text()), "want": ["kbtest-new", "kbtest-old"]})

    done = lock("--keep", str(file))
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout == f"x86_64-linux kbtest-new none -> 1\n{file}: 1 changes\n"
    assert "x86_64-linux kbtest-old 1 -> 2" in lock(str(file)).stdout


@pytest.mark.parametrize(("kind", "name"), [("deb", "arm64"), ("wheel", "aarch64-linux")])
def test_a_system_gets_an_entry(kind: str, name: str) -> None:
    data = {"kind": kind, "pins": {"old": {"pin": {}}}}
    assert add_system(data, "aarch64-linux")["pins"] == {name: {}, "old": {"pin": {}}}
    assert add_system({**data, "pins": {name: {"pin": {}}}}, "aarch64-linux")["pins"] == {
        name: {"pin": {}}
    }
