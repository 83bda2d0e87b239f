"""Shaders that are embedded as source, with Debian's clang in the place of Apple's."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.derivation import Derivation, closure_of, named
from tests.evaluation import TEST_PACKAGES, NixError, build, evaluate, fetch, outputs_of, path_of
from tests.metal.test_plan import BUILD, FILES, MAC, VARIANT, read_metal
from tests.planned_words import Words, flags_of
from tests.skipping import skip
from tests.tiny_kernel import TinyKernel

ADD = """\
// A comment, with é
#include <metal_stdlib>
#import <simd/simd.h>
#include "shared.h"
#include "inner/guarded.h"
using namespace metal;
#if defined(__HAVE_BFLOAT__) && __METAL_VERSION__ >= 310
typedef bfloat number;
#endif
#pragma METAL fp math_mode(safe)
#define TILE 8
kernel void add(device number *x [[buffer(0)]]) { x[TILE] += width + SCALE; }
"""
SCALE = """\
#include <metal_stdlib>
#include "shared.h"
#include "inner/guarded.h"
#ifdef METAL_KERNEL
kernel void scale() {}
#endif
"""
SOURCE = {
    "build.toml": BUILD.replace("[torch]", '[general.metal]\nembed = "source"\n\n[torch]'),
    "tiny/shared.h": "#pragma once\nconstant int width = 4;\n",
    "tiny/inner/guarded.h": "#ifndef GUARDED\n#define GUARDED\n#define SCALE 3\n#endif\n",
    "tiny/add.metal": ADD,
    "tiny/scale.metal": SCALE,
}
TEXT = """\
#include <metal_stdlib>
#include <simd/simd.h>
constant int width = 4;
using namespace metal;
typedef bfloat number;
#pragma METAL fp math_mode(safe)
kernel void add(device number *x [[buffer(0)]]) { x[8] += width + 3; }
#include <metal_stdlib>
kernel void scale() {}
"""
PROGRAM = """\
#define EMBEDDED_METALLIB_NAMESPACE shaders
#include "metallib.h"
#include <cstdio>
int main() { std::fwrite(shaders::metallib_data, 1, shaders::metallib_data_len, stdout); }
"""
# Declarations of Apple's that the header uses.
METAL_H = """\
#include <stddef.h>
typedef unsigned long NSUInteger;
enum { NSASCIIStringEncoding = 1 };
enum MTLLanguageVersion { MTLLanguageVersion4_0 = (4 << 16) + 0 };
__attribute__((objc_root_class)) @interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
- (void)release;
@end
@class NSError;
@interface NSString : NSObject
- (instancetype)initWithBytes:(const void *)bytes length:(NSUInteger)n encoding:(NSUInteger)e;
@end
@interface MTLCompileOptions : NSObject
@property MTLLanguageVersion languageVersion;
@end
@protocol MTLLibrary
@end
@protocol MTLDevice
- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source
                               options:(MTLCompileOptions *)options
                                 error:(NSError **)error;
@end
"""


@pytest.fixture(scope="module")
def programs() -> Path:
    """The folder with Debian's clang."""
    packages = f"(import {path_of(TEST_PACKAGES)}).${{builtins.currentSystem}}"
    drv = evaluate(f'(({packages}).rocmDebianHip {{ toolkit = "7.2"; }}).hip.drvPath')
    try:
        fetch(drv)
    except NixError as error:
        skip(f"the sources of Debian's clang cannot be had: {error}", installable=False)
    return build(drv) / "bin"


