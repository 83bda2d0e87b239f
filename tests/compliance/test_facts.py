"""The facts that `check-builds` prints of a variant."""

import json
import re
import struct
from typing import Any

import pytest

from tests.compliance.checking_programs import Said, run_check
from tests.compliance.test_abi import calling
from tests.compliance.workshop import NAME, SYSTEM, Workshop

CUDA, ROCM = (f"torch213-cxx11-{compute}-{SYSTEM}" for compute in ("cu130", "rocm72"))


def fat_binary(*images: tuple[int, int, int, int]) -> bytes:
    """Return a fat binary with images: kind, target, flags and size."""
    entries = b"".join(
        struct.pack("<HHIQIIHHI", kind, 0x101, 64, size, 0, 0, 0, 0, target)
        + struct.pack("<IIQQQ", 0, 0, flags, 0, 0)[: 64 - 32]
        + bytes(size)
        for kind, target, flags, size in images
    )
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entries)) + entries


def bundle(*images: tuple[str, int]) -> bytes:
    """Return a bundle of clang with images: target and size."""
    entries = b"".join(
        struct.pack("<QQQ", 4096, size, len(name)) + name.encode() for name, size in images
    )
    return b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(images)) + entries


def ask(
    workshop: Workshop, name: str, metadata: dict[str, Any], published: dict[str, int] | None = None
) -> tuple[dict[str, Any], Said]:
    """Return the facts of a variant that the workshop made, and what is said besides."""
    (workshop.folder / name / "metadata.json").write_text(json.dumps(metadata))
    said = run_check(
        workshop.python,
        "abi_check",
        *("--symbols", workshop.platform, "--symbols", workshop.folder / "lists"),
        *("--facts", json.dumps(published or {}), workshop.folder / name),
    )
    facts = json.loads(said.report)
    # The widths of columns do not matter.
    return {**facts, "text": re.sub("[ \n]+", " ", facts["text"])}, said


def with_code(workshop: Workshop, name: str, section: str, code: bytes) -> None:
    (workshop.folder / "code").write_bytes(code)
    text = f'.section {section}, \\"a\\"\\n.balign 4096\\n.incbin \\"code\\"\\n.previous'
    assert workshop.check(f'__asm__("{text}");', name=name).status == 0


def targets(facts: dict[str, Any]) -> dict[str, tuple[bool | None, int]]:
    return {each["target"]: (each["requested"], each["code"]) for each in facts["targets"]}


CODE = fat_binary((2, 80, 0, 24), (2, 90, 1 << 20, 32), (2, 120, 0, 40), (1, 120, 0, 16))


def test_device_code_for_nvidia(workshop: Workshop) -> None:
    # A library has a fat binary of each unit.
    with_code(workshop, CUDA, ".nv_fatbin", CODE + CODE)
    archs = ["8.0", "9.0a", "12.0+PTX"]
    facts, said = ask(workshop, CUDA, {"backend": {"archs": archs}})
    assert targets(facts) == {
        "8.0": (True, 48),
        "9.0a": (True, 64),
        "12.0": (True, 80),
        "12.0+PTX": (True, 32),
    }
    assert said.status == 0
    assert "device code 12.0+PTX 32 bytes " in facts["text"]


def test_a_target_without_code_is_an_error(workshop: Workshop) -> None:
    with_code(workshop, CUDA, ".nv_fatbin", CODE)
    facts, said = ask(workshop, CUDA, {"backend": {"archs": ["8.0", "8.9", "9.0a+PTX"]}})
    assert targets(facts)["8.9"] == (True, 0)
    assert targets(facts)["12.0"] == (False, 40)
    assert said.status == 1
    assert said.problem(at=CUDA)["found"] == "no device code for 8.9, 9.0a+PTX"
    assert "12.0 40 bytes, not requested in metadata.json" in facts["text"]


def test_another_tool_stated_no_targets(workshop: Workshop) -> None:
    with_code(workshop, CUDA, ".nv_fatbin", CODE)
    facts, said = ask(workshop, CUDA, {})
    assert targets(facts)["8.0"] == (None, 24)
    assert facts["operators"] is None
    assert said.status == 0
    assert "24 bytes, metadata.json states no targets" in facts["text"]
    assert "not recorded: no import check, or another tool made it" in facts["text"]


def test_code_may_be_compiled_at_run_time(workshop: Workshop) -> None:
    assert workshop.check("", name=CUDA).status == 0
    facts, said = ask(workshop, CUDA, {"backend": {"archs": ["9.0a"]}})
    assert targets(facts) == {"9.0a": (True, 0)}
    assert said.status == 0


