"""The parts of libstdc++ that are linked into a kernel work with glibc 2.28."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.build.running import ask_python
from tests.evaluation import ROOT, build, read_variant

PROGRAM = """
import json, sys
from pathlib import Path
from kernels import get_local_kernel
ops = get_local_kernel(Path(sys.argv[1]), backend="cpu").ops
found = {}
for name, arguments in json.loads(sys.argv[2]).items():
    try:
        found[name] = getattr(ops, name)(*arguments)
    except IndexError as error:
        found[name] = str(error)
print(json.dumps(found))
"""
# Arguments of functions that take some.
ARGUMENTS: dict[str, Any] = {"mathematics": [1.5], "digits": [0.1]}
EXPECTED: dict[str, Any] = {
    # 5 bytes of one file and 7 of the other.
    "files": 12,
    "randomness": 1,
    "mathematics": "4.48169 1.83712 0.584963 2.59808 0.511828 -0.120782",
    # One bit for each of seven waits.
    "waits": 127,
    # 1 + 2 + 3 + 4, and 100 from each thread's end.
    "threads": 410,
    "thread_identity": 1,
    "digits": "0.1 0.100 same",
    "caught_from_torch": "Error exception IndexError",
    "thrown_to_torch": "not in the kernel",
}


@pytest.fixture(scope="module")
def variant() -> Path:
    return build(read_variant(ROOT / "tests" / "compliance" / "libstdcxx").drv)


def test_each_part_works(variant: Path, tmp_path: Path) -> None:
    calls = {name: ARGUMENTS.get(name, []) for name in EXPECTED} | {"files": [str(tmp_path)]}
    said = ask_python(PROGRAM, str(variant), json.dumps(calls), home=tmp_path)
    assert json.loads(said) == EXPECTED


def test_what_a_newer_glibc_would_give_is_not_asked_for(variant: Path) -> None:
    (binary,) = variant.glob("*.abi3.so")
    content = binary.read_bytes()
    # No symbol version is newer than glibc 2.28.
    for version in (b"GLIBC_2.29", b"GLIBC_2.3", b"GLIBCXX_", b"CXXABI_"):
        asked = content.split(b"\0" + version)[1:]
        assert not [rest for rest in asked if rest[:1].isdigit()], version


def test_nothing_of_the_library_is_taken_from_elsewhere(variant: Path) -> None:
    """Torch's libraries export some of its functions by accident, other ones in each release."""
    (binary,) = variant.glob("*.abi3.so")
    with binary.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".dynsym")
        assert isinstance(table, SymbolTableSection)
        wanted = [each.name for each in table.iter_symbols() if each["st_shndx"] == "SHN_UNDEF"]
    assert "PyModule_Create2" in wanted
    assert not [name for name in wanted if re.match(r"_Z(N?[KOR]*|T[VISC])St", name)]
