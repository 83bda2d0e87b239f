"""The ABI check on libraries for macOS: good ones from wheels, and edits with one defect each."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.compliance.checking_programs import run_check
from tests.compliance.macho_edits import (
    LC_VERSION_MIN_MACOSX,
    Edit,
    read_library,
    with_least,
    with_run_path,
    with_text,
)

METAL = "torch213-metal-aarch64-darwin"
CPU = "torch213-cpu-aarch64-darwin"
# For Python 3.9 and newer.
GOOD = "ast-serialize"
FILE = "ast_serialize.abi3.so"
ICONV = "/usr/lib/libiconv.2.dylib"
# Symbols of macOS's library now name a library of Torch.
OF_TORCH = with_text("/usr/lib/libSystem.B.dylib", "@rpath/libtorch_cpu1.dylib")


class Case(NamedTuple):
    """Words of the message, or of the report if nothing is wrong, and the library."""

    words: str
    edit: Edit | None = None
    variant: str = METAL
    project: str = GOOD
    file: str = ""
    is_wrong: bool = True


def fine(words: str = "", edit: Edit | None = None, variant: str = METAL) -> Case:
    return Case(words, edit, variant, is_wrong=False)


def iconv_as(library: str) -> Edit:
    return with_text(ICONV, library)


CASES = {
    "macOS": fine("macOS 11.0 26.0"),
    "Python": fine("Python 3.9 3.9"),
    "entry": fine("exports PyInit_ast_serialize PyInit_*"),
    "library of macOS": fine(f"library {ICONV} macOS"),
    "26.0": fine(edit=with_least((26, 0))),
    "26.1": Case(
        f"{FILE} found macOS 26.1 or newer want macOS 26.0 or older as the least",
        with_least((26, 1)),
    ),
    "CPU, 15.0": fine("", with_least((15, 0)), CPU),
    "CPU, 26.0": Case(
        "found macOS 26.0 or newer want macOS 15.0 or older as the least", with_least((26, 0)), CPU
    ),
    "older command, 26.0": fine(edit=with_least((26, 0), command=LC_VERSION_MIN_MACOSX)),
    "older command, 27.0": Case(
        "found macOS 27.0 or newer", with_least((27, 0), command=LC_VERSION_MIN_MACOSX)
    ),
    "iOS": Case("found no word of the macOS that it needs", with_least((11, 0), platform=2)),
    "library of /opt": Case(
        "found the library /opt/lib/libiconv.2.dylib", iconv_as("/opt/lib/libiconv.2.dylib")
    ),
    "library beside it": Case(
        "found the library @rpath/libiconv.2.1.dylib", iconv_as("@rpath/libiconv.2.1.dylib")
    ),
    "library of Torch": fine(edit=iconv_as("@rpath/libtorch_cpu.dylib")),
    "framework": Case(
        "found the library /System/Library/Framework", iconv_as("/System/Library/Framework")
    ),
    "run path": fine("run path @loader_path/lib @loader_path", with_run_path("@loader_path/lib")),
    "run path of /opt": Case("found the run path /opt/torch/lib", with_run_path("/opt/torch/lib")),
    "run path of the program": Case(
        "found the run path @executable_path/../lib", with_run_path("@executable_path/../lib")
    ),
    "several processors": Case(
        "cd.abi3.so found code for x86_64, ARM64 want code for arm64", project="charset-normalizer"
    ),
    "for Linux": Case(
        "found no ELF file want a shared library for Linux",
        variant="torch213-cxx11-cpu-aarch64-linux",
    ),
    "of Linux": Case(
        "found no Mach-O file want a shared library for macOS", lambda _: b"\x7fELF and more"
    ),
    "newer Python": Case(
        "found PyUnicode_AsUTF8AndSize, in the stable ABI since Python 3.10", project="safetensors"
    ),
    "private Python": Case(
        "found _PyUnicode_Ready, not in Python's stable ABI", project="markupsafe"
    ),
    # All symbols except Python's name a library that the linker has seen.
    "undefined symbol": Case(
        "found undefined symbol scale_tiles, which no library that it is linked with has",
        with_text("\0_PyTuple_New\0", "\0_scale_tiles\0"),
    ),
    "Torch": fine(edit=OF_TORCH),
    "Torch beside its stable ABI": Case(
        "want Torch's stable C interface (aoti_torch_*, torch_*)",
        OF_TORCH,
        "torch-stable-abi210-metal-aarch64-darwin",
    ),
    "no entry": Case("_other.abi3.so found no function PyInit__other", file="_other.abi3.so"),
    "path of the build": Case(
        "want no path of the store or of the build folder", with_text("/rustc/", "/build/")
    ),
}


@pytest.fixture(scope="module")
def libraries() -> dict[str, tuple[str, bytes]]:
    return {project: read_library(project) for project in {case.project for case in CASES.values()}}


def test_providers_of_symbols(
    tmp_path: Path, check_python: Path, libraries: dict[str, tuple[str, bytes]]
) -> None:
    (tmp_path / METAL).mkdir()
    data = with_text("\0_PyTuple_New\0", "\0_scale_tiles\0")(libraries[GOOD][1])
    for content, provider, library in (
        (data, "system", "/usr/lib/libSystem.B.dylib"),
        (OF_TORCH(data), "Torch", "@rpath/libtorch_cpu1.dylib"),
    ):
        (tmp_path / METAL / FILE).write_bytes(content)
        said = run_check(check_python, "abi_check", "--facts", "{}", tmp_path / METAL)
        facts = json.loads(said.report)
        provided = {(each["provider"], each["library"]) for each in facts["symbols"]}
        assert provided == {("Python", "Python"), (provider, library)}
        assert facts["symbols-left-over"] == ["scale_tiles"]
        assert facts["symbols-not-compared"] == 0
        # Targets are none of this backend's.
        assert facts["targets"] == []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_library(
    case: Case, tmp_path: Path, check_python: Path, libraries: dict[str, tuple[str, bytes]]
) -> None:
    name, data = libraries[case.project]
    folder = tmp_path / case.variant
    folder.mkdir()
    file = folder / (case.file or name.partition(".")[0] + ".abi3.so")
    file.write_bytes(case.edit(data) if case.edit else data)
    said = run_check(check_python, "abi_check", folder)
    assert said.status == (1 if case.is_wrong else 0), said.errors
    assert case.is_wrong or not said.errors
    assert case.words in " ".join((said.errors or said.report).split())
