"""The matrix, the pins of its Torch builds and toolkits, and the tables agree."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.evaluation import ROOT, SYSTEM, evaluate, path_of

TORCH = ROOT / "pkgs" / "torch"
PINS = json.loads((ROOT / "lib" / "matrix" / "torch-pins.json").read_text())
# Pins for kernels that add a row, each with the reason why the matrix has no such row.
WITHOUT_ROW = json.loads((ROOT / "docs" / "pins-without-row.json").read_text())
LOCKS = TORCH / "torch-wheel" / "locks"
TRITON = TORCH / "triton-beside" / "locks"
FIRST = "3.11"
# Python packages rather than headers.
FRAMEWORKS = {"torch", "tvm-ffi"}

ROWS = f"""
let lib = import {path_of(ROOT / "lib")}; in
map (row: {{
  inherit (row) backend toolkit system;
  build = row.torchBuild;
  # Whether the system is one that is built for, and code is compiled.
  isCompiled =
    builtins.elem row.system lib.platforms.systems.all
    && lib.backends.all.${{row.backend}}.languages != {{ }};
}}) (builtins.concatMap lib.matrix.row.readRow lib.matrix.torchBuilds.SELECTION)
"""


class Row(NamedTuple):
    """The sources that a row of the matrix needs."""

    build: str
    backend: str
    toolkit: str | None
    system: str
    isCompiled: bool  # noqa: N815  (as the data has it)


@cache
def rows(selection: str = "default") -> tuple[Row, ...]:
    """Return the rows of a selection with compiled code."""
    found = (Row(**data) for data in evaluate(ROWS.replace("SELECTION", selection)))
    return tuple(row for row in found if row.isCompiled)


@cache
def names(key: str) -> dict[str, Any]:
    """Return the entries that a key of build.toml may name."""
    return dict(evaluate(f"(import {path_of(ROOT / 'lib')}).config.dependencies.table.{key}"))


def needed() -> set[tuple[str, str]]:
    return {(row.build, row.system) for row in rows()}


def pinned() -> set[tuple[str, str]]:
    return {(build, system) for build, systems in PINS.items() for system in systems}


def test_every_row_has_a_pin_for_each_system() -> None:
    assert sorted(needed() - pinned()) == []


def test_every_pin_has_a_row_or_a_reason() -> None:
    rest = {(build, system) for build, system in pinned() - needed() if build not in WITHOUT_ROW}
    assert sorted(rest) == []


def test_a_reason_is_for_a_pin_without_a_row() -> None:
    builds = {row.build for row in rows()}
    assert sorted(build for build in WITHOUT_ROW if build not in PINS or build in builds) == []
    assert all(WITHOUT_ROW.values())


def read_locks(folder: Path) -> dict[tuple[str, str, str], Any]:
    """Return the pins of the lock files in a folder by Python, name and system.

    The folder itself has those for the first Python; each other Python has a folder in it.
    """
    return {
        (data["python"], file.name.removesuffix(".json"), system): pins
        for file in folder.rglob("*.json")
        for data in [json.loads(file.read_text())]
        for system, pins in data["pins"].items()
        if file.parent == (folder if data["python"] == FIRST else folder / data["python"])
    }


def python_of(build: str, system: str) -> str:
    return re.sub(r".*-cp3(\d+)-.*", r"3.\1", PINS[build][system]["file"])


def test_builds_from_registries_have_all_that_they_load() -> None:
    locked = {build for _, build, _ in read_locks(LOCKS)}
    loading = {row.build for row in rows("fromRegistries") if row.toolkit is not None}
    assert loading - locked == set()


def test_a_lock_is_of_the_wheel_that_is_pinned() -> None:
    locks = read_locks(LOCKS)
    assert len({(python, build) for python, build, _ in locks}) == len([*LOCKS.rglob("*.json")])
    for (python, build, system), pins in locks.items():
        assert python == python_of(build, system), build
        # A wheel that registries do not carry is not in the lock of what it loads.
        if "torch" in pins:
            assert pins["torch"]["sha256"] == PINS[build][system]["sha256"], build


def test_variants_for_tvm_ffi_are_called_as_what_is_pinned() -> None:
    pins = json.loads((ROOT / "pkgs/python/python-packages/pins.json").read_text())["pins"]
    versions = {pins[system]["apache-tvm-ffi"]["version"] for system in pins}
    label = evaluate(f"(import {path_of(ROOT / 'lib')}).frameworks.all.tvm-ffi.label {{ }}")
    assert {"".join(version.split(".")[:2]) for version in versions} == {label[len("tvm-ffi") :]}


def test_python_depends_are_pinned_where_kernels_are_imported() -> None:
    """The import check fails for a package without a pin."""
    depends = names("python-depends")
    imported: dict[str, set[str]] = {}
    for row in rows():
        imported.setdefault(row.system, set()).update({row.backend} & {"cpu", "cuda", "metal"})
    pins = json.loads((ROOT / "pkgs/python/python-packages/pins.json").read_text())["pins"]
    lacking = {
        (system, entry["project"])
        for system, backends in imported.items()
        for entry in depends.values()
        if entry["backends"] is None or backends & {*entry["backends"]}
        if entry["project"] not in pins[system]
    }
    assert (lacking, {*pins}) == (set(), {*imported})


def test_every_release_of_torch_has_its_triton() -> None:
    """This holds for CPU releases and for the one that a CUDA build brings."""
    tritons, locks = read_locks(TRITON), read_locks(LOCKS)
    for build, systems in PINS.items():
        # There is none for macOS.
        for system in {*systems} - {"aarch64-darwin"}:
            python = python_of(build, system)
            triton = tritons[python, build.partition("+")[0], system]
            brought = locks.get((python, build, system), triton)
            assert triton == {"triton": brought["triton"]}, build


def parse(release: str) -> list[int]:
    return [int(number) for number in release.split(".")]


@pytest.mark.parametrize("backend", ["cuda", "rocm", "xpu"])
def test_each_release_of_a_toolkit_has_a_row(backend: str) -> None:
    """A release of CUDA may be newer than every Torch, or take the Torch of another one."""
    releases = {file.stem for file in (ROOT / "backends" / backend / "releases").iterdir()}
    with_torch = {row.toolkit or "" for row in rows() if row.backend == backend}
    assert with_torch <= releases
    newest = max(map(parse, with_torch))
    ahead = {release for release in releases if parse(release) > newest and backend == "cuda"}
    guests = {"12.4"} if backend == "cuda" else set()
    assert releases - with_torch == ahead | guests


def test_whatever_a_kernel_may_depend_on_is_pinned() -> None:
    assert {name for name, entry in names("depends").items() if entry.get("pins")} == {
        *names("depends")
    } - FRAMEWORKS


def test_the_release_that_is_pinned_is_the_one_that_the_manual_tells() -> None:
    for name, entry in names("depends").items():
        for release in entry["pins"] if entry["version"] else []:
            # CUTLASS wheels have one more number in their versions.
            said = release.get("rev", "").removeprefix("v") or release["version"].removesuffix(".0")
            assert said == entry["version"], name


OF_TOOLKIT = f"""
let packages = (import {path_of(ROOT)}).packages.{SYSTEM};
in toolkit:
builtins.mapAttrs (_: headers: headers.source.url or headers.source.file)
  (packages.extend (_: _: {{ inherit toolkit; }})).dependencies
"""


def test_what_differs_between_toolkits_is_that_of_the_variant() -> None:
    def sycl(toolkit: str) -> str | None:
        address: str | None = evaluate(f'({OF_TOOLKIT}) "{toolkit}"').get("sycl_tla")
        return address

    assert sycl("2025.3") == "https://github.com/intel/sycl-tla/archive/v0.8.tar.gz"
    assert sycl("2026.0") == "https://github.com/intel/sycl-tla/archive/v0.9.2.tar.gz"
    # No release is pinned for this toolkit.
    assert sycl("2025.2") is None


def test_a_name_is_there_also_where_no_toolkit_is_chosen() -> None:
    assert set(evaluate(f"({OF_TOOLKIT}) null")) == {*names("depends")} - {"torch"}
