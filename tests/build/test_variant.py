"""A built variant on disk: its files, its metadata, what must not be in it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.build.running import ask_python
from tests.evaluation import build, read_variant
from tests.tiny_kernel import BUILD, TinyKernel

EXTENSION = re.compile(r"_tiny_cpu_[0-9a-f]+")


@pytest.fixture(scope="module")
def metadata(built: Path) -> dict[str, object]:
    """The metadata of the tiny kernel."""
    found: dict[str, object] = json.loads((built / "metadata.json").read_text())
    return found


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_layout_is_the_published_one(built: Path, metadata: dict[str, object]) -> None:
    assert EXTENSION.fullmatch(str(metadata["id"]))
    assert files_of(built) == {
        "__init__.py",
        "_ops.py",
        f"{metadata['id']}.abi3.so",
        "metadata.json",
        "tiny/__init__.py",
    }


def test_the_metadata_has_the_operators(metadata: dict[str, object]) -> None:
    assert metadata["operators"] == ["answer() -> int"]


def test_the_extension_has_no_names_of_local_symbols(built: Path) -> None:
    (extension,) = built.glob("*.abi3.so")
    with extension.open("rb") as file:
        binary = ELFFile(file)
        assert binary.get_section_by_name(".dynsym")
        assert not binary.get_section_by_name(".symtab")


def test_only_files_with_an_ending_of_pyext_are_published(tmp_path: Path) -> None:
    tiny = TinyKernel(
        tmp_path,
        {
            "torch-ext/tiny/part/one.py": "",
            "torch-ext/tiny/part/one.pyi": "",
            "torch-ext/tiny/part/table.json": "{}",
            "torch-ext/tiny/part/notes.txt": "",
            "torch-ext/tiny/include/deeper/nothing.h": "",
            "torch-ext/tiny/__pycache__/x.py": "",
        },
    )
    build_toml = (tiny.folder / "build.toml").read_text()
    pyext = '[torch]\npyext = ["py", "json"]'
    tiny.write("build.toml", build_toml.replace("[torch]", pyext))
    # A folder of which nothing is published would be an empty one.
    files = files_of(build(read_variant(tiny.folder).drv))
    assert files >= {"__init__.py", "part/one.py", "part/table.json"}
    assert not files & {"part/one.pyi", "part/notes.txt", "__pycache__/x.py"}


def test_the_metadata_says_what_it_is(metadata: dict[str, object]) -> None:
    expected = {
        "name": "tiny",
        "version": 1,
        "license": "mit",
        "python-depends": [],
        "backend": {"type": "cpu"},
    }
    assert {key: metadata.get(key) for key in expected} == expected
    provenance = metadata["provenance"]
    assert isinstance(provenance, dict)
    assert re.fullmatch(r"\d+\.\d+\.\d+", provenance["kernel-builder"]["version"])


def test_the_shortest_build_toml_gives_complete_metadata(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    short = re.sub(r"(?m)^(version|edition|license) = .*\n", "", BUILD)
    assert short.count(" = ") == BUILD.count(" = ") - 3
    tiny.write("build.toml", short)
    # The check inside the build is the public client's.
    metadata = json.loads((build(read_variant(tiny.folder).drv) / "metadata.json").read_text())
    assert (metadata["version"], metadata["license"]) == (1, "unknown")


def test_the_public_client_accepts_metadata_and_digest(built: Path, tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from kernels.verify import Digest, DigestValidationError, Metadata
variant = Path(sys.argv[1])
metadata = Metadata.from_bytes((variant / "metadata.json").read_bytes())
try:
    metadata.digest.validate(Digest.hash_variant(metadata.digest.algorithm, variant))
except DigestValidationError as error:
    sys.exit(f"refused: {error.violations}")
print(metadata.name)
"""
    assert ask_python(program, str(built), home=tmp_path) == "tiny"
    changed = shutil.copytree(built, tmp_path / "changed")
    (changed / "__init__.py").chmod(0o644)
    (changed / "__init__.py").write_text("")
    with pytest.raises(AssertionError, match="refused: "):
        ask_python(program, str(changed), home=tmp_path)


def test_no_file_names_a_place_of_the_build(built: Path) -> None:
    for name in files_of(built):
        content = (built / name).read_bytes()
        for place in (b"/nix/store", b"/build/", b"/tmp/"):
            assert place not in content, f"{name} has {place!r}"


# The checks of these functions contain the names of their headers.
CHECKING = """\
#include <c10/util/ArrayRef.h>
#include <vector>
#include "answer.h"
int64_t answer() {
  volatile size_t index = 0;
  static std::vector<int64_t> numbers{21};
  return numbers[index] + c10::ArrayRef<int64_t>(numbers).at(index);
}
"""


def test_messages_name_headers_by_their_package(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path, {"answer/answer.cpp": CHECKING})
    flags = 'cxx-flags = ["-D_GLIBCXX_ASSERTIONS"]\ninclude ='
    tiny.write("build.toml", BUILD.replace("include =", flags))
    (library,) = build(read_variant(tiny.folder).drv).glob("*.so")
    content = library.read_bytes()
    for header in (
        rb"\0torch/include/[\w/]*ArrayRef\.h\0",
        rb"\0toolchain/usr/[\w/+]*stl_vector\.h\0",
    ):
        assert re.search(header, content)
    assert b"/nix/store" not in content


def test_the_extension_stands_alone(built: Path, metadata: dict[str, object]) -> None:
    with (built / f"{metadata['id']}.abi3.so").open("rb") as file:
        elf = ELFFile(file)
        dynamic = elf.get_section_by_name(".dynamic")
        symbols = elf.get_section_by_name(".dynsym")
        assert isinstance(dynamic, DynamicSection)
        assert isinstance(symbols, SymbolTableSection)
        tags = {tag.entry.d_tag for tag in dynamic.iter_tags()}
        needed = {
            symbols.stringtable.get_string(tag.entry.d_val)
            for tag in dynamic.iter_tags()
            if tag.entry.d_tag == "DT_NEEDED"
        }
        visible = {
            symbol.name
            for symbol in symbols.iter_symbols()
            if symbol.entry.st_shndx != "SHN_UNDEF" and symbol.entry.st_info.bind != "STB_LOCAL"
        }
    assert not tags & {"DT_RPATH", "DT_RUNPATH"}
    assert {"libtorch_cpu.so", "libc10.so"} <= needed
    assert "libstdc++.so.6" not in needed
    assert visible == {f"PyInit_{metadata['id']}"}


ANSWER = "import tiny; print(tiny.answer())"


def test_it_is_imported_by_name(built: Path, tmp_path: Path) -> None:
    assert ask_python(ANSWER, home=tmp_path, path=built) == "42"


def test_it_needs_no_python_that_knows_the_suffix(built: Path, tmp_path: Path) -> None:
    """Free-threaded Pythons do not take a file `.abi3.so` for an extension module."""
    without = """
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
import kernels, torch
sys.path_hooks[:] = [FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))]
sys.path_importer_cache.clear()
"""
    assert ask_python(without + ANSWER, home=tmp_path, path=built) == "42"
