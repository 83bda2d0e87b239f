"""The ABI check on binaries with one defect each."""

from typing import Any, NamedTuple

import pytest

from tests.compliance.checking_programs import run_check
from tests.compliance.workshop import NAME, SYSTEM, Workshop


class Case(NamedTuple):
    """A source, the exit status, parts of the output, and options of `Workshop.check`."""

    source: str
    status: int
    parts: tuple[str, ...]
    options: dict[str, Any]


def fine(source: str, *parts: str, **options: Any) -> Case:
    return Case(source, 0, parts, options)


def wrong(source: str, *parts: str, **options: Any) -> Case:
    return Case(source, 1, parts, options)


def calling(function: str, attribute: str = "") -> str:
    """Return a source that calls a function of C if there is one."""
    declared = f'void function() __asm__("{function}"){attribute};\n'
    return f"{declared}void use() {{ if (function) function(); }}"


def needing(library: str, *, is_fine: bool = False, **options: Any) -> Case:
    """Return a case of a binary that is linked with a library."""
    parts = () if is_fine else (f"found the library {library}",)
    return Case(calling("piece"), 0 if is_fine else 1, parts, {"library": library, **options})


def with_text(text: str) -> str:
    declared = 'extern const char text[];\nextern "C" const char *PyInit_text() { return text; }\n'
    return f'{declared}const char text[] = "{text}";\n'


CUDA13, CUDA12 = (f"torch213-cxx11-{toolkit}-{SYSTEM}" for toolkit in ("cu130", "cu126"))
OTHER = "aarch64" if SYSTEM.startswith("x86_64") else "x86_64"
ALL_VISIBLE = "{ global: *; };\n"
TVM_FFI: dict[str, Any] = {
    "name": f"tvm-ffi01-cpu-{SYSTEM}",
    "file": "_tiny_cpu_0.so",
    "entry": "int __tvm_ffi_answer(void) { return 42; }\n",
    "exports": "{ global: __tvm_ffi_*; local: *; };",
}
# A library of every machine that nothing loads unless a symbol list says so.
ATOMIC = calling("__atomic_load_16")
NOT_LOADED = (
    "undefined symbol __atomic_load_16, which only libatomic.so.1 has, and nothing loads this"
)

