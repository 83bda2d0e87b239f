"""`add-torch` in a copy of the repository, with pip and a folder of made-up wheels."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Ran
from tests.cli.wheel_file import make_wheel
from tests.extending.copy import Copy

MATRIX = "lib/matrix/matrix.json"
PINS = "lib/matrix/torch-pins.json"
REASONS = "docs/pins-without-row.json"
LOCKS = "pkgs/torch/torch-wheel/locks"
TRITON = "pkgs/torch/triton-beside/locks"
LINUX = ("x86_64", "aarch64")
NEW = [
    '{"backend": "cpu", "bundle": true, "systems": ["aarch64-darwin"], '
    '"toolkit": null, "torch": "2.16.0"}',
    '{"backend": "cuda", "bundle": true, "systems": ["x86_64-linux", "aarch64-linux"], '
    '"toolkit": "13.2", "torch": "2.16.0"}',
    '{"backend": "metal", "bundle": true, "systems": ["aarch64-darwin"], '
    '"toolkit": null, "torch": "2.16.0"}',
]


@dataclass(frozen=True)
class Maintainer:
    """A copy of the repository, and a pip with a folder of wheels."""

    copy: Copy
    home: Path

    @property
    def links(self) -> Path:
        """The folder of wheels."""
        return self.home / "links"

    @property
    def mac(self) -> dict[str, str]:
        """The pin of the Torch for macOS."""
        (file,) = self.links.glob("torch-*-macosx_*.whl")
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        return {"file": file.name, "sha256": sha256, "version": file.name.split("-")[1]}

    def put(self, project: str, version: str, *requires: str, tags: str = "py3-none-any") -> Any:
        """Write a wheel and return its pin."""
        file, content = make_wheel(project, version, requires=requires, tags=tags)
        (self.links / file).write_bytes(content)
        sha256 = hashlib.sha256(content).hexdigest()
        return {"file": file, "sha256": sha256, "version": version}

    def publish(
        self, version: str, toolkit: str, python: str = "cp311", machines: tuple[str, ...] = LINUX
    ) -> dict[str, Any]:
        """Write a Torch, its dependencies and an older Torch; return the pins of the new one."""
        linux = 'platform_system == "Linux"'
        needs = (f"cuda-toolkit[cublas]=={toolkit}; {linux}", f"triton~=3.9.0; {linux}")
        tag = f"{python}-{python}"
        self.put("cuda-toolkit", toolkit, 'nvidia-cublas; extra == "cublas"')
        self.put("nvidia-cublas", "1")
        pins = {}
        for machine in machines:
            tags = f"{tag}-manylinux_2_28_{machine}"
            self.put("torch", "2.14.0", tags=tags)
            self.put("triton", "3.9.4", tags=tags)
            pins[f"{machine}-linux"] = self.put("torch", version, *needs, tags=tags)
        self.put("torch", version, *needs, tags=f"{tag}-macosx_14_0_arm64")
        return pins

    def add_torch(self, *words: str, **variables: str) -> Ran:
        """Run `add-torch` of the copy."""
        environment = {
            **os.environ,
            "PIP_CONFIG_FILE": "/dev/null",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.links),
            "PIP_EXTRA_INDEX_URL": "",
            "PIP_RETRIES": "0",
            "XDG_DATA_HOME": str(self.home),
            "TEST_PYTHON": sys.executable,
            **variables,
        }
        done = subprocess.run(
            [str(self.copy.root / "python/bin/add-torch"), *words],
            capture_output=True, text=True, check=False, env=environment,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    def read(self, name: str) -> Any:
        """Return a file of the copy."""
        return json.loads((self.copy.root / name).read_text())


@pytest.fixture
def maintainer(copy: Copy, tmp_path: Path) -> Maintainer:
    home = tmp_path / "home"
    (home / "links").mkdir(parents=True)
    python = home / "kernel-builder/venv/bin/python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return Maintainer(copy, home)


def test_the_newest(maintainer: Maintainer) -> None:
    pins = maintainer.publish("2.16.0", "13.2.2")
    copy = maintainer.copy
    held = {name: (copy.root / name).read_text() for name in (MATRIX, PINS)}
    done = maintainer.add_torch()
    assert done.status == 0, done.stderr
    files = [f"{LOCKS}/2.16.0+cu132.json", f"{TRITON}/2.16.0.json"]
    written = {name for name in copy.touched() if name.startswith(("README", "docs/", "tests/"))}
    assert copy.touched() - written == {MATRIX, PINS, *files}
    assert "docs/variants.md" in written
    row = "| 2.16 | cu132 | x86_64-linux, aarch64-linux | yes |"
    assert row in (copy.root / "docs/variants.md").read_text()

    rows = "".join(f",\n  {row}" for row in NEW)
    assert (copy.root / MATRIX).read_text() == held[MATRIX].replace("\n]\n", f"{rows}\n]\n")
    new = {"2.16.0+cu132": pins}
    new |= {f"2.16.0+{name}": {"aarch64-darwin": maintainer.mac} for name in ("cpu", "metal")}
    text = json.dumps({**json.loads(held[PINS]), **new}, indent=2, sort_keys=True)
    assert (copy.root / PINS).read_text() == f"{text}\n"
    loads, triton = map(maintainer.read, files)
    assert loads["want"] == ["torch===2.16.0"]
    assert set(loads["pins"]["aarch64-linux"]) == {
        "cuda-toolkit", "nvidia-cublas", "torch", "triton",
    }  # fmt: skip
    assert triton["want"] == ["triton===3.9.4"]
    copy.run_tests("graph/test_pins.py")

    _, _, rest = done.stdout.partition("\nleft to do by hand:\n")
    assert all(f"2.16.0+{compute}" in rest for compute in ("cpu", "cu126", "rocm72", "xpu20260"))
    assert "2.16.0+cu132" not in rest

    copy.commit()
    again = maintainer.add_torch()
    assert (again.status, again.stdout) == (0, "2.16.0+cu132: already there\n")
    assert copy.touched() == set()


def test_a_patch_release_has_a_reason(maintainer: Maintainer) -> None:
    pins = maintainer.publish("2.15.1", "13.2.2")
    done = maintainer.add_torch("2.15.1", "--no-renew")
    assert done.status == 0, done.stderr
    assert maintainer.copy.touched() == {PINS, REASONS, f"{TRITON}/2.15.1.json"}
    assert maintainer.read(PINS)["2.15.1+cu132"] == pins
    assert maintainer.read(REASONS)["2.15.1+cu132"].endswith("have the names of 2.15.0")
    maintainer.copy.run_tests("graph/test_pins.py")


def test_wheels_for_another_python_or_for_one_system_are_better_than_none(
    maintainer: Maintainer,
) -> None:
    maintainer.publish("2.16.0", "13.2.2", "cp313", ("x86_64",))
    done = maintainer.add_torch("--no-renew", "2.16.0")
    assert done.status == 0, done.stderr
    assert "\n- aarch64-linux: pip has no wheel for it\n" in done.stdout
    said = "\n- x86_64-linux: kernels are not imported, since this wheel is for 3.13\n"
    assert said in done.stdout

    pins = maintainer.publish("2.16.0", "13.2.2", "cp313")
    done = maintainer.add_torch("--no-renew", "2.16.0")
    assert done.status == 0, done.stderr
    assert maintainer.read(PINS)["2.16.0+cu132"] == pins
    assert maintainer.read(f"{LOCKS}/2.16.0+cu132.json")["python"] == "3.13"
    assert maintainer.read(MATRIX)[-3:] == [json.loads(row) for row in NEW]
    maintainer.copy.run_tests("graph/test_pins.py")


def error(at: str, found: str, want: str, fix: str, *, headline: str) -> str:
    fields = {"at": at, "found": found, "want": want, "fix": fix}
    lines = "".join(f"       {name:<7}{value}\n" for name, value in fields.items())
    return f"error: {headline} (1 problem)\n\n{lines}"


def test_a_toolkit_that_is_not_there(maintainer: Maintainer) -> None:
    maintainer.publish("2.16.0", "13.9.0")
    done = maintainer.add_torch("2.16.0")
    assert done.status == 1
    assert done.stderr.endswith(
        error(
            "CUDA 13.9, which its wheel is built with",
            "no lib/backends/cuda/releases/13.9.json",
            "a toolkit that is known",
            "add the toolkit first (docs/extending.md, A toolkit), and run this again",
            headline="the Torch cannot be added yet",
        )
    )
    assert maintainer.copy.touched() == set()


def test_a_torch_that_is_not_found(maintainer: Maintainer) -> None:
    maintainer.publish("2.16.0", "13.2.2", "cp310")
    done = maintainer.add_torch("2.16.0")
    assert done.status == 1
    assert "found  no torch===2.16.0 for CPython 3.11 or 3.13 on Linux\n" in done.stderr

    nowhere = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_FIND_LINKS": ""}
    done = maintainer.add_torch(**nowhere)
    assert done.status == 1
    assert "pip says: WARNING: Retrying" in done.stderr
    assert "Connection refused" in done.stderr

    done = maintainer.add_torch(KERNEL_BUILDER_PIP="/no/pip")
    assert done.status == 1
    assert "found  no pip\n" in done.stderr
    assert maintainer.copy.touched() == set()
