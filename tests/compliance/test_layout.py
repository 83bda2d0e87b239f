"""The layout check on a variant with one change each."""

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compliance.checking_programs import BY_NAME, Said, run_check
from tests.tiny_kernel import write_files

NAME = "torch213-cxx11-cpu-x86_64-linux"
IDENTITY = "_tiny_cpu_0"
METADATA: dict[str, object] = {
    "id": IDENTITY,
    "name": "tiny",
    "version": 1,
    "license": "mit",
    "python-depends": [],
    "backend": {"type": "cpu"},
}


def seal(variant: Path, /, **changes: object) -> None:
    """Write the metadata, with the digest of the files as they are."""
    files = {
        path.relative_to(variant).as_posix(): base64.b64encode(
            hashlib.sha256(path.read_bytes()).digest()
        ).decode()
        for path in variant.rglob("*")
        if path.is_file() and path != variant / "metadata.json" and path.suffix != ".pyc"
    }
    digest = {"algorithm": "sha256", "files": files}
    data = {**METADATA, "digest": digest, **changes}
    kept = {key: value for key, value in data.items() if value is not None}
    (variant / "metadata.json").write_text(json.dumps(kept))


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    files = {
        "__init__.py": "from ._ops import ops\n",
        "_ops.py": f"import torch\nops = torch.ops.{IDENTITY}\n",
        f"{IDENTITY}.abi3.so": "\x7fELF",
        "tiny/__init__.py": BY_NAME.read_text(),
    }
    folder = write_files(tmp_path / NAME, files)
    seal(folder)
    return folder


def check(python: Path, variant: Path, *options: str) -> Said:
    return run_check(python, "layout_check", *options, "--by-name", BY_NAME, variant)


def test_a_variant_for_tvm_ffi(check_python: Path, variant: Path) -> None:
    folder = variant.rename(variant.with_name("tvm-ffi01-cpu-x86_64-linux"))
    (folder / f"{IDENTITY}.abi3.so").rename(folder / f"{IDENTITY}.so")
    ops = f'import tvm_ffi\nops = tvm_ffi.load_module("{IDENTITY}.so")\n'
    write(folder, "_ops.py", ops)
    seal(folder)
    assert check(check_python, folder).status == 0
    write(folder, "_ops.py", ops.replace(".so", "1.so"))
    seal(folder)
    said = check(check_python, folder)
    assert said.problem(at="_ops.py")["found"] == f"nothing of {IDENTITY}"


def test_a_variant_as_it_should_be(variant: Path, check_python: Path) -> None:
    said = check(check_python, variant)
    assert (said.status, said.errors) == (0, "")
    assert said.report == "layout: 5 files, metadata and digest as the client reads them\n"
    # A signature is no part of what is signed.
    (variant / "metadata.json.sigstore").write_text("{}")
    said = check(check_python, variant, "--compiled")
    assert (said.status, said.errors) == (0, "")


def test_bytecode(variant: Path, check_python: Path) -> None:
    (variant / "__pycache__").mkdir()
    (variant / "__pycache__" / "x.cpython-311.pyc").write_bytes(b"")
    (variant / "y.pyc").write_bytes(b"")
    said = check(check_python, variant)
    assert said.problem(at="__pycache__")["found"] == "bytecode"
    assert said.problem(at="y.pyc")["found"] == "bytecode"
    assert "(2 problems)" in said.errors


def write(variant: Path, file: str, text: str = "") -> None:
    write_files(variant, {file: text})