class Embedding:
    """The step that writes the header of a kernel, run on this machine."""

    def __init__(self, folder: Path, programs: Path, files: dict[str, str]) -> None:
        self.folder = folder
        self.kernel = TinyKernel(folder / "tiny", {**FILES, **SOURCE, **files}).folder
        step = named(read_metal(self.kernel)[0].path, "-metallib.h")
        self.script, self.variables = step.args[-1], {**step.env}
        self.build = folder / "build"
        self.build.mkdir()
        self.calls = folder / "calls"
        compiler = folder / "bin" / "clang++"
        compiler.parent.mkdir()
        compiler.write_text(
            f'#!/bin/sh\n{{ printf "%s\\n" "$@" && echo; }} >>{self.calls}\n'
            f'exec {programs}/clang -Wno-unused-command-line-argument "$@"\n'
        )
        compiler.chmod(0o755)

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run the step."""
        files = self.folder / "files"
        files.write_text(self.variables["files"])
        environment = {
            **self.variables,
            "filesPath": str(files),
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "out": str(self.folder / "metallib.h"),
        }
        argv = ["sh", "-eu", self.script]
        return subprocess.run(
            argv, cwd=self.build, env=environment, capture_output=True, text=True, check=False
        )

    def read_header(self) -> str:
        """Run the step and return the header."""
        done = self.run()
        assert (done.returncode, done.stderr) == (0, "")
        return (self.folder / "metallib.h").read_text()


def text_of(header: str) -> str:
    """Return the text in a header."""
    data = header.partition("metallib_data[] = {")[2].partition("};")[0]
    return bytes(int(byte, 16) for byte in re.findall(r"0x(..),", data)).decode("ascii")


def test_all_shaders_are_one_text(tmp_path: Path, programs: Path) -> None:
    text = text_of(Embedding(tmp_path, programs, {}).read_header())
    lines = [line for line in text.splitlines() if line and not line.startswith("#line")]
    assert lines == TEXT.splitlines()
    places = {line.split(maxsplit=2)[2] for line in text.splitlines() if line.startswith("#line")}
    files = ["add.metal", "scale.metal", "shared.h", "inner/guarded.h"]
    assert places == {f'"tiny/{file}"' for file in files}
    # Errors of the machine that loads it name the lines of the kernel.
    before = text.partition("kernel void add")[0].splitlines()
    last = max(at for at, line in enumerate(before) if line.startswith("#line"))
    assert before[last].endswith('"tiny/add.metal"')
    line = int(before[last].split()[1]) + len(before) - last - 1
    assert ADD.splitlines()[line - 1].startswith("kernel void add")


def test_the_header_has_the_text_to_the_byte(tmp_path: Path, programs: Path) -> None:
    header = Embedding(tmp_path, programs, {}).read_header()
    toolchain = build(
        evaluate(f"(import {path_of(TEST_PACKAGES)}).${{builtins.currentSystem}}.toolchain.drvPath")
    )
    (tmp_path / "show.cpp").write_text(PROGRAM)
    argv = [f"{toolchain}/bin/g++", "show.cpp", "-o", "show"]
    # The compiler starts an assembler and a linker by their names.
    subprocess.run(argv, cwd=tmp_path, check=True, env={"PATH": f"{toolchain}/bin"})
    assert subprocess.check_output([tmp_path / "show"], text=True) == text_of(header)


@pytest.mark.parametrize("arc", ["-fno-objc-arc", "-fobjc-arc"])
def test_the_function_that_compiles_the_text(tmp_path: Path, programs: Path, arc: str) -> None:
    embedding = Embedding(tmp_path, programs, {})
    embedding.read_header()
    (tmp_path / "Metal").mkdir()
    (tmp_path / "Metal/Metal.h").write_text(METAL_H)
    unit = evaluate(f"{outputs_of(embedding.kernel, system=MAC)}.plan.{VARIANT}.units")[1]
    defined = [flag for flag in unit["flags"] if flag.startswith("-DEMBEDDED_")]
    (tmp_path / "load.mm").write_text(
        "#include EMBEDDED_METALLIB_HEADER\n"
        "id<MTLLibrary> load(id<MTLDevice> device) {\n"
        "  NSError *error;\n"
        "  return EMBEDDED_METALLIB_NAMESPACE::createLibrary(device, &error);\n"
        "}\n"
    )
    argv = [f"{programs}/clang", "--target=arm64-apple-macosx26", "-Werror", "-fsyntax-only", arc]
    argv += ["-Wno-unused-command-line-argument"]
    subprocess.run([*argv, "-I.", *defined, "load.mm"], cwd=tmp_path, check=True)


def test_the_plan_says_how_shaders_are_preprocessed(tmp_path: Path, programs: Path) -> None:
    embedding = Embedding(tmp_path, programs, {})
    plan: dict[str, Any] = evaluate(f"{outputs_of(embedding.kernel, system=MAC)}.plan.{VARIANT}")
    embedding.read_header()
    call = embedding.calls.read_text().split("\n\n")[1].splitlines()
    shaders = [unit for unit in plan["units"] if unit["isEmbedded"]]
    assert {unit["compiler"] for unit in shaders} == {"clang++"}
    flags = [flags_of(unit) for unit in shaders]
    # One of them has a header of an unknown owner, so it sees all packages.
    assert flags[0] != flags[1]
    Words().check(call, *flags, ["-isystem", "../provided", "-"])


def test_xcode_compiles_nothing(tmp_path: Path) -> None:
    variant, steps = read_metal(TinyKernel(tmp_path / "tiny", {**FILES, **SOURCE}).folder)
    assert not [name for name in steps if name.endswith(".air")]
    header = named(variant.path, "-metallib.h")
    unit, link = named(variant.path, "load.mm.o"), named(variant.path, "-extension")
    assert header.path in unit.inputs

    def compilers(step: Derivation) -> list[str]:
        return re.findall(r"(apple-clang|xcode)-26", step.env["PATH"])

    others = [item for item in closure_of(variant.path) if item.name.endswith(".cpp.o")]
    for step in (header, unit, link, *others):
        assert compilers(step) == ["apple-clang"], step.name


def refusal_of(embedding: Embedding) -> str:
    """Run the step, which must refuse the shaders, and return its errors."""
    done = embedding.run()
    assert done.returncode == 1
    assert not (embedding.folder / "metallib.h").exists()
    return done.stderr


def test_a_macro_with_two_meanings(tmp_path: Path, programs: Path) -> None:
    files = {"tiny/scale.metal": "#define TILE 16\n"}
    errors = refusal_of(Embedding(tmp_path, programs, files))
    assert "tiny/scale.metal:1:9: error: 'TILE' macro redefined" in errors
    assert errors.endswith(
        "error: the shaders cannot be embedded as source\n\n"
        "       at     tiny/add.metal tiny/scale.metal\n"
        "       found  the error above\n"
        "       want   headers of the kernel or, in < and >, of Metal; "
        "one meaning for each macro in all shaders\n"
        '       fix    correct it, or write embed = "library" in [general.metal]\n'
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('#include "missing.h"', "'missing.h' file not found"),
        ("#include <../../../hostile.h>", "'../../../hostile.h' file not found"),
        ("#include <a/../../../hostile.h>", "'a/../../../hostile.h' file not found"),
        ("#include </hostile.h>", "'/hostile.h' file not found"),
        ("#include <$(touch hostile.h)>", "'$(touch hostile.h)' file not found"),
        ("#if __METAL_IOS__\n#endif", "'__METAL_IOS__' is not defined"),
        ("constant int größe = 1;", "found  constant int größe = 1;"),
    ],
)
def test_lines_that_are_refused(tmp_path: Path, programs: Path, line: str, message: str) -> None:
    embedding = Embedding(tmp_path, programs, {"tiny/scale.metal": f"{line}\n"})
    assert message in refusal_of(embedding)
    assert not [*embedding.folder.rglob("*hostile*")]


def test_headers_of_a_package(tmp_path: Path, programs: Path) -> None:
    # A package is a folder of the store, whose headers include others of Metal.
    embedding = Embedding(tmp_path, programs, {"tiny/scale.metal": "#include <pack/use.h>\n"})
    package = tmp_path / "store/include/pack"
    package.mkdir(parents=True)
    (package / "use.h").write_text("#include <metal_math>\nconstant int used = 1;\n")
    embedding.variables["flags"] += f"\n-isystem\n{package.parent}"
    text = text_of(embedding.read_header())
    use = '#line 1 "use.h"\n#include <metal_math>\n#line 2 "use.h"\nconstant int used = 1;\n'
    assert use in text
    assert str(tmp_path) not in text
