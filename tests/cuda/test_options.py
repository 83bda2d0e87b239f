"""The tables of nvcc's options: compared with its help and with its own list of steps."""

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.nix.quoting import nix_string
from lock.nvcc_options import merge, read_help
from tests.evaluation import ROOT, SYSTEM, call, evaluate, path_of, realise

TABLE = json.loads((ROOT / "backends/cuda/nvcc-options.json").read_text())
EFFECTS = json.loads((ROOT / "backends/cuda/option-effects.json").read_text())
OPTIONS: dict[str, dict[str, Any]] = {**TABLE["options"], **EFFECTS["undocumented"]}
# The releases whose compiler a registry has.
RELEASES = ("12.4", "13.0", "13.2", "13.5")
# Values for options with unusual values.
VALUES = {
    "--Ofast-compile": "mid",
    "--Werror": "all-warnings",
    "--cudafe-options": "--display_error_number",
    "--cudadevrt": "none",
    "--cudart": "none",
    "--default-stream": "per-thread",
    "--dopt": "on",
    "--jump-table-density": "3",
    "--machine": "64",
    "--optimization-info": "inline",
    "--std": "c++20",
    "--stdlib": "libstdc++",
}


def read(*texts: str) -> list[list[dict[str, Any]]]:
    """Return the options that the plan finds in flags."""
    words = "".join(f"[ {' '.join(map(nix_string, text.split()))} ]" for text in texts)
    options = path_of(ROOT / "backends/cuda/options.nix")
    return list(evaluate(f"map (import {options}) [ {words} ]"))


SPELLINGS = {
    "--optimize": ("-O3", "-O 3", "-O=3", "--optimize 3", "--optimize=3"),
    "--std": ("-std=c++20", "-std c++20", "--std=c++20", "--std c++20"),
    "--define-macro": ("-DA=1", "-D A=1", "-D=A=1", "--define-macro A=1"),
    "--ptxas-options": ("-Xptxas -v", "-Xptxas=-v", "--ptxas-options=-v", "--ptxas-options -v"),
    "--maxrregcount": ("-maxrregcount=64", "-maxrregcount 64", "--maxrregcount=64"),
    "--system-include": ("-isystem=/a", "-isystem /a", "--system-include /a"),
    "--library": ("-lgomp", "-l gomp", "-l=gomp", "--library=gomp"),
    "--threads": ("-t4", "-t 4", "-t=4", "--threads 4", "--threads=4"),
}
# Not exactly an option of nvcc, which passes these to gcc.
GCCS = ("-optimize=3", "-stdc++20", "--D=A=1", "-Xptxas-v", "-maxrregcount64", "-isystem/a")


def test_every_spelling_is_the_same_option() -> None:
    for name, texts in SPELLINGS.items():
        found = read(*texts)
        assert [[option["option"] for option in each] for each in found] == [[name]] * len(texts)
        assert len({tuple(option["values"]) for (option,) in found}) == 1
        assert [" ".join(option["words"]) for (option,) in found] == list(texts)
    assert [[option["option"] for option in each] for each in read(*GCCS)] == [[None]] * len(GCCS)


