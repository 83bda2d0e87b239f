"""Compiles units with headers that record what pybind11 defines, into one library for each extension."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# The line of pybind11's `cpp_function` at which the function, its name and its arguments are known.
ANCHOR = "        initialize_generic(std::move(unique_rec), signature.text"
RECORD = "        kernel_builder::record<remove_reference_t<Func>, Return, Args...>(*rec, capture::from_data("
OF_THE_LINKER = {"_GLOBAL_OFFSET_TABLE_", "__dso_handle", "_DYNAMIC"}
# Options for CUDA code: the header that nvcc includes by itself, and attributes for `__global__` and `__device__`.
OF_DEVICE_CODE = ("-include", "cuda_runtime.h", "-D__CUDA_LIBDEVICE__")
# The name in an older Torch: a draft replaces it.
OF_AN_OLDER_TORCH = "-DAT_CHECK=TORCH_CHECK"
_OF_DEVICE = re.compile(r"__attribute__\(\((?:global|device)\)\)")
# Seconds of the processor, and bytes of addresses. Other work may hold up a process for as long as it likes.
SECONDS, BYTES = 200, 6 * 2**30
# Options that change what the preprocessor or the types of a unit are. Others do not matter here.
_KEPT = ("-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter", "-m", "-fopenmp")
_TAKE_A_WORD = {"-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter"}
_ABSENT = re.compile(r"fatal error: ([\w.+/-]+): No such file or directory")
MOST_ABSENT = 9
_ERROR = re.compile(r"^(.*?\b(?:fatal error|error): .*)$", re.MULTILINE)


@dataclass(frozen=True)
class Tools:
    """The compiler, and the folders of headers: `lean` are smaller sets of Torch's, tried in order."""

    compiler: Path
    stand_ins: Path
    lean: tuple[Path, ...]
    torch: Path
    system: tuple[Path, ...]
    libraries: Path


@dataclass
class Unit:
    """One translation unit: its object, or the first error of the compiler."""

    file: str
    flags: tuple[str, ...]
    include: tuple[str, ...]
    extension: str
    object: Path | None = None
    failed: str | None = None
    text: str = ""
    absent: list[str] = field(default_factory=list)


