"""The ABI check on binaries with one defect each."""

# More than 300 lines because each rule has a binary that breaks it.

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.compliance.checking_programs import run_check
from tests.compliance.workshop import NAME, SYSTEM, Workshop


@pytest.fixture
def workshop(
    tmp_path: Path, toolchain: Path, check_python: Path, platform_symbols: Path
) -> Workshop:
    return Workshop(tmp_path, toolchain, check_python, platform_symbols)


def test_a_good_binary_gets_a_report(workshop: Workshop) -> None:
    said = workshop.check('#include <stdio.h>\nvoid hello() { puts("hello"); }')
    assert (said.status, said.errors) == (0, "")
    rows = [line.split() for line in said.report.splitlines()]
    assert ["GLIBCXX", "none", "3.4.24"] in rows
    assert ["Python", "3.2", "3.9"] in rows
    assert ["exports", "PyInit__tiny_cpu_0", "PyInit_*"] in rows
    assert ["library", "libc.so.6", "manylinux_2_28"] in rows
    assert any(row[:1] == ["GLIBC"] and row[2] == "2.28" for row in rows)


def test_a_newer_version_is_traced_to_the_function_that_wants_it(workshop: Workshop) -> None:
    new = """\
.globl stub
.type stub,%function
.symver stub,memcpy@@GLIBC_2.38
stub: .byte 0
.section .note.GNU-stack,"",%progbits
"""
    (workshop.folder / "new.map").write_text("GLIBC_2.38 { local: stub; };\n")
    library = workshop.make_library("libc.so.6", new, "-Wl,--version-script=new.map")
    source = """
extern "C" void *newer(void *, const void *, unsigned long);
__asm__(".symver newer, memcpy@GLIBC_2.38");
namespace tiny { void *copy(void *to, const char *from) { return newer(to, from, 3); } }
"""
    said = workshop.check(source, library, "-nostdlib")
    assert said.status == 1
    assert said.errors.startswith(f"error: {NAME} does not load everywhere (1 problem)\n\n")
    assert said.problem(at="_tiny_cpu_0.abi3.so") == {
        "at": "_tiny_cpu_0.abi3.so\ntiny/unit.cpp",
        "found": "memcpy@GLIBC_2.38 of libc.so.6",
        "want": "GLIBC_2.28 or older (manylinux_2_28)",
        "fix": "call what an older system has too; take out .symver lines and archives that were "
        "made elsewhere",
    }


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("PyUnicode_AsUTF8AndSize", "in the stable ABI since Python 3.10"),
        ("_PyObject_GetDictPtr", "not in Python's stable ABI"),
        ("PyErr_SetFromWindowsErr", "not in Python's stable ABI"),
    ],
)
def test_python_outside_of_the_stable_abi(workshop: Workshop, function: str, found: str) -> None:
    source = f'extern "C" void {function}();\nvoid use() {{ {function}(); }}'
    problem = workshop.check(source).problem(at="_tiny_cpu_0")
    assert problem["found"] == f"{function}, {found}"
    assert problem["at"].endswith("\ntiny/unit.cpp")


@pytest.mark.parametrize(
    ("library", "name", "is_allowed"),
    [
        ("libfoo.so.1", NAME, False),
        ("libtorch_cpu.so", NAME, True),
        ("libcudart.so.13", NAME, False),
        ("libcudart.so.13", f"torch213-cxx11-cu130-{SYSTEM}", True),
        ("libcudart.so.12", f"torch213-cxx11-cu130-{SYSTEM}", False),
        ("libcudart.so.12", f"torch213-cxx11-cu126-{SYSTEM}", True),
    ],
)
def test_libraries(workshop: Workshop, library: str, name: str, is_allowed: bool) -> None:
    path = workshop.make_library(library, ".globl piece\n.type piece,%function\npiece: .byte 0\n")
    source = 'extern "C" void piece();\nvoid use() { piece(); }'
    said = workshop.check(source, path, name=name, symbols={library: "piece\n"})
    assert said.status == (0 if is_allowed else 1)
    if not is_allowed:
        assert said.problem(at="_tiny_cpu_0")["found"] == f"the library {library}"