CASES = {
    "nothing special": fine(
        '#include <stdio.h>\nvoid hello() { puts("hello"); }',
        "GLIBCXX none 3.4.24",
        "Python 3.2 3.9",
        "exports PyInit__tiny_cpu_0 PyInit_*",
        "library libc.so.6 manylinux_2_28",
    ),
    "newer Python": wrong(
        calling("PyUnicode_AsUTF8AndSize"),
        "tiny/unit.cpp found PyUnicode_AsUTF8AndSize, in the stable ABI since Python 3.10",
    ),
    "private Python": wrong(
        calling("_PyObject_GetDictPtr"), "found _PyObject_GetDictPtr, not in Python's stable ABI"
    ),
    "Python of Windows": wrong(
        calling("PyErr_SetFromWindowsErr"), "PyErr_SetFromWindowsErr, not in Python's stable ABI"
    ),
    "unknown library": needing("libfoo.so.1"),
    "Torch's library": needing("libtorch_cpu.so", is_fine=True),
    "Torch's library without a symbol list": fine(
        calling("piece"), "not compared with libtorch_cpu.so", library="libtorch_cpu.so", symbols={}
    ),
    "CUDA for a CPU": needing("libcudart.so.13"),
    "CUDA": needing("libcudart.so.13", is_fine=True, name=CUDA13),
    "older CUDA": needing("libcudart.so.12", name=CUDA13),
    "CUDA 12": needing("libcudart.so.12", is_fine=True, name=CUDA12),
    "function of a library": fine(calling("inflate"), library="libz.so.1"),
    "inner function of a library": wrong(
        calling("inflate_table"), "found inflate_table of libz.so.1", library="libz.so.1"
    ),
    "weak inner function": fine(
        calling("inflate_table", " __attribute__((weak))"), library="libz.so.1"
    ),
    "missing symbol": wrong(
        "int missing(int);\nnamespace tiny { int use(int x) { return missing(x); } }",
        "tiny/unit.cpp found undefined symbol missing(int), which nothing provides",
    ),
    "missing weak symbol": fine(calling("missing", " __attribute__((weak))")),
    "visible function": wrong(
        "namespace tiny { int shared(int x) { return x; } }",
        "found visible to other libraries: tiny::shared(int) want only PyInit__tiny_cpu_0",
        exports=ALL_VISIBLE,
    ),
    "no entry": wrong("", "found no function PyInit__tiny_cpu_0", entry=""),
    "unique symbol": wrong(
        "inline int &once() { static int number = 0; return number; }\n"
        "int f() { return once()++; }",
        "unique symbols: once()::number",
        exports="{ global: PyInit_*; _ZZ4oncevE6number; local: *; };\n",
        compile_flags=("-fgnu-unique",),
    ),
    "run path": wrong("", "found the run path /opt/lib", flags=("-Wl,-rpath,/opt/lib",)),
    "old run path": wrong(
        "", "found the run path $ORIGIN", flags=("-Wl,--disable-new-dtags,-rpath,$ORIGIN",)
    ),
    "trace of the store": wrong(with_text("/nix/store/abc-x/lib"), "found /nix/store/abc-x/lib"),
    "trace of a build": wrong(with_text("see /build/kernel/a.cpp"), "found see /build/kernel"),
    "trace of a build in /tmp": wrong(
        with_text("/tmp/nix-build-relu.drv-0/a.cpp"), "found /tmp/nix-build-relu.drv-0/a.cpp"
    ),
    "another folder of that name": fine(with_text("my/build/folder")),
    "address": fine(with_text("https://example.org/build/")),
    "trace that only a debugger reads": fine(
        "int number() { return 3; }",
        "warning",
        "/build/unit.cpp",
        compile_flags=("-g", "-ffile-prefix-map=unit.cpp=/build/unit.cpp"),
    ),
    "another machine": wrong(
        "", f"want code for {OTHER}", name=f"torch213-cxx11-cpu-{OTHER}-linux"
    ),
    "TVM FFI": fine("int f() { return 1; }", "exports __tvm_ffi_answer __tvm_ffi_*", **TVM_FFI),
    "TVM FFI, visible function": wrong(
        "int f() { return 1; }", "want only __tvm_ffi_*", **{**TVM_FFI, "exports": ALL_VISIBLE}
    ),
    "TVM FFI, no function": wrong(
        "", "found no function __tvm_ffi_*", "TVM_FFI_DLL_EXPORT", **{**TVM_FFI, "entry": ""}
    ),
    "TVM FFI's library": needing("libtvm_ffi.so", is_fine=True, **TVM_FFI),
    "TVM FFI with Torch's library": needing("libtorch_cpu.so", **TVM_FFI),
    "TVM FFI's library for Torch": needing("libtvm_ffi.so"),
    "TVM FFI's library for Torch, declared": needing(
        "libtvm_ffi.so", is_fine=True, python_depends=("tvm-ffi",)
    ),
    "library that nothing loads": wrong(ATOMIC, NOT_LOADED),
    "library that the binary needs": fine(ATOMIC, flags=("-latomic",)),
    "library that Torch has loaded": fine(calling("piece"), symbols={"libtorch_cpu.so": "piece\n"}),
    "library that Torch's needs": fine(
        ATOMIC, symbols={"libtorch_cpu.so": "NEEDED libatomic.so.1\n"}
    ),
    "library that one of Torch's needs": fine(
        ATOMIC,
        symbols={"libtorch_cpu.so": "NEEDED libc10.so\n", "libc10.so": "NEEDED libatomic.so.1\n"},
    ),
    "library that another one needs": wrong(
        ATOMIC, NOT_LOADED, symbols={"libglib-2.0.so.0": "NEEDED libatomic.so.1\n"}
    ),
    "name of a library as that of a function": wrong(
        calling("piece"),
        "found undefined symbol piece, which nothing provides",
        symbols={"libc10.so": "NEEDED piece\n"},
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_binary(workshop: Workshop, case: Case) -> None:
    said = workshop.check(case.source, **case.options)
    assert said.status == case.status, said.errors
    words = " ".join((said.report + said.errors).split())
    assert [part for part in case.parts if part not in words] == []
    assert said.errors == "" or case.parts


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
    said = workshop.check(source, flags=(library, "-nostdlib"))
    assert said.status == 1
    assert said.errors.startswith(f"error: {NAME} does not load everywhere (1 problem)\n\n")
    assert said.problem(at="_tiny_cpu_0.abi3.so") == {
        "at": "_tiny_cpu_0.abi3.so\ntiny/unit.cpp",
        "found": "memcpy@GLIBC_2.38 of libc.so.6",
        "want": "GLIBC_2.28 or older (manylinux_2_28)",
        "fix": "call what an older system has too; take out .symver lines and archives that were "
        "made elsewhere",
    }


STABLE = f"torch-stable-abi211-cpu-{SYSTEM}"
OF_TORCH = ("aoti_torch_empty", "torch_library_impl", "uv_run", "_ZN2at3addEi", "_ZN5torch3addEi")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (calling("aoti_torch_empty"), None),
        (calling("torch_library_impl"), None),
        (calling("uv_run"), "uv_run"),
        ("namespace at { void add(int); }\nvoid use() { at::add(1); }", "at::add(int)"),
        ("namespace torch { void add(int); }\nvoid use() { torch::add(1); }", "torch::add(int)"),
    ],
)
def test_torch_outside_of_its_stable_abi(
    workshop: Workshop, source: str, found: str | None
) -> None:
    symbols = {"libtorch_cpu.so": "\n".join(OF_TORCH)}
    assert workshop.check(source, symbols=symbols).status == 0
    said = workshop.check(source, name=STABLE, symbols=symbols)
    assert said.status == (1 if found else 0)
    if found:
        problem = said.problem(at="_tiny_cpu_0")
        assert problem["found"] == found
        assert problem["want"] == "Torch's stable C interface (aoti_torch_*, torch_*)"


