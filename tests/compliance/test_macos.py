"""The ABI check on libraries for macOS: good ones from wheels, and edits with one defect each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compliance.checking_programs import Said, run_check
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

CheckOf = Callable[..., Said]


@pytest.fixture(scope="module")
def libraries() -> dict[str, tuple[str, bytes]]:
    """Name and content of a library of each project."""
    projects = (GOOD, "charset-normalizer", "markupsafe", "safetensors")
    return {project: read_library(project) for project in projects}


@pytest.fixture
def check(tmp_path: Path, check_python: Path, libraries: dict[str, tuple[str, bytes]]) -> CheckOf:
    """Check a library as the extension of a variant."""

    def run(project: str = GOOD, *edits: Edit, variant: str = METAL, file: str = "") -> Said:
        name, data = libraries[project]
        for edit in edits:
            data = edit(data)
        folder = tmp_path / variant
        folder.mkdir()
        (folder / (file or name.partition(".")[0] + ".abi3.so")).write_bytes(data)
        return run_check(check_python, "abi_check", folder)

    return run


def test_a_good_library_gets_a_report(check: CheckOf) -> None:
    said = check()
    assert (said.status, said.errors) == (0, "")
    rows = [line.split() for line in said.report.splitlines()]
    assert ["macOS", "11.0", "26.0"] in rows
    assert ["Python", "3.9", "3.9"] in rows
    assert ["exports", "PyInit_ast_serialize", "PyInit_*"] in rows
    assert ["library", ICONV, "macOS"] in rows


@pytest.mark.parametrize(
    ("edit", "variant", "found"),
    [
        (with_least((26, 0)), METAL, ""),
        (with_least((26, 1)), METAL, "macOS 26.1 or newer"),
        (with_least((15, 0)), CPU, ""),
        (with_least((26, 0)), CPU, "macOS 26.0 or newer"),
        (with_least((26, 0), command=LC_VERSION_MIN_MACOSX), METAL, ""),
        (with_least((27, 0), command=LC_VERSION_MIN_MACOSX), METAL, "macOS 27.0 or newer"),
        # A platform of iOS.
        (with_least((11, 0), platform=2), METAL, "no word of the macOS that it needs"),
    ],
)
def test_the_least_macos(check: CheckOf, edit: Edit, variant: str, found: str) -> None:
    said = check(GOOD, edit, variant=variant)
    assert said.status == (1 if found else 0), said.errors
    if found:
        problem = said.problem(at=FILE)
        assert problem["found"] == found
        least = "26.0" if variant == METAL else "15.0"
        assert problem["want"] == f"macOS {least} or older as the least"


@pytest.mark.parametrize(
    ("library", "is_allowed"),
    [
        ("/opt/lib/libiconv.2.dylib", False),
        ("@rpath/libiconv.2.1.dylib", False),
        ("@rpath/libtorch_cpu.dylib", True),
        ("/System/Library/Framework", False),
    ],
)
def test_libraries(check: CheckOf, library: str, is_allowed: bool) -> None:
    said = check(GOOD, with_text(ICONV, library))
    assert said.status == (0 if is_allowed else 1)
    if not is_allowed:
        assert said.problem(at=FILE)["found"] == f"the library {library}"


@pytest.mark.parametrize(
    ("path", "is_allowed"),
    [("@loader_path/lib", True), ("/opt/torch/lib", False), ("@executable_path/../lib", False)],
)
def test_run_paths(check: CheckOf, path: str, is_allowed: bool) -> None:
    said = check(GOOD, with_run_path(path))
    assert said.status == (0 if is_allowed else 1)
    if is_allowed:
        rows = [line.split() for line in said.report.splitlines()]
        assert ["run", "path", path, "@loader_path"] in rows
    else:
        assert said.problem(at=FILE)["found"] == f"the run path {path}"


def test_code_for_several_processors(check: CheckOf) -> None:
    problem = check("charset-normalizer").problem(at="cd.abi3.so")
    assert problem["found"] == "code for x86_64, ARM64"
    assert problem["want"] == "code for arm64"


def test_the_library_of_another_system(check: CheckOf) -> None:
    problem = check(variant="torch213-cxx11-cpu-aarch64-linux").problem(at=FILE)
    assert (problem["found"], problem["want"]) == ("no ELF file", "a shared library for Linux")


def test_a_library_of_linux(tmp_path: Path, check_python: Path) -> None:
    folder = tmp_path / METAL
    folder.mkdir()
    (folder / FILE).write_bytes(b"\x7fELF and more")
    problem = run_check(check_python, "abi_check", folder).problem(at=FILE)
    assert (problem["found"], problem["want"]) == ("no Mach-O file", "a shared library for macOS")


@pytest.mark.parametrize(
    ("project", "found"),
    [
        ("safetensors", "PyUnicode_AsUTF8AndSize, in the stable ABI since Python 3.10"),
        ("markupsafe", "_PyUnicode_Ready, not in Python's stable ABI"),
    ],
)
def test_python_outside_of_the_stable_abi(check: CheckOf, project: str, found: str) -> None:
    assert f"       found  {found}\n" in check(project).errors


def test_a_symbol_that_nothing_has(check: CheckOf) -> None:
    # All symbols except Python's name a library that the linker has seen.
    said = check(GOOD, with_text("\0_PyTuple_New\0", "\0_scale_tiles\0"))
    problem = said.problem(at=FILE)
    assert problem["found"] == (
        "undefined symbol scale_tiles, which no library that it is linked with has"
    )


def test_torchs_stable_abi(check: CheckOf) -> None:
    # Symbols of macOS's library now name a library of Torch.
    edit = with_text("/usr/lib/libSystem.B.dylib", "@rpath/libtorch_cpu1.dylib")
    assert check(GOOD, edit).status == 0
    problem = check(GOOD, edit, variant="torch-stable-abi210-metal-aarch64-darwin").problem(at=FILE)
    assert problem["want"] == "Torch's stable C interface (aoti_torch_*, torch_*)"


def test_the_entry_point(check: CheckOf) -> None:
    problem = check(file="_other.abi3.so").problem(at="_other")
    assert problem["found"] == "no function PyInit__other"


def test_paths_of_the_build(check: CheckOf) -> None:
    problem = check(GOOD, with_text("/rustc/", "/build/")).problem(at=FILE)
    assert problem["want"] == "no path of the store or of the build folder"
