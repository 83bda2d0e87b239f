"""`nix eval .#plan` has the words that compilers and linkers are called with, in their order.

Each compiler of these builds writes its arguments to the log before it runs.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.build.one_step import run_compile
from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, CudaVariant, cuda_kernel, read_one
from tests.derivation import Derivation, closure_of
from tests.evaluation import ROOT, Variant, build, path_of, read_log, read_variant
from tests.planned_words import Words, flags_of, place_of
from tests.rocm.rocm_kernel import (
    SCALE_SOURCE,
    SHIFT_SOURCE,
    STAND_INS,
    RocmVariant,
    read_rocm,
    rocm_kernel,
)
from tests.tiny_kernel import BUILD, TinyKernel

PROGRAMS = "gcc g++ nvcc clang++"
RECORDER = f"""(final: previous: {{
  planPackages = previous.planPackages // {{
    tools = builtins.mapAttrs (name: real: final.runStep {{
      name = "recorder-${{name}}";
      script = {path_of(ROOT / "tests/build/recorder.sh")};
      env = {{ inherit real; inherit (final) busybox; programs = "{PROGRAMS}"; }};
    }}) previous.planPackages.tools;
  }};
}})"""
OVERLAYS = f"overlays = [ {RECORDER} ];"
BINDING = "torch-ext/torch_binding.cpp"
# It sees Torch, and is compiled in no time.
UNIT = "#include <torch/headeronly/macros/Macros.h>\nint number() { return 42; }\n"
DRY_RUN = ["--dryrun", "--keep", "--keep-dir", "."]


def calls_of(step: Derivation, program: str) -> list[list[str]]:
    """Build a step; return the arguments of each call of a program."""
    build(step.path)
    lines = read_log(step.path).splitlines()
    found = []
    for at, line in enumerate(lines):
        called = re.fullmatch(r"called (\S+) (\d+)", line)
        if called and called[1] == program:
            found.append(lines[at + 1 : at + 1 + int(called[2])])
    return found


def check_tools(step: Derivation, planned: Sequence[str]) -> None:
    """Fail unless a step finds the programs of these packages first."""
    found = re.findall(r"-recorder-(\w+)/bin", step.env["PATH"])
    assert found == planned


def read_tiny(folder: Path, arguments: str = "", **keys: str) -> tuple[Variant, dict[str, Any]]:
    """Return a variant with recorders and the plan of its binding; `keys` are put in [torch]."""
    lines = "".join(f"{key} = {value}\n" for key, value in keys.items())
    files = {"build.toml": BUILD.replace("[torch]\n", f"[torch]\n{lines}"), BINDING: UNIT}
    kernel = TinyKernel(folder, files)
    variant = read_variant(kernel.folder, arguments=f"{OVERLAYS} {arguments}")
    (unit,) = (unit for unit in variant.plan["units"] if unit["source"] == BINDING)
    return variant, unit


def test_a_unit_of_cpp_and_the_link(tmp_path: Path) -> None:
    variant, unit = read_tiny(tmp_path)
    words = Words()
    step = variant.read_object(BINDING)
    check_tools(step, unit["tools"])
    (call,) = calls_of(step, "g++")
    words.check(call, flags_of(unit), place_of(step))
    assert words.folders["build/kernel"].endswith("/kernel")
    assert words.folders["torch"].startswith("/nix/store/")

    link, planned = variant.link, variant.plan["link"]
    check_tools(link, planned["tools"])
    (of_name,) = calls_of(link, planned["name"]["program"])
    words = Words({"extension": variant.extension})
    words.check(
        of_name,
        planned["name"]["flags"],
        planned["portable"]["nameFlags"],
        ["-c", "name.c", "-o", "name.o"],
    )
    (of_link,) = calls_of(link, planned["program"])
    file = f"{link.outputs['out']}/{variant.extension}.abi3.so"
    objects = [variant.read_object(source).outputs["out"] for source in variant.objects]
    # Nix writes them to a file, which the command names.
    assert link.env["objects"].split() == objects
    words.check(
        of_link,
        planned["flags"],
        planned["portable"]["flags"],
        ["-o", file, "@objects@", "name.o"],
        planned["portable"]["libraries"],
        planned["arguments"],
    )
    assert words.folders["objects"].startswith("@/")


def test_lean_headers(tmp_path: Path) -> None:
    variant, unit = read_tiny(tmp_path, headers='"lean"')
    step = variant.read_object(BINDING)
    (call,) = calls_of(step, "g++")
    Words().check(call, unit["leanFlags"]["operators"], flags_of(unit), place_of(step))


def test_a_precompiled_header(tmp_path: Path) -> None:
    variant, unit = read_tiny(tmp_path, "precompiledHeaders = true;")
    step, planned, words = variant.read_object(BINDING), unit["precompiled"], Words()
    (call,) = calls_of(step, "g++")
    words.check(call, planned["unitFlags"], flags_of(unit), place_of(step))
    (header,) = (item for item in closure_of(step.path) if item.name.startswith("precompiled-"))
    check_tools(header, unit["tools"])
    (call,) = calls_of(header, "g++")
    own = header.outputs["out"]
    names = ["-w", "-MD", "-MF", f"{own}/read", "-x", "c++-header"]
    output = ["-o", f"{own}/{planned['header']}.gch"]
    words.check(call, planned["flags"], names, [call[-3]], output)
    assert call[-3].endswith(planned["header"])


@pytest.fixture(scope="module")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> CudaVariant:
    """A kernel whose first unit sees headers of Torch, for two targets."""
    text = "#include <torch/headeronly/macros/Macros.h>\n" + ADD
    kernel = cuda_kernel(tmp_path_factory.mktemp("cuda"), {ADD_SOURCE: text})
    return read_one(kernel.folder, arguments=OVERLAYS)


def test_a_pass_of_nvcc(cuda: CudaVariant) -> None:
    unit = cuda.unit(ADD_SOURCE)
    for planned in unit["device"]["passes"]:
        step, words = cuda.passes(ADD_SOURCE)[planned["name"]], Words()
        check_tools(step, unit["tools"])
        (call,) = calls_of(step, "nvcc")
        output = ["-c", ADD_SOURCE, "-o", "add.o"]
        lean = unit["leanFlags"]["tensors"]
        words.check(call, DRY_RUN, lean, flags_of(unit), output, planned["flags"])
        lists = {word for gcc in calls_of(step, "gcc") for word in gcc if "ARCH_LIST" in word}
        assert lists == {f"-D__CUDA_ARCH_LIST__={unit['device']['archList']}"}


def test_the_host_pass_of_nvcc(cuda: CudaVariant) -> None:
    unit = cuda.unit(ADD_SOURCE)
    host, step = unit["device"]["host"], cuda.part(ADD_SOURCE, ".host.o")
    output = ["-c", ADD_SOURCE, "-o", "add.o"]
    check_tools(step, unit["tools"])
    lean, full = calls_of(step, "nvcc")
    words = Words()
    words.check(lean, DRY_RUN, unit["leanFlags"]["tensors"], flags_of(unit), output, host["flags"])
    words.check(full, DRY_RUN, flags_of(unit), output, host["flags"])
    *_, compile_call = calls_of(step, "gcc")
    assert compile_call[-len(host["compileFlags"]) :] == host["compileFlags"] != []


def test_a_unit_of_cuda_compiled_whole(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **{"cuda-flags": '["-rdc=true"]'})
    variant = read_one(kernel.folder, arguments=OVERLAYS)
    unit, step = variant.unit(ADD_SOURCE), variant.part(ADD_SOURCE, ".o")
    compile_call, link_call = calls_of(step, "nvcc")
    output = ["-c", ADD_SOURCE, "-o", "add.o"]
    Words().check(compile_call, DRY_RUN, flags_of(unit), output, unit["device"]["wholeFlags"])
    output = ["add.o", "-o", "add.link.o"]
    Words().check(link_call, DRY_RUN, unit["device"]["wholeLinkFlags"], output)


def read_hip(folder: Path, **build: str) -> RocmVariant:
    """Return a variant for ROCm whose compilers are recorders."""
    kernel = rocm_kernel(folder, **build)
    return read_rocm(
        kernel.folder, arguments=STAND_INS.replace("overlays = [", f"overlays = [ {RECORDER}")
    )


def test_a_unit_of_hip(tmp_path: Path) -> None:
    variant = read_hip(tmp_path)
    unit, words = variant.unit(SHIFT_SOURCE), Words()
    for planned in unit["device"]["passes"]:
        step = variant.passes(SHIFT_SOURCE)[planned["name"]]
        check_tools(step, unit["tools"])
        (call,) = calls_of(step, unit["compiler"])
        words = Words()
        words.check(call, flags_of(unit), planned["flags"], place_of(step))
    step = variant.part(SHIFT_SOURCE, ".host.o")
    (call,) = calls_of(step, unit["compiler"])
    output = ["-c", SHIFT_SOURCE, "-o", call[-1]]
    Words().check(call, flags_of(unit), unit["device"]["host"]["flags"], output)


def test_a_translated_unit_of_hip_compiled_whole(tmp_path: Path) -> None:
    variant = read_hip(tmp_path, **{"hip-flags": '["-fno-offload-lto"]'})
    unit, step = variant.unit(SCALE_SOURCE), variant.part(SCALE_SOURCE, ".o")
    assert unit["device"]["whole"] is not None
    (call,) = calls_of(step, unit["compiler"])
    # hipify names the translated file.
    output = ["-c", call[-3], "-o", step.outputs["out"]]
    Words().check(call, flags_of(unit), unit["device"]["wholeFlags"], output)


def test_a_placeholder_in_a_flag_of_the_kernel(tmp_path: Path) -> None:
    own, planned = "-DTEXT=@build/kernel@", "-ffile-prefix-map=@build/kernel@=."
    done = run_compile(tmp_path, '#!/bin/sh\nprintf "%s\\n" "$@"\n', flags=f"{own}\n{planned}")
    kernel = planned.replace("@build/kernel@", f"{tmp_path}/kernel")
    assert done.stdout.splitlines()[:2] == [own, kernel]
