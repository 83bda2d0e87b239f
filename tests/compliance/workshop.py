"""Makes binaries for checks."""

import json
import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.compliance.checking_programs import Said, run_check

SYSTEM = f"{platform.machine()}-linux"
NAME = f"torch213-cxx11-cpu-{SYSTEM}"
ENTRY = """\
void *PyModule_Create2(void *, int);
void *PyInit__tiny_cpu_0(void) { return PyModule_Create2(0, 3); }
"""
ONLY_ENTRY = "{ global: PyInit_*; local: *; };\n"
# The functions of a library that binaries are linked with.
FUNCTIONS = ("piece", "inflate", "inflate_table")


@dataclass(frozen=True)
class Workshop:
    folder: Path
    toolchain: Path
    python: Path
    platform: Path

    def gcc(self, *arguments: str | Path) -> None:
        argv = [str(self.toolchain / "bin" / "g++"), *map(str, arguments)]
        # The toolchain's assembler and linker.
        environment = {**os.environ, "PATH": str(self.toolchain / "bin")}
        subprocess.run(argv, cwd=self.folder, env=environment, check=True)

    def check(
        self,
        source: str,
        *,
        flags: tuple[str, ...] = (),
        library: str = "",
        name: str = NAME,
        compile_flags: tuple[str, ...] = (),
        exports: str = ONLY_ENTRY,
        symbols: dict[str, str] | None = None,
        entry: str = ENTRY,
        file: str = "_tiny_cpu_0.abi3.so",
        python_depends: tuple[str, ...] = (),
    ) -> Said:
        """Make a variant from one source and check it.

        `library` names a library to link with; `symbols` are lists of symbols by library, of this
        one if there are no others.
        """
        if library:
            text = "".join(f".globl {f}\n.type {f},%function\n{f}: .byte 0\n" for f in FUNCTIONS)
            flags = (*flags, self.make_library(library, text))
            symbols = {library: "\n".join(FUNCTIONS)} if symbols is None else symbols
        (self.folder / "unit.cpp").write_text(f'extern "C" {{\n{entry}}}\n{source}')
        (self.folder / "exports.map").write_text(exports)
        self.gcc("-O1", "-fPIC", *compile_flags, "-c", "unit.cpp", "-o", "unit.o")
        variant = self.folder / name
        variant.mkdir(exist_ok=True)
        (variant / "metadata.json").write_text(json.dumps({"python-depends": python_depends}))
        binary = variant / file
        self.gcc("-shared", "-o", binary, "unit.o", *flags, "-Wl,--version-script=exports.map")
        lists = self.folder / "lists"
        lists.mkdir(exist_ok=True)
        for library, content in (symbols or {}).items():
            (lists / library).write_text(content)
        return run_check(
            self.python,
            "abi_check",
            *("--symbols", self.platform, "--symbols", lists),
            *("--object", "tiny/unit.cpp", self.folder / "unit.o"),
            variant,
            path=self.toolchain / "bin",
        )

    def make_library(self, name: str, source: str, *flags: str) -> str:
        (self.folder / "library.s").write_text(source)
        self.gcc("-shared", "-nostdlib", f"-Wl,-soname,{name}", *flags, "-o", name, "library.s")
        return str(self.folder / name)
