"""The headers that a unit gets, for each way to write an include."""

from pathlib import Path

import pytest

from kernel_builder.nix import add_files
from tests.evaluation import Variant, read_variant
from tests.tiny_kernel import BINDING, BUILD, TinyKernel, edit

ANSWER = "answer/answer.cpp"
OTHER = "include/other.h"


def headers_of(variant: Variant, unit: str = ANSWER) -> set[str]:
    """Return the kernel's headers among the inputs of an object."""
    return {name for name, path in files_of(variant, unit).items() if path != "folder"} - {unit}


def files_of(variant: Variant, unit: str) -> dict[str, str]:
    """Return where each file of a unit comes from."""
    lines = variant.read_object(unit).env["files"].splitlines()
    return {name: path for path, name in (line.split(" ", 1) for line in lines)}


def test_only_what_is_included_is_reached(tiny: TinyKernel) -> None:
    tiny.write(OTHER, "\n")
    assert headers_of(read_variant(tiny.folder)) == {"answer/answer.h", "include/number.h"}


@pytest.mark.parametrize(
    "include",
    # Unit cases have the other spellings.
    [
        '#include "other.h"',
        "#include <other.h>",
        '#include "./../include/./other.h"',
        '#if 0\n#include "other.h"\n#endif',
        '# /* why */ include "other.h"',
        '#define HAS __has_include\n#if HAS("other.h")\n#endif',
    ],
)
def test_every_way_to_include_counts(tiny: TinyKernel, include: str) -> None:
    tiny.write(OTHER, "\n")
    tiny.write("answer/answer.h", include + "\n")
    assert OTHER in headers_of(read_variant(tiny.folder))


def test_a_file_that_nix_cannot_read_is_given_unread(tiny: TinyKernel) -> None:
    (tiny.folder / "answer" / "blob.bin").write_bytes(b"a\0b")
    tiny.write("answer/answer.h", "#include HEADER\n")
    assert "answer/blob.bin" in headers_of(read_variant(tiny.folder))


@pytest.mark.parametrize("include", ['"number.h"', "HEADER"])
def test_a_folder_may_hold_what_is_no_header(tiny: TinyKernel, include: str) -> None:
    tiny.write("build.toml", BUILD.replace('["include"]', '[".", "include"]'))
    tiny.write("answer/answer.h", f"#include {include}\n")
    (tiny.folder / "logo.png").write_bytes(b"\x89PNG\0\0")
    (tiny.folder / "result").symlink_to("include")
    (tiny.folder / "lost").symlink_to("no/such")
    (tiny.folder / "lost.txt").symlink_to("no/such")
    assert headers_of(read_variant(tiny.folder)) >= {"answer/answer.h", "include/number.h"}


def test_a_linked_header_counts_in_the_store_alone(tiny: TinyKernel) -> None:
    tiny.write("real/real.h", "#define NUMBER 7\n")
    number = tiny.folder / "include" / "number.h"
    number.unlink()
    number.symlink_to("../real/real.h")
    assert "include/number.h" not in files_of(read_variant(tiny.folder), ANSWER)
    # As in a flake, whose links cannot lead out of it.
    files = files_of(read_variant(Path(add_files([tiny.folder]))), ANSWER)
    assert Path(files["include/number.h"]).read_text() == "#define NUMBER 7\n"


def test_a_folder_of_sources_is_on_every_include_path(tiny: TinyKernel) -> None:
    tiny.write("csrc/other.h", "\n")
    tiny.write("csrc/number.h", "\n")
    tiny.write("answer/answer.h", '#include "other.h"\n')
    variant = read_variant(tiny.folder)
    assert headers_of(variant) >= {"answer/answer.h", "csrc/other.h"}
    flags = variant.read_object(ANSWER).env["flags"].splitlines()
    # After the listed ones.
    assert flags.index("-Iinclude") < flags.index("-Icsrc")


def test_a_unit_has_the_include_folders_of_its_own_component(tiny: TinyKernel) -> None:
    second = """
[kernel.second]
backend = "cpu"
depends = ["torch"]
include = ["second"]
src = ["second/second.cpp"]
"""
    tiny.write("build.toml", BUILD + second)
    tiny.write("second/second.cpp", '#include "registration.h"\n#include <number.h>\n')
    tiny.write("second/registration.h", "\n")
    variant = read_variant(tiny.folder)
    assert headers_of(variant, "second/second.cpp") == {"second/registration.h"}
    units = {unit["source"]: unit for unit in variant.plan["units"]}
    assert units["torch-ext/torch_binding.cpp"]["registrations"]
    assert "second/registration.h" not in units["torch-ext/torch_binding.cpp"]["headers"]


@pytest.mark.parametrize("include", ["../torch-ext/registration.h", "torch-ext/registration.h"])
def test_registration_by_its_path_in_the_existing_tool(tiny: TinyKernel, include: str) -> None:
    build = BUILD.replace('src = ["torch-ext/torch_binding.cpp"]', 'src = ["answer/binding.cpp"]')
    tiny.write("build.toml", build.replace("[torch]", '[torch]\ninclude = ["."]'))
    tiny.write("answer/binding.cpp", BINDING.replace("registration.h", include))
    files = files_of(read_variant(tiny.folder), "answer/binding.cpp")
    assert [name for name in files if "registration.h" in name] == ["torch-ext/registration.h"]


NAME = "#define NAME TORCH_EXTENSION_NAME\n"
INCLUDE = '#define HEADER "other.h"\n#include HEADER\n'
OWN_MACROS = (
    "#define TORCH_LIBRARY_EXPAND(NAME, MODULE) TORCH_LIBRARY(NAME, MODULE)\n"
    "#define REGISTER_EXTENSION(NAME)\n"
)


@pytest.mark.parametrize(
    ("files", "units"),
    [
        # The link serves the macros.
        ({}, set()),
        ({"torch-ext/torch_binding.cpp": f"{BINDING}\n{NAME}"}, {"torch-ext/torch_binding.cpp"}),
        ({"include/number.h": f"{NAME}#define NUMBER 1\n"}, {ANSWER}),
        ({"include/number.h": INCLUDE, OTHER: NAME}, {ANSWER}),
        # The kernel defines a macro itself.
        ({"torch-ext/registration.h": OWN_MACROS}, {"torch-ext/torch_binding.cpp"}),
    ],
)
def test_a_unit_depends_on_the_extensions_name_only_if_it_is_compiled_in(
    tiny: TinyKernel, files: dict[str, str], units: set[str]
) -> None:
    for name, text in files.items():
        tiny.write(name, text)
    before = read_variant(tiny.folder)
    edit(tiny.folder / "torch-ext/tiny/__init__.py")
    after = read_variant(tiny.folder)
    assert before.extension != after.extension
    changed = {unit for unit, drv in before.objects.items() if after.objects[unit] != drv}
    assert changed == units