@pytest.mark.parametrize(
    ("function", "attribute", "is_allowed"),
    [
        ("inflate", "", True),
        ("inflate_table", "", False),
        ("inflate_table", " __attribute__((weak))", True),
    ],
)
def test_inner_functions_of_a_library(
    workshop: Workshop, function: str, attribute: str, is_allowed: bool
) -> None:
    names = ("inflate", "inflate_table")
    text = "".join(f".globl {each}\n.type {each},%function\n{each}: .byte 0\n" for each in names)
    path = workshop.make_library("libz.so.1", text)
    source = f'extern "C" void inflate();\nextern "C" void {function}(){attribute};\n'
    source += f"void use() {{ inflate(); if ({function}) {function}(); }}"
    said = workshop.check(source, path, symbols={"libz.so.1": "\n".join(names) + "\n"})
    assert said.status == (0 if is_allowed else 1)
    if not is_allowed:
        assert said.problem(at="_tiny_cpu_0")["found"] == f"{function} of libz.so.1"


def test_a_symbol_that_nothing_provides(workshop: Workshop) -> None:
    source = "int missing(int);\nnamespace tiny { int use(int x) { return missing(x); } }"
    problem = workshop.check(source).problem(at="_tiny_cpu_0")
    assert problem["at"].endswith("\ntiny/unit.cpp")
    assert problem["found"] == "undefined symbol missing(int), which nothing provides"


def test_a_symbol_of_a_library_that_is_not_known_is_not_judged(workshop: Workshop) -> None:
    path = workshop.make_library("libtorch_cpu.so", ".globl piece\npiece: .byte 0\n")
    said = workshop.check('extern "C" void piece();\nvoid use() { piece(); }', path)
    assert said.status == 0
    assert "not compared with libtorch_cpu.so" in said.report


def test_weak_symbols_may_be_missing(workshop: Workshop) -> None:
    source = """
int missing(int) __attribute__((weak));
int use() { return missing ? missing(1) : 0; }
"""
    assert workshop.check(source).status == 0


TVM_FFI: dict[str, Any] = {
    "name": f"tvm-ffi01-cpu-{SYSTEM}",
    "file": "_tiny_cpu_0.so",
    "entry": "int __tvm_ffi_answer(void) { return 42; }\n",
}


def test_functions_for_tvm_ffi_are_visible(workshop: Workshop) -> None:
    said = workshop.check("int f() { return 1; }", exports="{ global: *; };", **TVM_FFI)
    assert said.problem(at="_tiny_cpu_0")["want"] == "only __tvm_ffi_*"
    hidden = "{ global: __tvm_ffi_*; local: *; };"
    said = workshop.check("int f() { return 1; }", exports=hidden, **TVM_FFI)
    assert said.status == 0
    assert ["exports", "__tvm_ffi_answer", "__tvm_ffi_*"] in [
        line.split() for line in said.report.splitlines()
    ]


def test_no_function_for_tvm_ffi(workshop: Workshop) -> None:
    said = workshop.check("int f() { return 1; }", **{**TVM_FFI, "entry": ""})
    problem = said.problem(at="_tiny_cpu_0")
    assert problem["found"] == "no function __tvm_ffi_*"
    assert "TVM_FFI_DLL_EXPORT_TYPED_FUNC" in problem["fix"]


