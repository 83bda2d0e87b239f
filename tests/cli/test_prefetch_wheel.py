"""`prefetch` of wheels, through the real pip and a folder of wheels."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.mirrors.wheels import pip_options
from tests.cli.command_line import Cli, python_argv
from tests.cli.served import Server
from tests.cli.store import Store
from tests.cli.wheel_file import make_wheel, put_wheels, wheel_source


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_pip(folder: Path) -> tuple[str, Path]:
    """Return pip, and the file to which it adds each of its command lines."""
    pip, calls = folder / "pip", folder / "calls"
    pip.write_text(f'#!/bin/sh\necho "$@" >>{calls}\nexec {sys.executable} -m pip "$@"\n')
    pip.chmod(0o755)
    return str(pip), calls


def test_arrives(offline: Cli, links: Path, store: Store, salt: str, leftovers: Any) -> None:
    wheels = (
        ("kbtest-one", "1.0", "py3-none-any"),
        ("kbtest-two", "2.0+cpu", "py2.py3-none-any"),
        ("kbtest-three", "3", "cp38-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64"),
        ("kbtest-four", "4", "cp311-cp311-manylinux_2_28_x86_64"),
        ("kbtest-five", "5", "py3-none-any"),
    )
    drvs = put_wheels(links, store, salt, wheels)
    done = offline("prefetch", *drvs)
    assert done.status == 0, done.stderr
    assert [store.has(drv) for drv in drvs] == [True] * 5
    assert leftovers() == []


def test_one_project_in_several_versions_and_for_several_systems(
    offline: Cli, links: Path, store: Store, salt: str
) -> None:
    wheels = (
        ("kbtest-one", "1.0", "cp311-cp311-manylinux_2_28_x86_64"),
        ("kbtest-one", "1.0", "cp311-cp311-manylinux_2_28_aarch64"),
        ("kbtest-one", "2.0", "cp311-cp311-manylinux_2_28_x86_64"),
        ("kbtest-two", "1.0", "cp311-cp311-manylinux_2_28_x86_64"),
        ("kbtest-two", "2.0", "cp313-cp313-manylinux_2_28_x86_64"),
        ("kbtest-six", "1.0", "py3-none-any"),
        ("kbtest-old", "1.0", "cp38-abi3-manylinux_2_17_x86_64"),
    )
    drvs = put_wheels(links, store, salt, wheels)
    done = offline("prefetch", *drvs)
    assert done.status == 0, done.stderr
    assert [store.has(drv) for drv in drvs] == [True] * len(drvs)


def test_gone_and_others_arrive(offline: Cli, links: Path, store: Store, salt: str) -> None:
    (good,) = put_wheels(links, store, salt, [("kbtest-one", "1.0", "py3-none-any")])
    gone, other = make_wheel("kbtest-gone", "1.0", salt=salt)
    drv = wheel_source(store, gone, other)
    done = offline("prefetch", drv, good)
    assert done.status == 1
    assert f"       at     {gone}\n       found  pip does not get it\n" in done.stderr
    assert "No matching distribution found for kbtest_gone==1.0\n" in done.stderr
    assert store.has(good)


def test_vendor_after_pip(offline: Cli, store: Store, server: Server, salt: str) -> None:
    file, content = make_wheel("kbtest-vendor", "1.0+cpu", salt=salt)
    url = server.put(file, content)
    drv = wheel_source(store, file, content, url=url)
    done = offline("prefetch", drv)
    assert done.status == 0, done.stderr
    assert store.has(drv)


def test_a_silent_index_has_limits(offline: Cli, links: Path, store: Store, salt: str) -> None:
    pip, calls = write_pip(links.parent)
    (good,) = put_wheels(links, store, salt, [("kbtest-one", "1.0", "py3-none-any")])
    gone = wheel_source(store, *make_wheel("kbtest-two", "1.0", salt=salt))
    assert offline("prefetch", good, gone, KERNEL_BUILDER_PIP=pip).status == 1
    assert store.has(good)
    downloads = [line for line in calls.read_text().splitlines() if "--require-hashes" in line]
    # Both at once, then each alone.
    limits = [re.findall(r"--(?:timeout|retries) \d", line) for line in downloads]
    both = ["--timeout 8", "--retries 1"]
    assert limits == [both, [*both, "--retries 0"], [*both, "--retries 0"]]


def test_dead_index_beside_a_folder(
    cli: Cli, links: Path, store: Store, dead_url: str, salt: str
) -> None:
    cli.environment |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": f"{dead_url}/simple",
        "PIP_FIND_LINKS": str(links),
        "PIP_EXTRA_INDEX_URL": "",
    }
    (good,) = put_wheels(links, store, salt, [("kbtest-one", "1.0", "py3-none-any")])
    bad = wheel_source(store, *make_wheel("kbtest-two", "1.0", salt=salt))
    assert cli("prefetch", good, bad).status == 1
    assert store.has(good)


def test_no_pip(offline: Cli, store: Store, salt: str) -> None:
    file, content = make_wheel("kbtest-one", "1.0", salt=salt)
    drv = wheel_source(store, file, content)
    done = offline("prefetch", drv, KERNEL_BUILDER_PIP="python3 -m pip")
    assert done.status == 1
    said = 'KERNEL_BUILDER_PIP is "python3 -m pip", which does not run: name the program alone'
    assert f"found  {said}\n" in done.stderr


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            "a-1-py3-none-any.whl",
            "--implementation py --python-version 3 --abi none --platform any",
        ),
        (
            "a-1-2-cp38-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
            "--implementation cp --python-version 3.8 --abi abi3"
            " --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64",
        ),
        (
            "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
            "--implementation cp --python-version 3.11 --abi cp311"
            " --platform manylinux_2_28_x86_64",
        ),
    ],
)
def test_options_for_tags(file: str, words: str) -> None:
    assert pip_options([file]) == words.split()


@pytest.mark.parametrize("file", ["a-1.tar.gz", "a-1-py3-none.whl", "a-1-2-3-py3-none-any.whl"])
def test_no_tags(file: str) -> None:
    with pytest.raises(ValueError, match="Invalid wheel filename"):
        pip_options([file])


def _can_mount() -> bool:
    if os.geteuid() != 0:
        return False
    argv = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _can_mount(), reason="a small disk needs root")
def test_no_space(offline: Cli, links: Path, store: Store, tmp_path: Path) -> None:
    large = os.urandom(200_000).hex()
    (drv,) = put_wheels(links, store, large, [("kbtest-large", "1", "py3-none-any")])
    small = tmp_path / "small"
    small.mkdir()
    script = f'mount -t tmpfs -o size=256k none "{small}" && exec "$@"'
    command = [*python_argv(), "prefetch", drv]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", *command],
        env={**os.environ, **offline.environment, "TMPDIR": str(small)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "       fix    free some space (TMPDIR moves the temporary files)" in done.stderr
    assert not store.has(drv)


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
