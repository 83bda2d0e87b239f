"""`verify`: a kernel that is what it says, and one with a byte flipped in each kind of file."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from elftools.elf.elffile import ELFFile

from kernel_builder.commands.verify import verify
from kernel_builder.messages.errors import KernelBuilderError
from tests.author.authoring import clone_repository
from tests.evaluation import ROOT, SYSTEM, VARIANT
from tests.hub.built import make_bundle, write_variant
from tests.hub.client import REPO, Client, Uploader
from tests.hub.exchange import Hub
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

WHO = ("-c", "user.name=author", "-c", "user.email=author@example.invalid")
Fail = Callable[..., str]
ADDRESS = "https://example.invalid/me/kernels"
ELSEWHERE = f"torch213-cxx11-cpu-{'x86_64' if SYSTEM.startswith('aarch64') else 'aarch64'}-linux"
# Something in each section that a byte can be flipped in.
UNIT = """\
#include "answer.h"
extern "C" {
volatile int counter = 21;
__attribute__((noipa)) int twice(int number) { return number * 2; }
}
int64_t answer() { return twice(counter); }
"""
OTHER = '"""Another one."""\n\nfrom ._ops import ops\n\n\ndef answer() -> int:\n    return 43\n'


def git(folder: Path, *words: str) -> str:
    argv = ["git", "-C", str(folder), *WHO, *words]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


@dataclass
class Source:
    """A repository with a kernel, and what was built from its first commit."""

    folder: Path
    kernel: TinyKernel
    bundle: Path
    first: str
    second: str


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """A kernel built from a commit; its repository has gone on since, and its files, too."""
    folder = tmp_path_factory.mktemp("verify")
    builder = clone_repository(folder / "kernel-builder")
    flake = FLAKE.replace(str(ROOT), f"git+file://{builder}")
    text = BUILD.replace('license = "mit"', f'license = "mit"\nsource = "{ADDRESS}"')
    text = text.replace("[torch]", '[torch]\npyext = ["py", "bin"]')
    files = {
        # The import check takes longer than all else, and has tests of its own.
        "flake.nix": flake.replace("inherit self;", "inherit self; doGetKernelCheck = false;"),
        "build.toml": text,
        "answer/answer.cpp": UNIT,
        "torch-ext/tiny/table.bin": "data\n",
        "benchmarks/benchmark.py": "print(1)\n",
    }
    repository = folder / "kernels"
    kernel = TinyKernel(repository / "tiny", files)
    TinyKernel(repository / "other", {"build.toml": BUILD.replace('"tiny"', '"other"')})
    git(repository, "init", "--quiet")
    git(repository, "add", ".")
    run("nix", "--extra-experimental-features", "nix-command flakes", "flake", "lock",
        cwd=kernel.folder)  # fmt: skip
    first = commit(repository)
    run(str(ROOT / "python" / "bin" / "kernel-builder"), "build", ".", cwd=kernel.folder)
    bundle = shutil.copytree(kernel.folder / "result", folder / "bundle")
    for path in (bundle, *bundle.rglob("*")):
        path.chmod(0o755)
    kernel.write("torch-ext/tiny/__init__.py", OTHER)
    second = commit(repository)
    kernel.write("answer/answer.cpp", "no C++ at all")
    return Source(repository, kernel, bundle, first, second)


def run(*argv: str, cwd: Path) -> None:
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def commit(repository: Path) -> str:
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "a state")
    return git(repository, "rev-parse", "HEAD")


@pytest.fixture
def bundle(source: Source, tmp_path: Path) -> Path:
    """A copy of what was built, which a test may change."""
    return shutil.copytree(source.bundle, tmp_path / "bundle")


def flip(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def place_of(library: Path, symbol: str) -> int:
    """Return where in a file the content of a symbol is."""
    with library.open("rb") as opened:
        file: Any = ELFFile(opened)
        (found,) = file.get_section_by_name(".symtab").get_symbol_by_name(symbol)
        section = file.get_section(found["st_shndx"])
        return int(found["st_value"] - section["sh_addr"] + section["sh_offset"])


def found_in(verdict: dict[str, Any], ending: str) -> str:
    """Return what is said of the one file whose path ends so."""
    (found,) = (lines for path, lines in verdict["differences"].items() if path.endswith(ending))
    return "\n".join(found)


def test_what_is_published_is_what_its_commit_gives(
    source: Source, bundle: Path, client: Client
) -> None:
    write_variant(bundle / ELSEWHERE)
    (bundle / VARIANT / "metadata.json.sigstore").write_text("{}")
    assert client.upload(bundle).status == 0
    done = client("verify", REPO, "--source", str(source.folder))
    assert done.status == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{REPO}@v1, commit ")
    assert lines[0].endswith(" by somebody")
    # Neither the newest commit nor the files as they lie there now, which would not compile.
    assert f"    built from 'tiny' of {source.folder} at {source.first}" in lines
    metadata = json.loads((bundle / VARIANT / "metadata.json").read_text())
    builder = metadata["provenance"]["kernel-builder"]["commit"]
    (named,) = (line for line in lines if line.startswith("    with kernel-builder "))
    assert named.count(builder) == 2, "by the metadata and by the lock"
    at = lines.index("not compared:")
    assert lines[at + 1 : -1] == [
        f"  {ELSEWHERE}: this machine is {SYSTEM}",
        "  .gitattributes: no part of a variant",
        # That of the other system is of another commit.
        "  benchmarks/benchmark.py: the variants are of several commits",
        f"  build/{VARIANT}/metadata.json.sigstore: made after the build",
    ]
    # With the list of its sources, and without its signature.
    files = [path for path in (bundle / VARIANT).rglob("*") if path.is_file()]
    assert lines[-1] == f"{len(files)} files are the same, 0 differ"


def test_a_byte_flipped_in_each_kind_of_file(
    source: Source, bundle: Path, client: Client, hub: Hub
) -> None:
    assert client.upload(bundle).status == 0
    variant = bundle / VARIANT
    (library,) = variant.glob("*.so")
    code = library.read_bytes()
    for symbol in ("twice", "counter"):
        code = flip(code, place_of(library, symbol))
    metadata = (variant / "metadata.json").read_bytes()
    changes = {
        library.name: code,
        "__init__.py": flip((variant / "__init__.py").read_bytes(), -3),
        "table.bin": flip((variant / "table.bin").read_bytes(), 0),
        "metadata.json": metadata.replace(b'"mit"', b'"mis"'),
        "__pycache__/__init__.cpython-311.pyc": b"\0",
    }
    at = f"build/{VARIANT}"
    put: list[tuple[str, str, Any]] = [
        ("file", f"{at}/{name}", content) for name, content in changes.items()
    ]
    listed = f"provenance/{VARIANT}.cdx.json"
    put.append(("file", listed, flip((bundle / listed).read_bytes(), 20)))
    put += [("remove", f"{at}/_ops.py", None), ("file", "benchmarks/benchmark.py", b"print(0)\n")]
    hub.repositories.get(REPO).commit("v1", None, "tampered", put, create_pr=False)

    done = client("verify", f"{REPO}@v1", "--source", str(source.folder), "--json")
    assert done.status == 1, done.stderr
    verdict = json.loads(done.stdout)
    assert set(verdict["differences"]) == {path for _, path, _ in put}
    said = found_in(verdict, ".so").splitlines()
    assert [line.split(":")[0] for line in said] == [".text, in twice", ".data, in counter"]
    assert found_in(verdict, f"{at}/__init__.py").startswith("line ")
    assert found_in(verdict, "table.bin") == "line 1: 'eata', then 'data'"
    assert found_in(verdict, "metadata.json") == "license: 'mis', then 'mit'"
    assert found_in(verdict, "_ops.py") == "not published"
    assert found_in(verdict, ".pyc") == "published, and no build gives it"
    assert found_in(verdict, "benchmark.py") == "line 1: 'print(0)', then 'print(1)'"


def test_another_commit_gives_other_bytes(source: Source, bundle: Path, client: Client) -> None:
    metadata = bundle / VARIANT / "metadata.json"
    metadata.write_text(metadata.read_text().replace(source.first, source.second))
    bytecode = metadata.parent / "__pycache__" / "__init__.cpython-311.pyc"
    bytecode.parent.mkdir()
    bytecode.touch()
    # One variant, out of a repository that is named by the kernel's folder.
    done = client("verify", str(metadata.parent), "--source", str(source.kernel.folder), "--json")
    assert done.status == 1, done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["compared"][0]["origin"].endswith(source.second)
    assert verdict["compared"][0]["state"] == "built"
    # The operators are in a namespace of their own, by which the library is called.
    said = found_in(verdict, ".so").splitlines()
    assert said[0].startswith("built again, it is called _tiny_cpu_")
    assert said[0].split("_")[-1] not in str(list(verdict["differences"]))
    assert [line for line in said if line.startswith(".rodata")]
    assert verdict["not_compared"] == {
        f"build/{VARIANT}/__pycache__/{bytecode.name}": "made by a Python that imported it"
    }
    assert found_in(verdict, "__init__.py").startswith("line 1: ")
    assert "digest.files.__init__.py: " in found_in(verdict, "metadata.json")


@pytest.fixture
def fail(upload: Uploader) -> Fail:
    """Return what `verify` says, within this process, of that which cannot be verified."""

    def run_here(*words: str) -> str:
        done = CliRunner().invoke(verify, words)
        assert isinstance(done.exception, KernelBuilderError), done.output + upload.said()
        said = str(done.exception)
        assert all(f"    {word} " in said for word in ("at", "found", "want", "fix"))
        assert done.stdout == ""
        return said

    return run_here


@pytest.mark.parametrize(
    ("provenance", "found"),
    [
        ({}, "names no commit of the kernel"),
        ("nonsense", "names no commit of the kernel"),
        ({"kernel": {"commit": "--upload-pack=x"}}, "names no commit of the kernel"),
        ({"kernel": {"commit": "a" * 40, "dirty": True}}, "built while kernel had changes"),
        ({"kernel": {"commit": "a" * 40, "dirty": False}}, "no source in metadata.json"),
    ],
)
def test_what_says_too_little(fail: Fail, tmp_path: Path, provenance: Any, found: str) -> None:
    write_variant(tmp_path / "variant", provenance=provenance)
    assert found in fail(str(tmp_path / "variant"))


def test_an_address_that_is_a_command(fail: Fail, bundle: Path, tmp_path: Path) -> None:
    metadata = bundle / VARIANT / "metadata.json"
    command = f"ext::touch% {tmp_path}/hostile"
    metadata.write_text(metadata.read_text().replace(ADDRESS, command))
    assert "want   the https:// address" in fail(str(bundle))
    assert not (tmp_path / "hostile").exists()
    metadata.write_text(metadata.read_text().replace(command, f"{ADDRESS}\\u001b[2J"))
    assert r"/kernels\x1b[2J" in fail(str(bundle))


def test_a_commit_that_is_not_there(fail: Fail, source: Source, tmp_path: Path) -> None:
    made = make_bundle(tmp_path / "made", VARIANT)
    assert "want   a commit that git can fetch" in fail(str(made), "--source", str(source.folder))


def test_a_kernel_that_is_not_there(fail: Fail, source: Source, bundle: Path) -> None:
    metadata = bundle / VARIANT / "metadata.json"
    metadata.write_text(metadata.read_text().replace('"name": "tiny"', '"name": "small"'))
    said = fail(str(bundle), "--source", str(source.folder))
    assert "want   one folder with a flake.nix and a build.toml whose name is 'small'" in said


def test_a_variant_that_the_commit_does_not_have(fail: Fail, source: Source, bundle: Path) -> None:
    made_up = VARIANT.replace("torch213", "torch11")
    (bundle / VARIANT).rename(bundle / made_up)
    said = fail(str(bundle), "--source", str(source.folder))
    assert f'found  "{made_up}"' in said
    assert f'did you mean "{VARIANT}"' in said


def test_names_of_nothing(fail: Fail, upload: Uploader, bundle: Path) -> None:
    assert "is neither a folder nor a repository" in fail("nothing")
    assert "the Hub has no kernel org/none" in fail("org/none")
    assert upload(bundle).status == 0
    assert f"{REPO} has no variant at v7" in fail(f"{REPO}@v7")
    assert f"{REPO} has no variant at main" in fail(f"{REPO}@main")
    assert f'did you mean "{VARIANT}"' in fail(str(bundle), "--variant", f"{VARIANT}s")
