"""Which backends a machine has: what its kernel and its drivers leave in the file system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernel_builder.machine import devices as machine
from kernel_builder.machine.devices import DEVICES, VARIABLE, has_device
from tests.evaluation import ROOT, evaluate, path_of

# The script that runs a kernel's tests looks by itself, since it has no Python.
SCRIPT = ROOT / "pkgs" / "author" / "choose-tests" / "ci-test.sh"
VENDOR = "sys/class/drm/renderD{}/device/vendor"

# Files of a machine with what is in them, and the device that they stand for.
MACHINES = {
    "nothing": ({}, None),
    "NVIDIA": ({"dev/nvidiactl": ""}, "cuda"),
    "NVIDIA in WSL": ({"usr/lib/wsl/lib/libcuda.so.1": ""}, "cuda"),
    "NVIDIA Jetson": ({"etc/nv_tegra_release": ""}, "cuda"),
    "AMD": ({"dev/kfd": ""}, "rocm"),
    "Intel": ({VENDOR.format(128): "0x8086\n"}, "xpu"),
    "Intel as the second": (
        {VENDOR.format(128): "0x1002\n", VENDOR.format(129): "0x8086\n"},
        "xpu",
    ),
    "a screen of somebody else": ({VENDOR.format(128): "0x10de\n"}, None),
}
LOOKED_FOR = ("cuda", "rocm", "xpu")


@pytest.fixture
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a folder with the files of a machine."""
    for name, text in request.param.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


with_machines = pytest.mark.parametrize(
    ("root", "device"), MACHINES.values(), ids=MACHINES, indirect=["root"]
)


@with_machines
def test_devices(root: Path, device: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(machine, "Path", lambda name: root / name.lstrip("/"))
    assert [backend for backend in LOOKED_FOR if has_device(backend)] == [device] * bool(device)


@with_machines
def test_the_script_of_the_tests_sees_the_same(root: Path, device: str | None) -> None:
    text = evaluate(f"(import {path_of(ROOT / 'lib')}).presence.script") + SCRIPT.read_text()
    for folder in ("/dev/", "/usr/", "/etc/", "/sys/"):
        text = text.replace(f" {folder}", f" {root}{folder}")
    found = [backend for backend in LOOKED_FOR if _runs_tests_of(backend, text, root)]
    assert found == [device] * bool(device)


def _runs_tests_of(backend: str, script: str, folder: Path) -> bool:
    """Say whether the script gets as far as building tests, with a Nix that only fails."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "nix-store").write_text("#!/bin/sh\nexit 9\n")
    (programs / "nix-store").chmod(0o755)
    environment = {
        "PATH": f"{programs}:{os.defpath}",
        "TMPDIR": str(folder),
        "kernel": "k",
        "candidates": f"{backend} name build test",
    }
    done = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, check=False)
    assert done.returncode in (1, 9), done.stderr
    return done.returncode == 9


def test_every_machine_has_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert has_device("cpu")
    assert not has_device("quantum")


@pytest.mark.parametrize(("platform", "has_metal"), [("darwin", True), ("linux", False)])
def test_metal_is_a_mac(monkeypatch: pytest.MonkeyPatch, platform: str, has_metal: bool) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert has_device("metal") == has_metal


def test_the_variable_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "rocm")
    assert [backend for backend in DEVICES if has_device(backend)] == ["rocm"]
