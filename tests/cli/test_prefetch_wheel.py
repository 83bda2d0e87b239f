"""`prefetch` of wheels, through the real pip and a folder of wheels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli
from tests.cli.served import Server
from tests.cli.store import Store
from tests.cli.wheel_file import make_wheel, put_wheels, wheel_source


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


def test_no_pip(offline: Cli, store: Store, salt: str) -> None:
    file, content = make_wheel("kbtest-one", "1.0", salt=salt)
    drv = wheel_source(store, file, content)
    done = offline("prefetch", drv, KERNEL_BUILDER_PIP="python3 -m pip")
    assert done.status == 1
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