Change = Callable[[Path], object]
# A change before the digest is computed, and the problem's place and text.
CHANGES: dict[str, tuple[Change, str, str]] = {
    "a cache": (lambda v: write(v, ".pytest_cache/x"), ".pytest_cache",
        "a leftover of another program"),
    "an empty folder": (lambda v: (v / "empty").mkdir(), "empty", "an empty folder"),
    "a link": (lambda v: (v / "link.py").symlink_to("_ops.py"), "link.py",
        "a symbolic link to _ops.py"),
    "a nested package": (lambda v: write(v, "tiny/layers.py"), "tiny/", "layers.py"),
    "another package of the name": (lambda v: write(v, "tiny/__init__.py", "x = 1\n"),
        "tiny/__init__.py", "another text than the builder's"),
    "another variant inside": (
        lambda v: write(v, "torch212-cxx11-cpu-x86_64-linux/metadata.json", "{}"),
        "torch212-cxx11-cpu-x86_64-linux/metadata.json", "a part of another variant"),
    "an extension in a folder": (lambda v: write(v, "deep/_tiny_cpu_1.abi3.so"),
        "deep/_tiny_cpu_1.abi3.so", "an extension in a folder"),
    "two extensions": (lambda v: write(v, "_tiny_cpu_1.abi3.so"), "the .abi3.so files",
        "_tiny_cpu_0.abi3.so, _tiny_cpu_1.abi3.so"),
    "no extension": (lambda v: (v / f"{IDENTITY}.abi3.so").unlink(), "the .abi3.so files", "none"),
    "no _ops.py": (lambda v: (v / "_ops.py").unlink(), "_ops.py", "no such file"),
    "no __init__.py": (lambda v: (v / "__init__.py").unlink(), "__init__.py", "no such file"),
    "ops of another build": (
        lambda v: write(v, "_ops.py", "import torch\nops = torch.ops._tiny_cpu_01\n"), "_ops.py",
        "nothing of torch.ops._tiny_cpu_0"),
    "a mode that nobody else can read": (lambda v: (v / "_ops.py").chmod(0o600), "_ops.py",
        "mode 600"),
    "a program that runs as its owner": (lambda v: (v / "_ops.py").chmod(0o4755), "_ops.py",
        "mode 4755"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "at", "found"), CHANGES.values(), ids=CHANGES)
def test_a_change(variant: Path, check_python: Path, change: Change, at: str, found: str) -> None:
    change(variant)
    seal(variant)
    said = check(check_python, variant)
    assert said.status == 1
    assert said.problem(at=at)["found"] == found
    assert said.errors.startswith(f"error: {NAME} is not laid out as a variant (")
    assert "(1 problem)" in said.errors


BOUND = {"variant": NAME, "provenance-list": {"algorithm": "sha256", "digest": "A" * 43 + "="}}
# Changed metadata with the place and a part of the problem. None is a missing key.
METADATA_CHANGES: list[tuple[dict[str, object], str, str]] = [
    ({"variant": "torch212-cpu"}, "metadata.json, variant", "'torch212-cpu'"),
    (
        {"provenance-list": {"algorithm": "md5", "digest": "A" * 43 + "="}},
        "metadata.json, provenance-list",
        "{'algorithm': 'md5', ",
    ),
    ({"id": None}, "metadata.json", "missing field `id`"),
    ({"python-depends": None}, "metadata.json", "missing field `python-depends`"),
    ({"backend": {"type": "xpu"}, "id": "_tiny_xpu_0"}, "metadata.json, backend.type", "xpu"),
    ({"digest": None}, "metadata.json, digest", "none"),
]


@pytest.mark.parametrize(("changes", "at", "found"), METADATA_CHANGES)
def test_metadata(
    variant: Path, check_python: Path, changes: dict[str, object], at: str, found: str
) -> None:
    seal(variant, **BOUND)
    assert check(check_python, variant).status == 0
    seal(variant, **{**BOUND, **changes})
    problem = check(check_python, variant).problem(at=at)
    assert found in problem["found"]
    if "missing field" in found:
        assert problem["fix"].startswith("state the key in [general] of build.toml")


def test_no_metadata(variant: Path, check_python: Path) -> None:
    (variant / "metadata.json").unlink()
    assert check(check_python, variant).problem(at="metadata.json")["found"] == "no such file"


def test_the_digest(variant: Path, check_python: Path) -> None:
    write(variant, "__init__.py", "changed = True\n")
    write(variant, "new.py")
    said = check(check_python, variant)
    assert "mismatch" in said.problem(at="__init__.py")["found"]
    assert said.problem(at="new.py")


def test_a_folder_that_no_client_looks_for(variant: Path, check_python: Path) -> None:
    renamed = variant.rename(variant.with_name("mine"))
    assert check(check_python, renamed).problem(at="the folder")["found"] == "mine"


def test_a_variant_without_compiled_code(variant: Path, check_python: Path) -> None:
    noarch = variant.rename(variant.with_name("torch-cpu"))
    said = check(check_python, noarch)
    assert said.problem(at="the .abi3.so files")["found"] == f"{IDENTITY}.abi3.so"
    (noarch / f"{IDENTITY}.abi3.so").unlink()
    seal(noarch)
    assert check(check_python, noarch).status == 0


def test_the_plan_says_whether_code_is_compiled(variant: Path, check_python: Path) -> None:
    said = check(check_python, variant, "--no-compiled")
    assert "none: the variant is for kernels without compiled code" in said.errors