# Texts with one option each, which two spaces end, by their effect on the passes.
OF_EFFECT = {
    "pass": (
        "-O3  -DA=1  -UB  -I/a  -include a.h  -g  -g2  -G  -w  -lineinfo  -m64  "
        "--ftemplate-backtrace-limit=0  -ftemplate-depth=9  --std c++17  -std=c++17  "
        "-res-usage  --resource-usage  --use_fast_math  -ftz=true  -maxrregcount 64  "
        "-Werror all-warnings  --Werror=reorder  --default-stream per-thread  "
        "-diag-suppress 174,175  -Xcudafe --display_error_number  -Xptxas -v,-O3  "
        "--ptxas-options=--verbose,--warn-on-local-memory-usage  -Xptxas -dlcm=cg  "
        "-Xcompiler -Wall,-fopenmp,-O2,-DA,-march=native  --compiler-options=-fPIC  "
        "-fopenmp  -fPIC  -fno-strict-aliasing  -Wall  -Wno-psabi  -mavx2  -pthread  "
        "--simt-only  -utf-8  -safety-compat  -fmax-errors 3  --Wconversion"
    ),
    "packing": ("-Xfatbin=-compress-all  --compress-mode size  -no-compress  --concat"),
    "link": (
        "-lgomp  -L/a  -L /a  -Xlinker -z  -shared  -cudart none  -Wl,-z,now  "
        "-rdynamic  -static-libstdc++  -Xcompiler -rdynamic  -fuse-ld=gold  "
        "-prune  -Xnvprune -v"
    ),
    "threads": ("-t4  --threads 4  --split-compile=0  -split-compile-extended 2"),
    "whole": (
        "--enable-tile  -tile-only  -Xtileiras -O3  --apply-controls file  "
        "-rdc=true  -rdc true  --relocatable-device-code=true  -dc  -dlto  -ewp  "
        "-fatbin  -ptx  -ccbin gcc  -e main  "
        "-optf file  --options-file=file  -keep  -MD  -MF a.d  -x c++  "
        "-flto  -fno-lto  -fprofile-arcs  -ftest-coverage  -fsyntax-only  -fdump-tree-all  "
        "-gsplit-dwarf  -forward-all  --new-flag  -new-flag  a.o  -save-temps=obj  "
        "-Xcompiler -Wall,-flto  -Xcompiler=-Wl,-z  -Xcompiler -c  -Xptxas -c"
    ),
    "targets": ("-arch=sm_90  -gencode arch=a,code=b  --gpu-code=sm_90  -arch native"),
}


def test_the_effect_of_an_option_on_passes() -> None:
    stated = {text: [effect] for effect, all_ in OF_EFFECT.items() for text in all_.split("  ")}
    found = dict(zip(stated, read(*stated)))
    assert {text: [each["effect"] for each in found[text]] for text in stated} == stated
    assert all(option["why"] for each in found.values() for option in each)


def test_every_option_has_one_effect() -> None:
    stated = [long for each in EFFECTS["nvcc"] for long in each["options"]]
    assert sorted(stated) == sorted(OPTIONS)
    assert EFFECTS["since"].keys() <= OPTIONS.keys()


# Flags that name targets. nvcc is asked for its images of a unit with these flags.
TARGETS = (
    "-gencode arch=compute_80,code=sm_80",
    "-gencode=arch=compute_103a,code=sm_103a",
    "--generate-code arch=compute_90,code=[sm_90,compute_90]",
    '--generate-code=arch=compute_90,code="sm_90,compute_90"',
    "-gencode=code=sm_90,arch=compute_90",
    "-gencode=arch=compute_90,code=compute_90",
    "-gencode=arch=compute_80,code=sm_86",
    "-gencode=arch=compute_100f,code=sm_100f -gencode=arch=compute_120,code=sm_120",
    "-arch=sm_90",
    "-arch sm_90a",
    "--gpu-architecture=compute_100",
    "-arch=compute_90 -code=sm_90,compute_90",
    "-arch=compute_90 -code=sm_90 --gpu-code=sm_100",
    "-arch=sm_80 -gencode=arch=compute_90,code=sm_90",
    "-arch=all",
    "-arch=all-major",
)


def test_targets_of_flags_are_those_of_nvcc(toolchain: Path, tmp_path: Path) -> None:
    nvcc = build_package('(cudaToolkit { toolkit = "13.0"; ptxas = null; }).cuda') / "bin/nvcc"
    lists = "".join(f"[ {' '.join(map(nix_string, text.split()))} ]" for text in TARGETS)
    plan = f"""
      let
        inherit (import {path_of(ROOT / "lib")}) backends;
        inherit (backends.all.cuda) targets toolkit;
        select = flag: flag.select toolkit.releases."13.0".supported;
      in
      map (flags: builtins.concatMap select (targets.readFlags flags)) [ {lists} ]
    """
    (tmp_path / "a.cu").write_text("__global__ void k() {}\n")
    env = {"PATH": f"{toolchain}/bin:{os.defpath}"}
    for text, targets in zip(TARGETS, evaluate(plan)):
        words = ["--dryrun", "--keep", *text.split(), "-c", "a.cu", "-o", "a.o"]
        listed = call(nvcc, *words, cwd=tmp_path, env=env).stderr
        images = set(re.findall(r"image3?=kind=(\w+),sm=(\w+)", listed))
        code = {name for kind, name in images if kind == "elf"}
        digits = {target.replace(".", "") for target in targets}
        ptx = {name.removesuffix("+PTX") for name in digits if name.endswith("+PTX")}
        found = {name.removesuffix("+PTX") for name in digits}
        # A target with PTX has code, too. nvcc adds PTX of 9.0 to 9.0a, which may not assemble.
        assert found == code | ptx, text
        assert ptx == {name for kind, name in images if kind == "ptx"} & found, text