@pytest.mark.parametrize(
    ("name", "newest", "found"),
    [
        (STABLE, "2.12", None),
        (STABLE, "2.11", None),
        (STABLE, "2.9", "the stable ABI of Torch 2.11"),
        (NAME, "2.11", "no stable ABI"),
    ],
)
def test_the_newest_stable_abi(
    workshop: Workshop, name: str, newest: str, found: str | None
) -> None:
    (workshop.folder / name).mkdir()
    said = run_check(
        workshop.python, "abi_check", "--torch-stable-abi", newest, workshop.folder / name
    )
    assert said.status == (1 if found else 0)
    if found:
        problem = said.problem(at=name)
        assert problem["found"] == found
        assert problem["want"] == f"the stable ABI of Torch {newest} or older"


@pytest.mark.parametrize("size", [20, 100, 2000, None])
def test_a_file_that_is_no_whole_binary(workshop: Workshop, size: int | None) -> None:
    assert workshop.check("").status == 0
    variant = workshop.folder / NAME
    (binary,) = variant.glob("*.so")
    binary.write_bytes(binary.read_bytes()[:size] if size else b"no ELF")
    found = run_check(workshop.python, "abi_check", variant).problem(at="_tiny_cpu_0")["found"]
    assert found.startswith("a damaged ELF file: " if size else "no ELF file")


@pytest.mark.parametrize("runtime", ["GOMP_parallel", ""])
def test_a_parallel_loop_without_openmp(workshop: Workshop, runtime: str) -> None:
    guard = "_ZN3c1013ParallelGuardC1Eb"
    other = calling(runtime).replace("use", "run").replace("function", "other") if runtime else ""
    symbols = {"libc10.so": f"{guard}\n{runtime}"}
    said = workshop.check(calling(guard) + other, library="libc10.so", symbols=symbols)
    assert said.status == 0, said.errors
    if runtime:
        assert said.errors == ""
    else:
        assert "warning: loops for several threads run on one (1 problem)" in said.errors
        found = said.problem(at="tiny/unit.cpp")["found"]
        assert found == "at::parallel_for, compiled without OpenMP"