@pytest.mark.parametrize(
    ("library", "for_tvm_ffi", "python_depends", "is_allowed"),
    [
        ("libtvm_ffi.so", True, (), True),
        ("libtorch_cpu.so", True, (), False),
        ("libtvm_ffi.so", False, (), False),
        ("libtvm_ffi.so", False, ("tvm-ffi",), True),
    ],
)
def test_the_library_of_tvm_ffi(
    workshop: Workshop,
    library: str,
    for_tvm_ffi: bool,
    python_depends: tuple[str, ...],
    is_allowed: bool,
) -> None:
    path = workshop.make_library(library, ".globl piece\n.type piece,%function\npiece: .byte 0\n")
    source = 'extern "C" void piece();\nvoid use() { piece(); }'
    said = workshop.check(
        source,
        path,
        symbols={library: "piece\n"},
        python_depends=python_depends,
        **({**TVM_FFI, "exports": "{ global: __tvm_ffi_*; local: *; };"} if for_tvm_ffi else {}),
    )
    assert said.status == (0 if is_allowed else 1)
    if not is_allowed:
        assert said.problem(at="_tiny_cpu_0")["found"] == f"the library {library}"


# A library that every machine has, one that Torch loads, and a function of each.
LIBRARIES = {"libatomic.so.1": "__atomic_load_16", "libtorch_cpu.so": "piece"}


@pytest.mark.parametrize(
    ("library", "linked", "symbols", "is_loaded"),
    [
        ("libatomic.so.1", False, {}, False),
        ("libatomic.so.1", True, {}, True),
        # No library needs this one, but Torch has loaded it.
        ("libtorch_cpu.so", False, {"libtorch_cpu.so": "piece\n"}, True),
        # Torch's library needs this one.
        ("libatomic.so.1", False, {"libtorch_cpu.so": "NEEDED libatomic.so.1\n"}, True),
        (
            "libatomic.so.1",
            False,
            {"libtorch_cpu.so": "NEEDED libc10.so\n", "libc10.so": "NEEDED libatomic.so.1\n"},
            True,
        ),
        # A library that is not loaded, either, needs this one.
        ("libatomic.so.1", False, {"libglib-2.0.so.0": "NEEDED libatomic.so.1\n"}, False),
        # The name of a library is no name of a function.
        ("libtorch_cpu.so", False, {"libc10.so": "NEEDED piece\n"}, None),
    ],
)
def test_symbols_are_looked_for_where_the_loader_looks(
    workshop: Workshop, library: str, linked: bool, symbols: dict[str, str], is_loaded: bool | None
) -> None:
    name = LIBRARIES[library]
    flags = ["-latomic"] if linked else []
    said = workshop.check(
        f'void function() __asm__("{name}");\nvoid use() {{ function(); }}', *flags, symbols=symbols
    )
    assert said.status == (0 if is_loaded else 1), said.errors
    if not is_loaded:
        of = f"only {library} has, and nothing loads this library"
        which = "nothing provides" if is_loaded is None else of
        found = said.problem(at="_tiny_cpu_0")["found"]
        assert found == f"undefined symbol {name}, which {which}"


def test_more_than_the_entry_is_visible(workshop: Workshop) -> None:
    source = "namespace tiny { int shared(int x) { return x; } }"
    problem = workshop.check(source, exports="{ global: *; };\n").problem(at="_tiny_cpu_0")
    assert problem["found"] == "visible to other libraries: tiny::shared(int)"
    assert problem["want"] == "only PyInit__tiny_cpu_0"


def test_no_entry(workshop: Workshop) -> None:
    said = workshop.check("int f() { return 1; }", entry="")
    assert said.problem(at="_tiny_cpu_0")["found"] == "no function PyInit__tiny_cpu_0"


def test_unique_symbols(workshop: Workshop) -> None:
    source = """
inline int &once() { static int number = 0; return number; }
int f() { return once()++; }
"""
    exports = "{ global: PyInit_*; _ZZ4oncevE6number; local: *; };\n"
    said = workshop.check(source, exports=exports, compile_flags=("-fgnu-unique",))
    assert "unique symbols: once()::number" in said.errors


def test_a_run_path(workshop: Workshop) -> None:
    said = workshop.check("", "-Wl,-rpath,/opt/lib")
    assert said.problem(at="_tiny_cpu_0")["found"] == "the run path /opt/lib"
    said = workshop.check("", "-Wl,--disable-new-dtags,-rpath,$ORIGIN")
    assert said.problem(at="_tiny_cpu_0")["found"] == "the run path $ORIGIN"