def build_package(package: str) -> Path:
    """Build a package if it is missing and return its folder."""
    packages = f"inherit ((import {path_of(ROOT)}).packages.{SYSTEM}) cudaToolkit toolchain"
    drv, out = evaluate(f"let {packages}; made = {package}; in [ made.drvPath made.outPath ]")
    realise(drv)
    return Path(out)


@pytest.fixture(scope="module")
def compilers() -> dict[str, Path]:
    package = '(cudaToolkit {{ toolkit = "{}"; ptxas = null; }}).cuda'
    return {each: build_package(package.format(each)) / "bin/nvcc" for each in RELEASES}


@pytest.fixture(scope="module")
def toolchain() -> Path:
    return build_package("toolchain")


def test_the_table_is_what_the_compilers_say(compilers: dict[str, Path]) -> None:
    found = dict(read_help(str(nvcc)) for nvcc in compilers.values())
    assert merge(TABLE, found) == TABLE
    assert found.keys() == set(RELEASES)


def steps(nvcc: Path, toolchain: Path, folder: Path, *words: str) -> list[list[str]]:
    """Return nvcc's steps for a unit with two targets, without parts that differ each time."""
    (folder / "a.cu").write_text("__global__ void k() {}\n")
    targets = [f"-gencode=arch=compute_{arch},code=sm_{arch}" for arch in ("80", "90")]
    options = ["--dryrun", "--keep", "-forward-unknown-to-host-compiler", *targets, *words]
    env = {"PATH": f"{toolchain}/bin:{os.defpath}"}
    done = call(nvcc, *options, "-c", "a.cu", "-o", "a.o", cwd=folder, env=env)
    lines = (line[3:] for line in done.stderr.splitlines() if line.startswith("#$ "))
    return [shlex.split(line) for line in lines if not re.match(r"\w+=", line)]


def written(long: str) -> list[str]:
    """Return an option with a valid value."""
    default = "1"
    if long in ("--prec-div", "--prec-sqrt", "--ftz", "--fmad") or long.endswith(
        ("-stub", "-visibility", "-protector", "-diagnostics")
    ):
        default = "true"
    if OPTIONS[long]["value"] == "none":
        return [long]
    return [long, VALUES.get(long, default)]


@pytest.mark.parametrize("effect", ["pass", "link"])
def test_the_effect_of_an_option_on_nvccs_steps(
    compilers: dict[str, Path], toolchain: Path, tmp_path: Path, effect: str
) -> None:
    """An option of passes changes no step's program; one of the link changes no step at all."""
    classes = (each for each in EFFECTS["nvcc"] if each["effect"] == effect)
    options = [long for each in classes for long in each["options"]]
    shown = slice(1) if effect == "pass" else slice(None)
    for release, nvcc in compilers.items():
        plain = [argv[shown] for argv in steps(nvcc, toolchain, tmp_path)]
        for long in options:
            if release in OPTIONS[long].get("only", RELEASES):
                found = steps(nvcc, toolchain, tmp_path, *written(long))
                assert [argv[shown] for argv in found] == plain, long


def test_nvcc_reads_spellings_alike(
    compilers: dict[str, Path], toolchain: Path, tmp_path: Path
) -> None:
    nvcc = compilers["13.0"]
    for name, texts in SPELLINGS.items():
        # Steps that run in parallel have random file names.
        if name != "--threads":
            first, *others = (steps(nvcc, toolchain, tmp_path, *text.split()) for text in texts)
            assert all(each == first for each in others), texts
    for word in GCCS:
        assert any(word in argv for argv in steps(nvcc, toolchain, tmp_path, word)), word