def run(command: Sequence[str | Path], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program with limits on time and memory."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    words = [str(each) for each in command]
    return subprocess.run(
        words, cwd=cwd, capture_output=True, text=True, errors="replace", preexec_fn=limit, check=False
    )


def keep_host_code(text: str) -> str:
    """Return preprocessed CUDA code for a compiler of C++: device code has no bodies, and launches are calls."""
    first, *rest = text.split("<<<")
    pieces = [launch.partition(">>>") for launch in rest]
    text = "".join([first, *("\n" * launch.count("\n") + after for launch, _, after in pieces)])
    kept, at = [], 0
    for match in _OF_DEVICE.finditer(text):
        # A declaration, or a variable, ends before a body.
        body = re.compile("[;{]").search(text, match.end())
        if match.start() < at or not body or body[0] == ";":
            continue
        start = max(text.rfind(sign, 0, match.start()) for sign in ";{}")
        if "__attribute__((host))" in text[start : body.start()]:
            continue
        depth, end = 1, body.end()
        while depth and (brace := re.compile("[{}]").search(text, end)):
            depth, end = depth + (1 if brace[0] == "{" else -1), brace.end()
        kept.append(text[at : body.end()] + "\n" * text.count("\n", body.end(), end) + "}")
        at = end
    return "".join([*kept, text[at:]])


def write_headers(torch: Path, folder: Path) -> None:
    """Write a copy of Torch's pybind11.h that records functions.

    Raises ValueError if pybind11 does not have the line that the recorder needs.
    """
    header = folder / "pybind11/pybind11.h"
    # Its headers include each other by their places.
    shutil.copytree(torch / "include/pybind11", header.parent)
    header.parent.chmod(0o755)
    text = header.read_text(encoding="utf-8")
    if text.count(ANCHOR) != 1:
        raise ValueError(f"internal error: pybind11.h of {torch} does not have the line {ANCHOR.strip()!r} once")
    data = "(sizeof(capture) <= sizeof(rec->data) ? (void**) &rec->data : (void**) rec->data[0])"
    text = text.replace(ANCHOR, f"{RECORD}{data})->f);\n{ANCHOR}")
    header.unlink()
    header.write_text(f"#include <kernel_builder/record.h>\n{text}", encoding="utf-8")


def keep_flags(flags: Iterable[str]) -> list[str]:
    """Return the flags of a unit that change its types."""
    kept: list[str] = []
    words = iter(flags)
    for word in words:
        if word in _TAKE_A_WORD:
            kept += [word, next(words, "")]
        elif word.startswith(_KEPT):
            kept.append(word)
    return kept


class Compiler:
    """Compiles units in `project`, with results in `folder`."""

    def __init__(self, tools: Tools, project: Path, folder: Path) -> None:
        self._tools, self._project, self._folder = tools, project, folder
        self._has_toolkit = any((each / "cuda_runtime.h").is_file() for each in tools.system)
        write_headers(tools.torch, folder / "headers")

    def _command(self, unit: Unit, lean: Path | None) -> list[str | Path]:
        tools = self._tools
        first = [self._folder / "headers", tools.stand_ins / "include"]
        first += [tools.stand_ins / "lean", lean] if lean else []
        torch = [tools.torch / "include", tools.torch / "include/torch/csrc/api/include"]
        include = [f"-I{each}" for each in unit.include]
        system = [f"-isystem{each}" for each in (*torch, *tools.system)]
        name = re.sub(r"\W", "_", unit.extension.rpartition(".")[2]) or "extension"
        given = [OF_AN_OLDER_TORCH, *keep_flags(unit.flags), *include]
        if not any("TORCH_EXTENSION_NAME" in each for each in given):
            given.append(f"-DTORCH_EXTENSION_NAME={name}")
        return [
            tools.compiler,
            *("-std=c++20", "-O0", "-g1", "-w", "-Wfatal-errors", "-fpermissive", "-fPIC", "-DNDEBUG"),
            "-DTORCH_API_INCLUDE_EXTENSION_H",
            *(f"-I{each}" for each in first),
            *given,
            *system,
        ]

    def compile(self, unit: Unit, number: int) -> None:
        """Compile a unit with the smallest headers that suffice, and keep its preprocessed text."""
        made, plain = self._folder / f"{number}.o", self._folder / f"{number}.ii"
        path = self._project / unit.file
        text = path.read_bytes() if path.exists() else b""
        # The smallest headers lack these macros, and what the bodies of functions call: this only saves a try.
        has_code = any(word in text for word in (b"TORCH_LIBRARY", b"RegisterOperators", b"return "))
        device = OF_DEVICE_CODE if self._has_toolkit and unit.file.endswith((".cu", ".cuh")) else ()
        for lean in (*self._tools.lean[has_code:], None):
            command = self._command(unit, lean)
            start = time.monotonic()
            # A file of device code may define operators, too.
            done = self._preprocess(unit, [*command, *device, "-E", "-x", "c++", unit.file, "-o", plain], number)
            if done.returncode == 0 and device:
                plain.write_text(keep_host_code(plain.read_text(encoding="utf-8", errors="replace")), encoding="utf-8")
            if done.returncode == 0:
                words: list[str | Path] = ["-c", "-x", "c++-cpp-output", plain, "-o", made]
                done = run([*command, *words], cwd=self._project)
            print(f"{unit.file}: {time.monotonic() - start:.1f} s with {lean or 'all of Torch'}", flush=True)
            if done.returncode == 0:
                unit.object, unit.failed = made, None
                unit.text = plain.read_text(encoding="utf-8", errors="replace")
                return
            found = _ERROR.search(done.stderr)
            unit.failed = found[1] if found else done.stderr[-400:].strip() or "the compiler was ended"
        if unit.absent:
            unit.failed = f"{unit.absent[0]}: No such file or directory"

    def _preprocess(self, unit: Unit, command: list[str | Path], number: int) -> subprocess.CompletedProcess[str]:
        """Preprocess a unit with empty files for headers that are not there: its types may not need them."""
        folder = self._folder / f"{number}.absent"
        while True:
            done = run([*command, f"-idirafter{folder}"], cwd=self._project)
            missing = _ABSENT.search(done.stderr)
            if not missing or ".." in missing[1] or len(unit.absent) == MOST_ABSENT:
                return done
            unit.absent.append(missing[1])
            (folder / missing[1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / missing[1]).touch()

    def link(self, units: Sequence[Unit], number: int) -> tuple[Path | None, str]:
        """Link the objects of an extension, and return the library, or the first error.

        Functions that no object and no library of Torch or Python defines return 0. The dynamic linker takes them
        from the last library.
        """
        objects: list[Path] = [unit.object for unit in units if unit.object]
        made, stubs = self._folder / f"{number}.so", self._folder / f"stubs{number}"
        listed = run([self._tools.compiler.with_name("readelf"), "--symbols", "--wide", *objects]).stdout
        # A symbol is a number, value, size, type, binding, visibility, section and name. Variables of threads, which
        # are those of the C++ library, have no stub.
        symbols = [words for words in map(str.split, listed.splitlines()) if len(words) == 8 and words[4] == "GLOBAL"]
        modules = [words[7] for words in symbols if words[6] != "UND" and words[7].startswith("PyInit_")]
        if len(modules) > len(set(modules)):
            return None, f"{max(modules, key=modules.count)} is in two files of this extension"
        names = {words[7] for words in symbols if words[6] == "UND" and words[3] != "TLS"} - OF_THE_LINKER
        stubs.with_suffix(".c").write_text(write_stubs(sorted(names)), encoding="utf-8")
        gcc = self._tools.compiler.with_name("gcc")
        done = run([gcc, "-w", "-fPIC", "-shared", stubs.with_suffix(".c"), "-o", stubs.with_suffix(".so")])
        if done.returncode == 0:
            libraries = [f"-l{each}" for each in ("torch_python", "torch_cpu", "c10", "stdc++", "m", "c")]
            folders = [f"-L{self._tools.libraries}", f"-Wl,-rpath,{self._tools.libraries}:{self._folder}"]
            options = ["-shared", "-Wl,--no-as-needed", "-Wl,-z,muldefs", "-Wl,--unresolved-symbols=ignore-all"]
            last: list[str | Path] = [*folders, *libraries, stubs.with_suffix(".so"), "-o", made]
            done = run([self._tools.compiler, *options, *objects, *last])
        return (made, "") if done.returncode == 0 else (None, done.stderr.strip().splitlines()[0])


def write_stubs(names: Sequence[str]) -> str:
    """Return code in C that defines symbols: functions that return 0 and record their name, tables, and types."""
    lines = [
        "#include <stdio.h>\n#include <stdlib.h>\nextern char vtable[] "
        '__asm__("_ZTVN10__cxxabiv117__class_type_infoE");',
        "static void called(const char *name) { static FILE *file; if (!file) file = "
        'fopen(getenv("KERNEL_BUILDER_RECORD"), "a"); fprintf(file, "{\\"kind\\": \\"called\\", \\"name\\": '
        '\\"%s\\"}\\n", name); fflush(file); }',
        "static long zero(void) { return 0; }",
    ]
    for number, name in enumerate(names):
        symbol = f'__asm__("{name}")'
        if name == "_ZTVN10__cxxabiv117__class_type_infoE":
            continue
        if name.startswith("_ZTI"):
            type_ = f"struct {{ void *table; const char *name; }} s{number}"
            lines.append(f'extern {type_} {symbol}; __typeof__(s{number}) s{number} = {{vtable + 16, "{name[4:]}"}};')
        elif name.startswith(("_ZTV", "_ZTT")):
            lines.append(f"extern void *s{number}[64] {symbol}; void *s{number}[64] = {{[0 ... 63] = zero}};")
        else:
            lines.append(f'long s{number}(void) {symbol}; long s{number}(void) {{ called("{name}"); return 0; }}')
    return "\n".join(lines) + "\n"
