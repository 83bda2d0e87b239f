"""A kernel for macOS, built on x86_64 Linux: its load commands, and what is refused."""

from pathlib import Path

import pytest

from tests.derivation import closure_of, named
from tests.evaluation import (
    ROOT,
    SYSTEM,
    build,
    build_again,
    evaluate,
    outputs_of,
    path_of,
    read_log,
)
from tests.tiny_kernel import BUILD, TinyKernel

TARGET = "aarch64-darwin"
NAME = f"torch213-cpu-{TARGET}"
METAL = f"torch213-metal-{TARGET}"
MODULE_OF_CXX = """\
#include <stdexcept>
#include "answer.h"
#include "number.h"
int64_t answer() {
  if (NUMBER < 0) throw std::runtime_error("negative");
  return NUMBER;
}
"""

pytestmark = pytest.mark.skipif(
    SYSTEM != "x86_64-linux", reason=f"x86_64-linux is what builds for {TARGET}"
)


def cross(folder: Path) -> str:
    return f"({outputs_of(folder)}).cross.{TARGET}"


def test_a_machine_with_arm_has_a_compiler_of_its_own(tmp_path: Path) -> None:
    # Only instantiated: no such machine was there.
    outputs = outputs_of(TinyKernel(tmp_path / "tiny").folder, system="aarch64-linux")
    drv = evaluate(f"({outputs}).cross.{TARGET}.redistributable.{NAME}.drvPath")
    (clang,) = {made.name for made in closure_of(drv) if made.name.startswith("clang-22_")}
    assert clang.endswith("_arm64.deb")


@pytest.fixture(scope="module")
def derivation(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The variant of a kernel that throws an exception of the C++ library, built."""
    kernel = TinyKernel(tmp_path_factory.mktemp("mac"), {"answer/answer.cpp": MODULE_OF_CXX})
    drv = str(evaluate(f"{cross(kernel.folder)}.redistributable.{NAME}.drvPath"))
    build(drv)
    return drv


def test_every_step_runs_on_linux(derivation: str) -> None:
    systems = {item.system for item in closure_of(derivation)} - {"builtin"}
    assert systems == {SYSTEM}
    assert not any(item.env.get("__noChroot") for item in closure_of(derivation))


def test_the_abi_check_reads_its_load_commands(derivation: str) -> None:
    """tests/compliance/test_macos.py has libraries that this check refuses, as those for Intel."""
    rows = [line.split() for line in read_log(named(derivation, "-abi-check").path).splitlines()]
    allowed = evaluate(f"(import {path_of(ROOT / 'lib')}).backends.all.cpu.checks.macos")
    assert ["macOS", allowed, allowed] in rows
    assert ["run", "path", "@loader_path/lib", "@loader_path"] in rows
    assert [row[1] for row in rows if row[:1] == ["library"]] == [
        "@rpath/libtorch_cpu.dylib",
        "@rpath/libc10.dylib",
        "/usr/lib/libc++.1.dylib",
        "/usr/lib/libSystem.B.dylib",
    ]
    assert [row[2] for row in rows if row[:1] == ["exports"]] == ["PyInit_*"]


def test_it_is_not_imported(derivation: str) -> None:
    checks = {item.name for item in closure_of(derivation) if item.name.endswith("-check")}
    assert not any(name.endswith("-get-kernel-check") for name in checks)


def test_two_builds_give_the_same_bytes(derivation: str) -> None:
    steps = [
        item.path
        for item in closure_of(derivation)
        if item.name.startswith("tiny-") and item.name.endswith((".o", "-extension"))
    ]
    assert len(steps) == 3
    build_again(*steps)


def test_symbols_of_templates_are_named_as_in_torch(tmp_path: Path) -> None:
    source = """\
#include <type_traits>
#include "answer.h"
template <typename T, std::enable_if_t<!std::is_const_v<T>, int> = 0> const T *data();
int64_t answer() { return *data<float>(); }
"""
    tiny = TinyKernel(tmp_path / "tiny", {"answer/answer.cpp": source})
    drv = str(evaluate(f"{cross(tiny.folder)}.redistributable.{NAME}.drvPath"))
    assert b"__Z4dataIfLi0EEPKT_v" in build(named(drv, "answer.cpp.o").path).read_bytes()


def test_what_only_xcode_compiles_is_left_out_with_the_reason(tmp_path: Path) -> None:
    changed = BUILD.replace('["cpu"]', '["cpu", "metal"]') + (
        '\n[kernel.load]\nbackend = "metal"\ndepends = ["torch"]\nsrc = ["load/load.mm"]\n'
    )
    tiny = TinyKernel(tmp_path / "tiny", {"build.toml": changed, "load/load.mm": ""})
    found = {each["name"]: each for each in evaluate(f"({cross(tiny.folder)}).manifest.variants")}
    assert "only Xcode on a Mac has" in found[METAL]["unavailable"]
    assert "never loaded on a Mac" in found[NAME]["notImported"]
    on_a_mac = evaluate(f"({outputs_of(tiny.folder, system=TARGET)}).manifest.variants")
    assert not any(each.get("unavailable") or each.get("notImported") for each in on_a_mac)
