"""A kernel with a real compiler, from three empty builders over a cache to an empty machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.derivation import closure_of, read_derivation
from tests.distributed.cache import Cache
from tests.distributed.machine import Machine, Sshd, builders
from tests.evaluation import FEATURES, realise, run_nix
from tests.tiny_kernel import FLAKE, TinyKernel

PARTS = 4
BUILD = f"""\
[general]
name = "spread"
version = 1
edition = 5
license = "mit"
backends = ["cpu"]

[tvm-ffi]
src = ["tvm-ffi-ext/binding.cpp"]

[kernel.parts]
backend = "cpu"
depends = []
src = [{", ".join(f'"parts/part{number}.cpp"' for number in range(PARTS))}]
"""
BINDING = """\
#include <tvm/ffi/function.h>
int part0();
int answer() { return part0(); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(answer, answer);
"""


def write_kernel(folder: Path) -> Path:
    """Write a kernel whose import is not checked: that would take Torch along to each machine."""
    files = {f"parts/part{number}.cpp": part(number) for number in range(PARTS)}
    files |= {"build.toml": BUILD, "tvm-ffi-ext/binding.cpp": BINDING}
    files |= {"tvm-ffi-ext/spread/__init__.py": "from ._ops import ops\n"}
    files |= {"flake.nix": FLAKE.replace("path = ./.;", "path = ./.; doGetKernelCheck = false;")}
    return TinyKernel(folder, files).folder


def part(number: int, answer: int = 42) -> str:
    return f"int part{number}() {{ return {answer}; }}\n"


def find_tools(kernel: Path) -> list[str]:
    """Return what the kernel's own steps use, in this machine's own store."""
    asked = ("eval", "--raw", "--no-write-lock-file", f"path:{kernel}#bundle.drvPath")
    drv = run_nix("nix", *asked)
    own = [each for each in closure_of(drv) if each.name.startswith("spread")]
    paths = {each.path for each in own}
    used = {path for each in own for path in each.inputs if path not in paths}
    realise(*used)
    return [
        read_derivation(path).outputs[output]
        for each in own
        for path, outputs in each.inputs.items()
        if path in used
        for output in outputs
    ]


def compiled(said: str) -> list[str]:
    """Return the units of which a build has said that they are compiled."""
    return sorted(re.findall(r"^building spread-\S*-(\w+)\.cpp\.o ", said, re.MULTILINE))


def test_from_three_builders_to_a_second_machine(
    coordinator: Machine,
    three: list[Machine],
    machine: Callable[..., Machine],
    sshd: Sshd,
    cache: Cache,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    kernel = write_kernel(tmp_path / "spread")
    tools = find_tools(kernel)
    run_nix("nix", "copy", "--no-check-sigs", "--to", coordinator.store, *tools)

    # The tools, before there is anything else.
    argv = ("nix", *FEATURES, "copy", "--no-check-sigs", "--to", cache.signed, *tools)
    coordinator.run(*argv)

    # Builders get them from there, and not from who asks.
    for each in three:
        each.set(**cache.settings)
        sshd.lead_to(each)
    options = (*builders(*three), "--option", "builders-use-substitutes", "true")
    report, said = coordinator.build(kernel, *options)
    assert compiled(said) == ["binding", *(f"part{number}" for number in range(PARTS))]
    assert "here" not in report["built"]
    (gcc,) = {path for path in tools if "-toolchain-gcc-" in path}
    argv = ("nix", *FEATURES, "path-info", "--json", gcc)
    used = [each for each in three if f"ssh-ng://{each.name}" in report["built"]]
    assert all('"team-1:' in each.run(*argv) for each in used if each.has(gcc))
    record_property("table: steps built", ("builder", "steps"))
    for place, count in report["built"].items():
        record_property("table: steps built", (place, count))

    pushed, _ = coordinator.push(kernel, cache.signed)
    assert pushed["sent"] > PARTS
    assert not set(tools) - set(coordinator.run("nix-store", "-qR", pushed["contents"]).split())

    # Nothing is compiled twice.
    second = machine("second")
    second.set(**cache.settings)
    report, said = second.build(kernel)
    assert report["built"] == {}
    assert compiled(said) == []
    (kernel / "parts/part0.cpp").write_text(part(0, answer=43))
    report, said = second.build(kernel)
    assert compiled(said) == ["part0"]
    assert "warning" not in said
