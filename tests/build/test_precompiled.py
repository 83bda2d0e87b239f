"""Precompiled headers of Torch: the same object, from headers that all kernels share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.derivation import base_of
from tests.evaluation import Variant, build, read_log, read_variant
from tests.tiny_kernel import BINDING, BUILD, TinyKernel

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
    return variant.read_object(source).env.get("precompiled")


def test_objects_and_extension_are_the_same_to_the_byte(tmp_path: Path) -> None:
    files = {SOURCE: UNIT, OTHER: ANSWER}
    plain, other = (read(tmp_path / wanted, wanted, files) for wanted in ("false", "true"))
    for source, header in ((SOURCE, "torch/library.h"), (OTHER, "c10/util/Exception.h")):
        assert precompiled(plain, source) is None
        made = build(other.objects[source])
        assert made.read_bytes() == build(plain.objects[source]).read_bytes()
        folder = precompiled(other, source)
        assert folder
        assert (Path(folder) / f"{header}.gch").is_file()
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
    folder = precompiled(other)
    assert folder
    assert (Path(folder) / "first.h.gch").is_file()
    assert "invalid-pch" not in read_log(other.objects[SOURCE])
    # Units that include it themselves share it.
    assert folder == precompiled(read(tmp_path / "direct", "true", {SOURCE: UNIT}))


@pytest.mark.parametrize(
    "text",
    [
        SHARED.replace("#include", "#define C10_MOBILE\n#include"),
        SHARED.replace("#include", "struct Own;\n#include"),
        "#ifndef ONE\n#define OTHER\n#include <torch/library.h>\n#endif\n",
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


@pytest.mark.parametrize(
    "text",
    [
        '#include "../answer/answer.h"\n' + BINDING,
        "#include <map>\n" + BINDING,
    ],
)
def test_what_is_included_first_has_to_be_torchs(tmp_path: Path, text: str) -> None:
    assert precompiled(read(tmp_path, "true", {SOURCE: text})) is None


def test_few_units_have_none_unless_asked(tmp_path: Path) -> None:
    assert precompiled(read(tmp_path, "null", {})) is None


def test_many_units_share_one(tmp_path: Path) -> None:
    sources = [f"answer/part_{number}.cpp" for number in range(8)]
    listed = ", ".join(f'"{source}"' for source in sources)
    files = {source: f"#include <torch/all.h>\nint part_{source[-5]};\n" for source in sources}
    files["build.toml"] = FULL["build.toml"].replace('"answer/answer.cpp"', listed)
    variant = read(tmp_path, "null", files)
    (shared,) = {precompiled(variant, source) for source in sources}
    assert shared
    assert base_of(shared) == "precompiled-torch-all.h"
    assert precompiled(variant) is None