def test_device_code_for_amd(workshop: Workshop) -> None:
    kind, host = "hipv4-amdgcn-amd-amdhsa--", "host-x86_64-unknown-linux-gnu-"
    code = bundle((host, 0), (f"{kind}gfx942:xnack-", 100), (f"{kind}gfx1100", 200))
    with_code(workshop, ROCM, ".hip_fatbin", code)
    facts, _ = ask(workshop, ROCM, {"backend": {"archs": ["gfx942", "gfx1100"]}})
    assert targets(facts) == {"gfx942": (True, 100), "gfx1100": (True, 200)}


@pytest.mark.parametrize(
    ("name", "section", "code"),
    [
        (ROCM, ".hip_fatbin", b"CCOB" + bytes(60)),
        (ROCM, ".hip_fatbin", bundle(("x--gfx942", 1))[:40]),
        (CUDA, ".nv_fatbin", struct.pack("<IHHQ", 0xBA55ED50, 1, 0, 0) + bytes(64)),
        (f"torch213-cxx11-xpu20253-{SYSTEM}", ".code", CODE),
    ],
    ids=["compressed", "cut off", "no progress", "no reader"],
)
def test_code_that_nothing_here_reads(
    workshop: Workshop, name: str, section: str, code: bytes
) -> None:
    with_code(workshop, name, section, code)
    facts, said = ask(workshop, name, {"backend": {"archs": ["a"]}})
    assert facts["targets"] is None
    assert "device code not known: " in facts["text"]
    assert said.status == 0


def test_operators(workshop: Workshop) -> None:
    assert workshop.check("").status == 0
    metadata = {"operators": ["one(Tensor x) -> Tensor", "two.out(Tensor x) -> ()"]}
    metadata["operators-without-fake"] = ["one"]
    for without, implemented in ((None, [None, None]), (["two.out"], [True, False])):
        facts, said = ask(workshop, NAME, {**metadata, "operators-without-code": without})
        assert [each["implemented"] for each in facts["operators"]] == implemented
        assert said.status == 0
    assert "two.out(Tensor x) -> () NOT implemented for CPU symbols" in facts["text"]
    assert "Tensor implemented for CPU, no fake implementation for torch.compile" in facts["text"]
    said = ask(workshop, NAME, {"operators": ["one\n  symbols  left over  none"]})[1]
    assert "one symbols left over none" in json.loads(said.report)["text"]
    assert facts["targets"] == []


def test_who_provides_symbols(workshop: Workshop) -> None:
    source = "\n".join(
        calling(name).replace("function", f"of_{name}").replace("use", f"use_{name}")
        for name in ("piece", "puts", "PyErr_Clear", "nobody_has_this")
    )
    said = workshop.check(source, library="libtorch_cpu.so")
    assert "nobody_has_this" in said.errors
    facts, _ = ask(workshop, NAME, {})
    provided = {(each["provider"], each["library"]): each["symbols"] for each in facts["symbols"]}
    assert provided.keys() == {
        ("Python", "Python"),
        ("Torch", "libtorch_cpu.so"),
        ("system", "libc.so.6"),
    }
    assert provided["Python", "Python"] == 2
    assert facts["symbols-left-over"] == ["nobody_has_this"]
    assert facts["symbols-not-compared"] == 0
    assert "symbols left over nobody_has_this" in facts["text"]
    # Without the library's symbols, it may have them.
    (workshop.folder / "lists" / "libtorch_cpu.so").unlink()
    facts, _ = ask(workshop, NAME, {})
    assert facts["symbols-left-over"] == []
    assert facts["symbols-not-compared"] == 2
    assert "not compared 2: no list of symbols of libtorch_cpu.so" in facts["text"]


def test_the_size_of_the_published_build(workshop: Workshop) -> None:
    assert workshop.check("").status == 0
    facts, _ = ask(workshop, NAME, {})
    size = sum(path.stat().st_size for path in (workshop.folder / NAME).iterdir())
    assert (facts["size"], facts["published-size"]) == (size, None)
    assert "size published - " in facts["text"]
    facts, _ = ask(workshop, NAME, {}, {NAME: 2 * size})
    assert facts["published-size"] == 2 * size
    assert "now -50.0%" in facts["text"]


def test_a_damaged_library_has_the_other_facts(workshop: Workshop) -> None:
    assert workshop.check("").status == 0
    (binary,) = (workshop.folder / NAME).glob("*.so")
    binary.write_bytes(binary.read_bytes()[:100])
    facts, _ = ask(workshop, NAME, {})
    assert facts["symbols"] == []
    assert facts["size"] > 100


def test_a_library_of_the_driver_is_named(workshop: Workshop) -> None:
    used = calling("piece")
    assert workshop.check(used, library="libcuda.so.1", name=CUDA).status == 0
    facts, _ = ask(workshop, CUDA, {})
    assert facts["driver"] == ["libcuda.so.1"]
    assert "driver libcuda.so.1 needed: an import fails where there is no driver" in facts["text"]
    assert workshop.check("", name=CUDA).status == 0
    assert ask(workshop, CUDA, {})[0]["driver"] == []
