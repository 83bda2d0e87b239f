"""Backends of a machine are known from files of its kernel and its drivers."""

import os
import subprocess
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kernel_builder.authoring import shells
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import Problem, UsageError
from kernel_builder.nix.errors import NixError
from kernel_builder.variants import default
from kernel_builder.variants.default import VARIABLE, choose_variants, find_devices
from kernel_builder.variants.make import AbsentError
from tests.evaluation import ROOT, evaluate, path_of
from tests.tiny_kernel import write_files

# The script that runs a kernel's tests looks by itself, since it has no Python.
SCRIPT = ROOT / "pkgs" / "author" / "choose-program" / "choose.sh"
PROGRAM = {"kernel": "k", "program": "ci-test", "folder": "tests", "output": "ciTests"}
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
    return write_files(tmp_path, request.param)


with_machines = pytest.mark.parametrize(
    ("root", "device"), MACHINES.values(), ids=MACHINES, indirect=["root"]
)


def presence(root: Path) -> str:
    """Return what shells ask, of a machine with its files in a folder."""
    text = str(evaluate(f"(import {path_of(ROOT / 'lib')}).outputs.presence.script"))
    for folder in ("/dev/", "/usr/", "/etc/", "/sys/"):
        text = text.replace(f" {folder}", f" {root}{folder}")
    return text


@with_machines
def test_devices(root: Path, device: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert find_devices(presence(root), LOOKED_FOR) == [device] * bool(device)
    # The script of the tests sees the same.
    text = presence(root) + SCRIPT.read_text()
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
        **PROGRAM,
        "candidates": f"{backend} name build test",
        "untested": "",
    }
    done = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, check=False)
    assert done.returncode in (69, 9), done.stderr
    return done.returncode == 9


@pytest.mark.parametrize(
    ("candidates", "untested", "found"),
    [
        ("cuda name build test", "", "none of: cuda"),
        ("cuda name build test", "rocm: it's old", "none of: cuda\n{}rocm: it's old"),
        ("", "", "no variant for this system"),
        ("", "rocm: r\nxpu: x", "no variant whose Torch can be imported\n{}rocm: r\n{}xpu: x"),
    ],
)
def test_the_script_says_why_nothing_is_tested(
    candidates: str, untested: str, found: str, tmp_path: Path
) -> None:
    environment = {"PATH": os.defpath, **PROGRAM, "candidates": candidates, "untested": untested}
    argv = ["sh", "-c", presence(tmp_path) + SCRIPT.read_text()]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 69
    said = done.stderr.partition("found  ")[2].partition("       want")[0]
    assert said == found.replace("{}", f"{'':14}no tests for ") + "\n"


@pytest.mark.parametrize("name", ["Darwin", "Linux"])
def test_metal_is_a_mac(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, programs: Any, name: str
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    script = presence(tmp_path)
    monkeypatch.setenv("PATH", programs(["sh"], {"uname": f"#!/bin/sh\necho {name}\n"}))
    assert find_devices(script, ["metal"]) == ["metal"] * (name == "Darwin")


def test_the_variable_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "rocm")
    assert find_devices(presence(Path("/")), ["cpu", "rocm", "xpu"]) == ["rocm"]


@pytest.mark.parametrize(
    ("devices", "chosen"), [(["cuda"], "b-cuda"), (["xpu"], "a-cpu"), ([], "a-cpu")]
)
def test_a_shell_takes_the_variant_of_a_device_that_is_there(
    devices: list[str], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = [
        {"name": f"{letter}-{backend}", "backend": backend}
        for letter, backend in (("a", "cpu"), ("b", "cuda"), ("c", "cuda"))
    ]

    def evaluate(attribute: str, apply: str) -> Any:
        if attribute == "forMachine":
            # The values of the first variants, of which one could not be evaluated.
            values = {"a-cpu": "value of a", "b-cuda": None}
            return {"variants": offered, "selected": values, "script": "script"}
        return [] if attribute == "manifest" else f"{attribute} by {apply}"

    kernel = SimpleNamespace(evaluate=evaluate, folder=Path("k"), warn_of_notes=lambda: None)
    monkeypatch.setattr(default, "find_devices", lambda *_: devices)
    choose = partial(choose_variants, cast("Any", kernel), output="devShells", select="f")
    names = [name for name, _ in choose(variant=None)]
    assert (names[0], {*names}) == (chosen, {"a-cpu", "b-cuda", "c-cuda"})
    assert dict(choose(variant=None)) == {
        "a-cpu": "value of a",
        **{name: f'devShells by of: (f) of "{name}"' for name in ("b-cuda", "c-cuda")},
    }
    assert [*choose(variant="a-cpu")] == [("a-cpu", "value of a")]
    with pytest.raises(UsageError):
        next(choose(variant="d-cuda"))


def test_an_older_library_has_other_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    def evaluate(attribute: str, _apply: str | None = None) -> Any:
        if attribute == "forMachine":
            raise NixError("flake 'k' does not provide attribute 'forMachine'")
        return [{"name": "a-cpu", "backend": "cpu"}] if attribute == "authorVariants" else "value"

    kernel = SimpleNamespace(evaluate=evaluate, folder=Path("k"), warn_of_notes=lambda: None)
    monkeypatch.setattr(default, "evaluate_library", lambda _: presence(Path("/")))
    chosen = choose_variants(cast("Any", kernel), None, "devShells", "f")
    assert [*chosen] == [("a-cpu", "value")]


def test_a_shell_takes_another_torch_before_another_variant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "build.toml").write_text("")
    torches = [{"torch": torch, "wheel": f"wheel of {torch}"} for torch in ("2.15", "2.14", "2.13")]
    offered = [{"name": "a-cpu", "backend": "cpu", "torches": torches}, {"name": "b-cpu"}]

    class Stub(Kernel):
        def evaluate(self, attribute: str, apply: str | None = None) -> Any:  # noqa: ARG002
            found = {"variants": offered[:1], "selected": {"a-cpu": "own"}, "script": ""}
            answers = {"forMachine": found, "authorVariants": offered}
            return answers.get(attribute, self._lacking)

    def make_path(outline: str, headline: str) -> str:
        # The outline is what Nix would get: the releases to do without.
        lost = torches[outline.count('"2.')]
        if lost["torch"] == "2.13":
            return "/shell"
        refused = [Problem("", f"no {lost['wheel']}", "", "")]
        raise AbsentError(headline, refused, {lost["wheel"]})

    entered: list[str] = []
    monkeypatch.setattr(shells, "make_path", make_path)
    monkeypatch.setattr(shells, "replace", lambda argv: entered.append(argv[0]))
    monkeypatch.chdir(tmp_path)
    shells.enter_shell(Stub(tmp_path), "devShells", None, None, ["true"])
    assert entered == ["/shell/bin/enter"]
