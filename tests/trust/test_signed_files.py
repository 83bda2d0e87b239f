"""A signature is refused for files, variants or kernels that were changed or exchanged."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hub.built import list_of, make_bundle, write_variant
from tests.trust.sigstore_instance import ASKED, BUILT, CPU, LISTED, SIGNATURE, Signing

CUDA = "torch213-cxx11-cu130-x86_64-linux"
EVIL = "raise SystemExit('unsigned code')\n"


def write(file: Path, text: str = EVIL) -> None:
    """Write code that nobody has signed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def link_package(signed: Path) -> None:
    write(signed.with_name("evil") / "__init__.py")
    (signed / CPU / "_ops").symlink_to(signed.with_name("evil"))


def rename(signed: Path) -> None:
    (signed / CPU).rename(signed / CUDA)
    for path in (LISTED, BUILT):
        (signed / path).rename(signed / path.replace(CPU, CUDA))


def remove_list(signed: Path) -> None:
    for path in (LISTED, BUILT):
        (signed / path).unlink()


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a linked package folder": (link_package, "found  a symbolic link"),
    "a named pipe": (lambda s: os.mkfifo(s / CPU / "x.py"), "found  a named pipe"),
    "bytecode": (lambda s: write(s / CPU / "__pycache__/_ops.pyc"), "new: __pycache__/_ops.pyc"),
    "code under the name of a signature": (lambda s: write(s / CPU / "x.so.sigstore"),
        "new: x.so.sigstore"),
    "another name of the variant": (rename, f"found  signed as the variant {CPU}"),
    "no list of sources": (remove_list, f"at     {LISTED}\n       found  no such file"),
    "another benchmark": (lambda s: write(s / "benchmarks/benchmark.py"),
        "it is about other files: benchmarks/benchmark.py"),
    "a folder without metadata": (lambda s: write(s / "torch-cpu/__init__.py"),
        "at     torch-cpu\n       found  of no variant here"),
    "a folder that is called like a list": (lambda s: write(s / "findings/all.json/x.py"),
        "at     findings/all.json/x.py"),
    "an empty folder": (lambda s: (s / "torch-cpu").mkdir(), "at     torch-cpu\n"),
    "a file that is called like a folder": (lambda s: write(s / "findings"), "at     findings\n"),
    "code in the provenance": (lambda s: write(s / "provenance" / CPU / "x.py"),
        f"at     provenance/{CPU}/x.py"),
    "code among the states": (lambda s: write(s / "sandbox/evil/__init__.py"),
        "at     sandbox/evil/__init__.py"),
    "a state of another variant": (lambda s: write(s / "sandbox" / CUDA, f"on {'0' * 64}\n"),
        f"at     sandbox/{CUDA}"),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=pytest.mark.attack("verify-signature", each, "refused"))
        for each in CHANGES
    ],
)
def test_each_change_is_refused(name: str, signing: Signing, signed: Path) -> None:
    change, found = CHANGES[name]
    assert signing.verify(signed).status == 0
    change(signed)
    done = signing.verify(signed)
    assert (done.status, done.stdout) == (1, "")
    assert found in done.stderr


def sign_another_kernel(signing: Signing, folder: Path, variant: str) -> Path:
    """Let the same workflow sign another kernel of its repository."""
    made = make_bundle(folder, variant)
    metadata = made / variant / "metadata.json"
    metadata.write_text(metadata.read_text().replace('"name": "tiny"', '"name": "other"'))
    assert signing.sign(made).status == 0
    return made


def sign_another_version(signing: Signing, folder: Path, variant: str) -> Path:
    made = make_bundle(folder, variant)
    write_variant(made / variant, version=7, listed=list_of(variant, ""))
    assert signing.sign(made).status == 0
    return made


@pytest.mark.attack("verify-signature", "another signed kernel of the repository", "told by name")
def test_other_kernel(signing: Signing, signed: Path) -> None:
    assert signing.verify(signed, *ASKED, "--name", "tiny").status == 0
    other = sign_another_kernel(signing, signed.with_name("other"), CPU)
    assert signing.verify(other).stdout.startswith("1 variants of other are whole, and signed by")
    done = signing.verify(other, *ASKED, "--name", "tiny")
    assert (done.status, done.stdout) == (1, "")
    assert "found  a variant of the kernel other\n       want   tiny" in done.stderr


@pytest.mark.attack("verify-signature", "variants of several kernels or versions", "refused")
@pytest.mark.parametrize(
    ("sign", "want"), [(sign_another_kernel, "name"), (sign_another_version, "version")]
)
def test_mixtures(
    signing: Signing, signed: Path, sign: Callable[[Signing, Path, str], Path], want: str
) -> None:
    other = sign(signing, signed.with_name("other"), CUDA)
    shutil.copytree(other / CUDA, signed / CUDA)
    for path in other.glob(f"provenance/{CUDA}*"):
        shutil.copy(path, signed / "provenance")
    said = signing.verify(signed).stderr
    assert f"want   one {want}" in said
    assert "(1 problem)" in said


@pytest.mark.attack("verify-signature", "signed variants or signatures swapped", "refused")
def test_swapped(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU, CUDA)
    assert signing.sign(bundle).status == 0
    assert signing.verify(bundle).status == 0
    own = (bundle / CPU / SIGNATURE).read_bytes()
    shutil.copy(bundle / CUDA / SIGNATURE, bundle / CPU / SIGNATURE)
    found = f"at     {CPU}/{SIGNATURE}\n       found  refused: Bundle message digest"
    assert found in signing.verify(bundle).stderr
    (bundle / CPU / SIGNATURE).write_bytes(own)
    (bundle / CPU).rename(bundle / "third")
    (bundle / CUDA).rename(bundle / CPU)
    (bundle / "third").rename(bundle / CUDA)
    said = signing.verify(bundle).stderr
    for one, other in ((CPU, CUDA), (CUDA, CPU)):
        assert f"at     {one}\n       found  signed as the variant {other}" in said


@pytest.mark.attack("verify-signature", "benchmarks beside and in a fetched build/", "compared")
def test_second_benchmark(signing: Signing, signed: Path) -> None:
    fetched = signed.with_name("fetched")
    fetched.mkdir()
    shutil.move(signed, fetched / "build")
    shutil.move(fetched / "build" / "provenance", fetched)
    shutil.copytree(fetched / "build" / "benchmarks", fetched / "benchmarks")
    assert signing.verify(fetched).status == 0
    for place in (fetched, fetched / "build"):
        file = place / "benchmarks" / "benchmark.py"
        kept = file.read_text()
        file.write_text(EVIL)
        assert "other files: benchmarks/benchmark.py" in signing.verify(fetched).stderr
        file.write_text(kept)


@pytest.mark.attack("sign", "metadata nested deeply, or a list with another hash", "refused")
def test_what_is_not_signed(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    metadata = (bundle / CPU / "metadata.json").read_text()
    (bundle / CPU / "metadata.json").write_text("[" * 100_000)
    assert "is no metadata of a build" in signing.sign(bundle).stderr
    (bundle / CPU / "metadata.json").write_text(metadata)
    # A full disk leaves a list that is newer than the variant.
    newer = list_of(CPU, "newer")
    (bundle / LISTED).write_text(newer)
    done = signing.sign(bundle)
    assert done.status == 1
    assert "found  another SHA-256 than metadata.json states" in done.stderr
    assert signing.instance.requests == []
    write_variant(bundle / CPU, "newer", listed=newer)
    assert signing.sign(bundle).status == 0