@pytest.mark.parametrize(
    ("text", "is_trace"),
    [
        ("/nix/store/abc-x/lib", True),
        ("see /build/kernel/a.cpp", True),
        ("/tmp/nix-build-relu.drv-0/a.cpp", True),
        ("my/build/folder", False),
        ("https://example.org/build/", False),
    ],
)
def test_traces_of_the_build(workshop: Workshop, text: str, is_trace: bool) -> None:
    source = f"""
extern const char text[];
extern "C" const char *PyInit_text() {{ return text; }}
const char text[] = "{text}";
"""
    said = workshop.check(source)
    assert said.status == (1 if is_trace else 0)
    if is_trace:
        assert said.problem(at="_tiny_cpu_0")["found"] == text


def test_a_trace_that_only_a_debugger_reads_is_a_warning(workshop: Workshop) -> None:
    source = "int number() { return 3; }"
    said = workshop.check(
        source, compile_flags=("-g", "-ffile-prefix-map=unit.cpp=/build/unit.cpp")
    )
    assert said.status == 0
    assert "warning" in said.errors
    assert "/build/unit.cpp" in said.errors


STABLE = f"torch-stable-abi211-cpu-{SYSTEM}"
OF_TORCH = {
    "libtorch_cpu.so": "\n".join(
        ("aoti_torch_empty", "torch_library_impl", "uv_run", "_ZN2at3addEi", "_ZN5torch3addEi")
    )
}


@pytest.mark.parametrize(
    ("declared", "used", "found"),
    [
        ('extern "C" void aoti_torch_empty();', "aoti_torch_empty()", None),
        ('extern "C" void torch_library_impl();', "torch_library_impl()", None),
        ('extern "C" void uv_run();', "uv_run()", "uv_run"),
        ("namespace at { void add(int); }", "at::add(1)", "at::add(int)"),
        ("namespace torch { void add(int); }", "torch::add(1)", "torch::add(int)"),
    ],
)
def test_torch_outside_of_its_stable_abi(
    workshop: Workshop, declared: str, used: str, found: str | None
) -> None:
    source = f"{declared}\nvoid use() {{ {used}; }}"
    assert workshop.check(source, symbols=OF_TORCH).status == 0
    said = workshop.check(source, name=STABLE, symbols=OF_TORCH)
    assert said.status == (1 if found else 0)
    if found:
        problem = said.problem(at="_tiny_cpu_0")
        assert problem["found"] == found
        assert problem["want"] == "Torch's stable C interface (aoti_torch_*, torch_*)"


def test_code_for_another_machine(workshop: Workshop) -> None:
    assert workshop.check("").status == 0
    other = "aarch64" if SYSTEM.startswith("x86_64") else "x86_64"
    said = workshop.check("", name=f"torch213-cxx11-cpu-{other}-linux")
    assert said.problem(at="_tiny_cpu_0")["want"] == f"code for {other}"


@pytest.mark.parametrize("size", [20, 100, 2000])
def test_a_binary_that_ends_too_early(workshop: Workshop, size: int) -> None:
    assert workshop.check("").status == 0
    variant = workshop.folder / NAME
    (binary,) = variant.glob("*.so")
    binary.write_bytes(binary.read_bytes()[:size])
    said = run_check(workshop.python, "abi_check", variant)
    assert said.problem(at="_tiny_cpu_0")["found"].startswith("a damaged ELF file: ")


def test_a_file_that_is_no_binary(workshop: Workshop) -> None:
    variant = workshop.folder / NAME
    variant.mkdir()
    (variant / "_tiny_cpu_0.abi3.so").write_text("no ELF")
    said = run_check(workshop.python, "abi_check", variant)
    assert said.problem(at="_tiny_cpu_0")["found"] == "no ELF file"
