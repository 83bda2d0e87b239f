"""Precompiled headers of Torch and flags of the build change no byte of an object."""

import subprocess
from pathlib import Path

import pytest

from bench.one_unit import lay_out
from tests.evaluation import Variant, build, read_log, read_variant, realise
from tests.tiny_kernel import BUILD, TinyKernel

SOURCE = "torch-ext/torch_binding.cpp"
OTHER = "answer/answer.cpp"
# Static objects, a namespace without a name, templates, counters, and names of files.
UNIT = """\
#include <torch/library.h>
#include <map>
#include "../answer/answer.h"
#include "registration.h"
namespace {
std::map<std::string, int> seen{{__FILE__, __LINE__}, {"counter", __COUNTER__}};
template <typename T> struct Twice { static T of(T value) { return value + value; } };
}
int64_t twice() {
  TORCH_CHECK(!seen.empty(), "nothing was seen");
  c10::SmallVector<int64_t, 4> numbers{static_cast<int64_t>(seen.size()), 20};
  return Twice<int64_t>::of(numbers[0] + numbers[1]);
}
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("answer() -> int", &answer); }
REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""
ANSWER = """\
#include <c10/util/Exception.h>
#include "answer.h"
#include "number.h"
int64_t answer() { TORCH_CHECK(NUMBER > __COUNTER__, __FILE__); return NUMBER; }
"""
# A header in the kernel's own folder, called as one that Torch's include.
SHADOW = {
    OTHER: ANSWER.replace('"number.h"', "<c10/macros/Export.h>"),
    "include/c10/macros/Export.h": "#define NUMBER 42\n#include_next <c10/macros/Export.h>\n",
}
FULL = {"build.toml": BUILD.replace("[torch]\n", '[torch]\nheaders = "full"\n')}


def read(folder: Path, wanted: str, files: dict[str, str]) -> Variant:
    kernel = TinyKernel(folder, {**FULL, **files})
    return read_variant(kernel.folder, arguments=f"precompiledHeaders = {wanted};")


def precompiled(variant: Variant, source: str = SOURCE) -> str | None:
    """Return the place of the header that an object is compiled with."""
    return variant.read_object(source).env.get("precompiled")


def build_header(variant: Variant, source: str, file: str) -> str:
    """Build this header, which the store may lack beside the object, and return its folder."""
    item = variant.read_object(source)
    realise(*(drv for drv in item.inputs if "-precompiled-" in drv))
    folder = item.env["precompiled"]
    assert Path(folder, f"{file}.gch").is_file()
    return folder


def test_objects_and_extension_are_the_same_to_the_byte(tmp_path: Path) -> None:
    files = {SOURCE: UNIT, OTHER: ANSWER}
    plain, other = (read(tmp_path / wanted, wanted, files) for wanted in ("false", "true"))
    for source, header in ((SOURCE, "torch/library.h"), (OTHER, "c10/util/Exception.h")):
        assert precompiled(plain, source) is None
        made = build(other.objects[source])
        assert made.read_bytes() == build(plain.objects[source]).read_bytes()
        build_header(other, source, header)
        # gcc would say of one that it does not take why it does not.
        said = read_log(other.objects[source])
        assert "invalid-pch" not in said
        assert "not used" not in said
    assert plain.extension == other.extension
    linked = [
        {file.name: file.read_bytes() for file in build(variant.link.path).iterdir()}
        for variant in (plain, other)
    ]
    assert linked[0] == linked[1] != {}


SHARED = "// Shared.\n#pragma once\n#include <torch/library.h>\n#define ADDEND __COUNTER__\n"
BEGINS = UNIT.replace("#include <torch/library.h>", '/* All. */\n#include "shared.h"').replace(
    "static_cast<int64_t>(seen.size()), 20", "static_cast<int64_t>(seen.size()), ADDEND"
)


def test_a_unit_may_begin_with_a_header_of_the_kernel(tmp_path: Path) -> None:
    files = {SOURCE: BEGINS, "torch-ext/shared.h": SHARED}
    plain, other = (read(tmp_path / wanted, wanted, files) for wanted in ("false", "true"))
    made = build(other.objects[SOURCE])
    assert made.read_bytes() == build(plain.objects[SOURCE]).read_bytes()
    folder = build_header(other, SOURCE, "first.h")
    assert "invalid-pch" not in read_log(other.objects[SOURCE])
    # Units that include it themselves share it.
    assert folder == precompiled(read(tmp_path / "direct", "true", {SOURCE: UNIT}))


@pytest.mark.parametrize(
    "text",
    [
        SHARED.replace("#include", "#define C10_MOBILE\n#include"),
        "#include <map>\n#include <torch/library.h>\n",
    ],
)
def test_nothing_comes_before_torch_in_that_header(tmp_path: Path, text: str) -> None:
    files = {SOURCE: BEGINS, "torch-ext/shared.h": text}
    assert precompiled(read(tmp_path, "true", files)) is None


def test_a_header_that_the_kernel_shadows_is_read_as_ever(tmp_path: Path) -> None:
    plain, other = (read(tmp_path / wanted, wanted, SHADOW) for wanted in ("false", "true"))
    assert precompiled(other, OTHER)
    assert build(other.objects[OTHER]).read_bytes() == build(plain.objects[OTHER]).read_bytes()
    assert "a header of the kernel is called as one" in read_log(other.objects[OTHER])


def test_a_header_that_equals_one_of_torch_is_a_file_of_its_own(tmp_path: Path) -> None:
    flags = read(tmp_path / "first", "false", {}).read_object(SOURCE).env["flags"].splitlines()
    headers = Path(flags[flags.index("-isystem") + 1])
    files = {
        OTHER: f'#include <c10/util/Exception.h>\n#include "copy.h"\n{ANSWER}',
        # c10/util/Exception.h includes it. gcc compares a file with those of a precompiled header
        # by its content alone.
        "include/copy.h": (headers / "c10/util/string_utils.h").read_text(),
    }
    assert "#pragma once" in files["include/copy.h"]
    other = read(tmp_path / "other", "true", files)
    assert precompiled(other, OTHER)
    build(other.objects[OTHER])
    assert "equal to one" in read_log(other.objects[OTHER])


# On a small machine, gcc looks for memory to free from such a heap on.
OFTEN = ["--param=ggc-min-heapsize=131072", "--param=ggc-min-expand=30"]


def test_an_object_does_not_depend_on_how_often_gcc_frees_memory(tmp_path: Path) -> None:
    variant = read(tmp_path / "kernel", "false", {**FULL, SOURCE: UNIT})
    item, folder = variant.read_object(SOURCE), tmp_path / "alone"
    folder.mkdir()
    lay_out(item, folder)
    text = item.env["flags"].replace("@build/kernel@", str(folder))
    flags = [each for each in text.split("\n") if not each.startswith("--param=ggc-min-heapsize=")]
    assert len(flags) == text.count("\n")
    argv = [item.env["compiler"], *flags, *OFTEN, "-c", SOURCE, "-o", "unit.o"]
    subprocess.run(argv, cwd=folder, env={"PATH": item.env["PATH"]}, check=True)
    assert (folder / "unit.o").read_bytes() == build(item.path).read_bytes()
