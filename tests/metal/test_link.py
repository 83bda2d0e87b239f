"""The link of a plan for macOS with LLVM's linker and stand-ins for libraries."""

import subprocess
from pathlib import Path
from typing import Any

from tests.compliance.checking_programs import Said, run_check
from tests.evaluation import TEST_PACKAGES, NixError, build, evaluate, fetch, outputs_of, path_of
from tests.metal.test_plan import FILES, MAC, VARIANT
from tests.skipping import skip
from tests.tiny_kernel import TinyKernel

EXTENSION = "_tiny_metal_0"
UNIT = f"""\
void *PyModule_Create2(void *, int);
void *MTLCreateSystemDefaultDevice(void);
double aoti_torch_abi_version(void);
void *seen_by_others(void) {{ return MTLCreateSystemDefaultDevice(); }}
void *PyInit_{EXTENSION}(void) {{
  aoti_torch_abi_version();
  seen_by_others();
  return PyModule_Create2(0, 3);
}}
"""
FRAMEWORKS = "/System/Library/Frameworks"
METAL = f"{FRAMEWORKS}/Metal.framework/Versions/A/Metal"
# Libraries by the name that the link uses: the recorded name, and the symbols.
SYSTEM = {
    "/usr/lib/libSystem": ("/usr/lib/libSystem.B.dylib", "dyld_stub_binder"),
    "/usr/lib/libc++": ("/usr/lib/libc++.1.dylib", "_cxx"),
    **{
        f"{FRAMEWORKS}/{name}.framework/{name}": (
            f"{FRAMEWORKS}/{name}.framework/Versions/A/{name}",
            "_MTLCreateSystemDefaultDevice" if name == "Metal" else f"_{name}",
        )
        for name in ("Foundation", "Metal", "MetalPerformanceShaders", "QuartzCore")
    },
}
TORCH = {"c10": "_c10", "torch": "_torch", "torch_cpu": "_aoti_torch_abi_version"}


def stub(file: Path, name: str, symbol: str) -> None:
    """Write the stub of a library that a linker reads."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\n"
        f"install-name: '{name}'\nexports:\n  - targets: [ arm64-macos ]\n"
        f"    symbols: [ {symbol} ]\n...\n"
    )


def check_link(folder: Path, programs: Path, python: Path, link: dict[str, Any]) -> Said:
    """Link a unit with the plan's arguments and stand-ins for libraries; check the result."""
    for file, (name, symbol) in SYSTEM.items():
        stub(folder / f"sdk{file}.tbd", name, symbol)
    for library, symbol in TORCH.items():
        stub(folder / f"torch/lib/lib{library}.tbd", f"@rpath/lib{library}.dylib", symbol)
    # lld chooses its system by the name of the program.
    (folder / "ld64.lld").symlink_to(programs / "lld")
    (folder / "unit.c").write_text(UNIT)
    variant = folder / VARIANT
    variant.mkdir()
    clang = (str(programs / "clang"), "--target=arm64-apple-macosx")
    quiet = "-Wno-unused-command-line-argument"
    own = (f"-Wl,-syslibroot,{folder}/sdk", f"-fuse-ld={folder}/ld64.lld", "-mlinker-version=820")
    planned = [*link["flags"], *link["portable"]["flags"], *own, "-lc++", "unit.o"]
    planned += [
        *link["portable"]["libraries"],
        *link["arguments"],
        "-o",
        f"{VARIANT}/{link['file']}",
    ]
    filled = [w.replace("@extension@", EXTENSION).replace("@torch@", "torch") for w in planned]
    for words in (["-O2", link["flags"][1], "-c", "unit.c", "-o", "unit.o"], filled):
        subprocess.run([*clang, quiet, *words], cwd=folder, check=True, capture_output=True)
    return run_check(python, "abi_check", variant)


def test_the_link_of_a_plan_makes_what_loads(tmp_path: Path) -> None:
    packages = f"(import {path_of(TEST_PACKAGES)}).${{builtins.currentSystem}}"
    drvs = evaluate(
        f"let packages = {packages}; in {{ python = packages.checkPython.drvPath; "
        'clang = (packages.rocmDebianHip { toolkit = "7.2"; }).hip.drvPath; }'
    )
    try:
        fetch(drvs["clang"])
    except NixError as error:
        skip(f"the sources of Debian's HIP and its clang cannot be had: {error}", installable=False)
    outputs = outputs_of(TinyKernel(tmp_path / "tiny", FILES).folder, system=MAC)
    link = evaluate(f"{outputs}.plan.{VARIANT}.link")
    python = build(drvs["python"]) / "bin/python3"
    said = check_link(tmp_path, build(drvs["clang"]) / "bin", python, link)
    assert (said.status, said.errors) == (0, "")
    rows = [line.split() for line in said.report.splitlines()]
    assert ["macOS", "26.0", "26.0"] in rows
    # No other symbol is visible.
    assert ["exports", f"PyInit_{EXTENSION}", "PyInit_*"] in rows
    assert ["run", "path", "@loader_path/lib", "@loader_path"] in rows
    # Libraries that no object needs are left out.
    libraries = [row[1] for row in rows if row[:1] == ["library"]]
    assert libraries == [METAL, "@rpath/libtorch_cpu.dylib", "/usr/lib/libSystem.B.dylib"]
