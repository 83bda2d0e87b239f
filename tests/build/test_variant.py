"""A built variant on disk, as files and through the Python API."""

import json
import re
import shutil
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

import kernel_builder
from kernel_builder.publishing.identity import list_differences
from tests.build.running import ask_python
from tests.evaluation import VARIANT, build, evaluate, outputs_of, read_variant
from tests.tiny_kernel import BUILD, TinyKernel

EXTENSION = re.compile(r"_tiny_cpu_[0-9a-f]+")


@pytest.fixture(scope="module")
def metadata(built: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((built / "metadata.json").read_text())
    return found


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_files_and_metadata(built: Path, metadata: dict[str, object]) -> None:
    assert EXTENSION.fullmatch(str(metadata["id"]))
    assert files_of(built) == {
        "__init__.py",
        "_ops.py",
        f"{metadata['id']}.abi3.so",
        "metadata.json",
        "tiny/__init__.py",
    }
    expected = {
        "name": "tiny",
        "version": 1,
        "license": "mit",
        "operators": ["answer() -> int"],
        "operators-without-code": [],
        "python-depends": [],
        "backend": {"type": "cpu"},
    }
    assert {key: metadata.get(key) for key in expected} == expected
    provenance = metadata["provenance"]
    assert isinstance(provenance, dict)
    assert re.fullmatch(r"\d+\.\d+\.\d+", provenance["kernel-builder"]["version"])


def test_the_shortest_build_toml_and_files_of_pyext(tmp_path: Path) -> None:
    short = re.sub(r"(?m)^(version|edition|license) = .*\n", "", BUILD)
    assert short.count(" = ") == BUILD.count(" = ") - 3
    files = {
        "build.toml": short.replace("[torch]", '[torch]\npyext = ["py", "json"]'),
        "torch-ext/tiny/part/one.py": "",
        "torch-ext/tiny/part/one.pyi": "",
        "torch-ext/tiny/part/table.json": "{}",
        "torch-ext/tiny/part/notes.txt": "",
        # A folder of which nothing is published would be an empty one.
        "torch-ext/tiny/include/deeper/nothing.h": "",
        "torch-ext/tiny/__pycache__/x.py": "",
    }
    kernel = TinyKernel(tmp_path, {**files, "LICENSE": "Do what you like.\n"})
    built = build(read_variant(kernel.folder).drv)
    assert files_of(built) >= {"__init__.py", "part/one.py", "part/table.json"}
    assert not files_of(built) & {"part/one.pyi", "part/notes.txt", "__pycache__/x.py"}
    # The check inside the build reads metadata and digest as the public client does.
    metadata = json.loads((built / "metadata.json").read_text())
    assert (metadata["version"], metadata["license"]) == (1, "unknown")

    def find_changes() -> list[str] | None:
        asked = f'{outputs_of(kernel.folder)}.redistributable."{VARIANT}".identity'
        return list_differences(metadata, evaluate(asked))

    # Whoever has the published metadata can tell whether it is this build.
    assert find_changes() == []
    kernel.write("LICENSE", "Do nothing.\n")
    assert find_changes() == ["LICENSE"]
    kernel.write("torch-ext/tiny/part/one.py", "ONE = 1\n")
    kernel.write("build.toml", files["build.toml"].replace("[torch]", 'license = "mit"\n[torch]'))
    assert find_changes() == ["sources or tools", "license", "LICENSE"]


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
            for tag in dynamic.iter_tags("DT_NEEDED")
        }
        visible = {
            symbol.name
            for symbol in symbols.iter_symbols()
            if symbol.entry.st_shndx != "SHN_UNDEF" and symbol.entry.st_info.bind != "STB_LOCAL"
        }
        # Names of local symbols are left out.
        assert not elf.get_section_by_name(".symtab")
    assert not tags & {"DT_RPATH", "DT_RUNPATH"}
    assert {"libtorch_cpu.so", "libc10.so"} <= needed
    assert "libstdc++.so.6" not in needed
    assert visible == {f"PyInit_{metadata['id']}"}


# Free-threaded Pythons do not take a file `.abi3.so` for an extension module.
WITHOUT_THE_SUFFIX = """
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
import kernels, torch
sys.path_hooks[:] = [FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))]
sys.path_importer_cache.clear()
"""


@pytest.mark.parametrize("before", ["", WITHOUT_THE_SUFFIX], ids=["any", "free-threaded"])
def test_it_is_imported_by_name(built: Path, tmp_path: Path, before: str) -> None:
    answer = f"{before}import tiny; print(tiny.answer())"
    assert ask_python(answer, home=tmp_path, path=built) == "42"


ANSWER = "def answer() -> int:\n    return 42\n"
FOR_CUDA = BUILD.replace('["cpu"]', '["cpu", "cuda"]').replace('"cpu"\nd', '"cuda"\nd')
WITHOUT_SECTIONS = BUILD.partition("[kernel.answer]")[0]


@pytest.mark.parametrize("build_toml", [FOR_CUDA, WITHOUT_SECTIONS], ids=["cuda only", "none"])
def test_it_is_built_as_python_code(tmp_path: Path, build_toml: str) -> None:
    files = {"build.toml": build_toml, "torch-ext/tiny/__init__.py": ANSWER}
    tiny = TinyKernel(tmp_path / "tiny", files)
    variant = read_variant(tiny.folder, "torch-cpu")
    assert variant.objects == {}
    assert variant.plan["link"] is None
    built = build(variant.drv)
    assert not list(built.rglob("*.so"))
    assert json.loads((built / "metadata.json").read_text())["backend"] == {"type": "cpu"}
    assert ask_python("import tiny; print(tiny.answer())", home=tmp_path, path=built) == "42"


def test_ops_are_what_the_build_writes(built: Path) -> None:
    name = json.loads((built / "metadata.json").read_text())["id"]
    assert kernel_builder.render_ops(name, f"{name}.abi3.so") == (built / "_ops.py").read_text()
    with pytest.raises(ValueError, match='no framework "jax"'):
        kernel_builder.render_ops(name, None, framework="jax")


def test_import(built: Path, tmp_path: Path) -> None:
    assert kernel_builder.check_import(built) == ["answer() -> int"]
    broken = tmp_path / "broken"
    shutil.copytree(built, broken)
    (broken / "__init__.py").chmod(0o644)
    (broken / "__init__.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(kernel_builder.KernelBuilderError) as raised:
        kernel_builder.check_import(broken)
    assert "nothing_of_this_name" in str(raised.value)
