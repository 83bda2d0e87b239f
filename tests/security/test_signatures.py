"""A signature covers the kernel, the variant and all of its files, and nothing else is accepted."""

# ruff: noqa: F811 (fixtures of other suites, which are imported)

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hub.built import list_of, make_bundle, write_variant
from tests.hub.conftest import instance, isolated, signed, signing  # noqa: F401 (fixtures)
from tests.hub.signing import ASKED, BUILT, CPU, LISTED, SIGNATURE, Signing

CUDA = "torch213-cxx11-cu130-x86_64-linux"


@pytest.fixture
def refuse(signing: Signing, signed: Path) -> Callable[..., str]:
    """Return what is said of the signed kernel, which was good before it was changed."""
    assert signing.verify(signed).status == 0

    def verify(*words: str) -> str:
        done = signing.verify(signed, *ASKED, *words)
        assert done.status == 1
        assert done.stdout == ""
        return done.stderr

    return verify


Refuse = Callable[..., str]


@pytest.mark.attack(
    "verify-signature", "a linked package folder in a signed variant", "refused: a link"
)
def test_linked_package(refuse: Refuse, signed: Path) -> None:
    evil = signed.with_name("evil")
    evil.mkdir()
    (evil / "__init__.py").write_text("raise SystemExit('unsigned code')\n")
    (signed / CPU / "_ops").symlink_to(evil)
    assert "found  a symbolic link" in refuse()


@pytest.mark.attack(
    "verify-signature", "a linked `__pycache__` in a signed variant", "refused: a link"
)
def test_linked_bytecode(refuse: Refuse, signed: Path) -> None:
    cache = signed.with_name("cache")
    cache.mkdir()
    (signed / CPU / "__pycache__").symlink_to(cache)
    assert "found  a symbolic link" in refuse()


@pytest.mark.attack(
    "verify-signature", "a real `__pycache__` in a signed variant", "refused: a new file"
)
def test_bytecode(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "__pycache__").mkdir()
    (signed / CPU / "__pycache__" / "_ops.cpython-311.pyc").write_bytes(b"")
    assert "new: __pycache__/_ops.cpython-311.pyc" in refuse()


@pytest.mark.attack(
    "verify-signature", "a named pipe or a socket in a signed variant", "refused: no file"
)
def test_pipe_and_socket(refuse: Refuse, signed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(signed / CPU / "x.py")
    assert "found  a named pipe" in refuse()
    (signed / CPU / "x.py").unlink()
    # A socket's name is short: 108 bytes.
    monkeypatch.chdir(signed / CPU)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("s")
        assert "found  a socket" in refuse()


@pytest.mark.attack(
    "verify-signature", "a signed variant under another name", "refused: the signature names it"
)
def test_renamed(refuse: Refuse, signed: Path) -> None:
    (signed / CPU).rename(signed / CUDA)
    for path in (LISTED, BUILT):
        (signed / path).rename(signed / path.replace(CPU, CUDA))
    said = refuse()
    assert f"found  signed as the variant {CPU}" in said
    assert f"at     {BUILT.replace(CPU, CUDA)}" in said
    assert f"signed as the variant {CPU}" in refuse("--variants-only")


def sign_other(signing: Signing, folder: Path, *variants: str) -> Path:
    """Let the same workflow sign another kernel of its repository."""
    made = make_bundle(folder, *variants)
    for variant in variants:
        metadata = made / variant / "metadata.json"
        metadata.write_text(metadata.read_text().replace('"name": "tiny"', '"name": "other"'))
    assert signing.sign(made).status == 0
    return made


@pytest.mark.attack(
    "verify-signature",
    "another signed kernel of the same repository",
    "its name is printed; refused with --name",
)
def test_other_kernel(signing: Signing, signed: Path) -> None:
    assert signing.verify(signed, *ASKED, "--name", "tiny").status == 0
    other = sign_other(signing, signed.with_name("other"), CPU)
    assert signing.verify(other).stdout.startswith("1 variants of other are whole, and signed by")
    done = signing.verify(other, *ASKED, "--name", "tiny")
    assert (done.status, done.stdout) == (1, "")
    assert "found  a variant of the kernel other\n       want   tiny" in done.stderr


@pytest.mark.attack(
    "verify-signature", "a signed variant of another kernel beside one's own", "refused"
)
def test_mixed_kernels(signing: Signing, refuse: Refuse, signed: Path) -> None:
    other = sign_other(signing, signed.with_name("other"), CUDA)
    shutil.copytree(other / CUDA, signed / CUDA)
    for path in other.glob(f"provenance/{CUDA}*"):
        shutil.copy(path, signed / "provenance")
    said = refuse()
    assert "want   variants of one kernel" in said
    assert "(1 problem)" in said


@pytest.mark.attack(
    "verify-signature", "two signed variants in each other's folder", "both refused"
)
def test_swapped(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU, CUDA)
    assert signing.sign(bundle).status == 0
    assert signing.verify(bundle).status == 0
    (bundle / CPU).rename(bundle / "third")
    (bundle / CUDA).rename(bundle / CPU)
    (bundle / "third").rename(bundle / CUDA)
    said = signing.verify(bundle).stderr
    assert f"at     {CPU}\n       found  signed as the variant {CUDA}" in said
    assert f"at     {CUDA}\n       found  signed as the variant {CPU}" in said


@pytest.mark.attack(
    "verify-signature", "the signature of another variant", "refused: another digest"
)
def test_signature_of_another(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU, CUDA)
    assert signing.sign(bundle).status == 0
    shutil.copy(bundle / CUDA / SIGNATURE, bundle / CPU / SIGNATURE)
    shutil.copy(bundle / BUILT.replace(CPU, CUDA), bundle / BUILT)
    said = signing.verify(bundle)
    assert said.status == 1
    assert f"at     {CPU}/{SIGNATURE}\n       found  refused: Bundle message digest" in said.stderr


@pytest.mark.attack(
    "verify-signature",
    "the list of sources and its signatures are removed",
    "refused: no such file",
)
@pytest.mark.parametrize("removed", [(LISTED, BUILT), (BUILT,)])
def test_removed_list(refuse: Refuse, signed: Path, removed: tuple[str, ...]) -> None:
    for path in removed:
        (signed / path).unlink()
    assert f"at     {removed[0]}\n       found  no such file" in refuse()


@pytest.mark.attack(
    "verify-signature", "benchmarks or card are replaced", "refused: they are signed"
)
@pytest.mark.parametrize("path", ["benchmarks/benchmark.py", "benchmarks/new.py", "CARD.md"])
def test_replaced_benchmark(refuse: Refuse, signed: Path, path: str) -> None:
    (signed / path).write_text("raise SystemExit('unsigned code')\n")
    assert f"it is about other files: {path}" in refuse()


@pytest.mark.attack(
    "verify-signature", "benchmarks inside and outside of a fetched build/", "both compared"
)
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
        file.write_text("raise SystemExit('unsigned code')\n")
        assert "other files: benchmarks/benchmark.py" in signing.verify(fetched).stderr
        file.write_text(kept)


@pytest.mark.attack(
    "verify-signature", "a folder without metadata beside signed variants", "refused"
)
def test_extra_folder(refuse: Refuse, signed: Path) -> None:
    (signed / "torch-cpu").mkdir()
    (signed / "torch-cpu" / "__init__.py").write_text("raise SystemExit('unsigned code')\n")
    for words in ((), ("--variants-only",)):
        assert "at     torch-cpu\n       found  no metadata.json" in refuse(*words)


def replace_states(signed: Path, change: Callable[[Path], object]) -> None:
    shutil.rmtree(signed / "sandbox", ignore_errors=True)
    change(signed / "sandbox")


def write(file: Path, text: str = "raise SystemExit('unsigned code')\n") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


STATES: dict[str, tuple[Callable[[Path], object], str]] = {
    "code": (lambda s: write(s / "evil" / "__init__.py"), "at     sandbox/evil/__init__.py"),
    "a link": (lambda s: s.symlink_to("/etc"), "found  a symbolic link"),
    "a dangling link": (lambda s: s.symlink_to("/nowhere"), "found  a symbolic link"),
    "a file": (write, "found  a regular file"),
    "of another variant": (lambda s: write(s / CUDA, f"on {'0' * 64}\n"), f"at     sandbox/{CUDA}"),
    "code as a state": (lambda s: write(s / CPU), f"at     sandbox/{CPU}"),
}


@pytest.mark.attack("verify-signature", "code, a file or a link at build/sandbox", "refused")
@pytest.mark.parametrize("how", STATES)
def test_states_of_the_sandbox(how: str, refuse: Refuse, signed: Path) -> None:
    change, said = STATES[how]
    replace_states(signed, change)
    for words in ((), ("--variants-only",)):
        assert said in refuse(*words)


@pytest.mark.attack(
    "verify-signature", "a signed variant of an older version beside a new one", "refused"
)
def test_mixed_versions(signing: Signing, refuse: Refuse, signed: Path) -> None:
    old = make_bundle(signed.with_name("old"), CUDA)
    write_variant(old / CUDA, version=7, listed=list_of(CUDA, ""))
    assert signing.sign(old).status == 0
    assert signing.verify(old).status == 0
    shutil.copytree(old / CUDA, signed / CUDA)
    for path in old.glob("provenance/*"):
        shutil.copy(path, signed / "provenance")
    said = refuse()
    assert "want   variants of one version" in said
    assert f"{CPU}: 1" in said
    assert f"{CUDA}: 7" in said


@pytest.mark.attack(
    "verify-signature", "1500 nested folders, or an empty folder, in a variant", "refused"
)
def test_folders_without_files(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "_ops").mkdir()
    assert "new: _ops/" in refuse()
    (signed / CPU / "_ops").rmdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(signed / CPU)
        for _ in range(1500):
            os.mkdir("d")  # noqa: PTH102 (the whole path would be too long)
            os.chdir("d")
        Path("file").touch()
    try:
        assert "more than 200 folders in each other" in refuse()
    finally:
        # The fixture's own way calls itself for each folder.
        subprocess.run(["rm", "-rf", signed / CPU / "d"], check=True)


@pytest.mark.attack("verify-signature", "a variant's folder is a link", "refused: a link")
def test_linked_variant(refuse: Refuse, signed: Path) -> None:
    (signed / CPU).rename(signed.parent / CPU)
    (signed / CPU).symlink_to(signed.parent / CPU)
    assert "found  a symbolic link" in refuse()


@pytest.mark.attack("verify-signature", "escapes in file names", "written out")
def test_escapes_in_names(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "x\x1b]52;c;evil\a.py").write_text("")
    said = refuse()
    assert r"x\x1b]52;c;evil\x07.py" in said
    assert "\x1b" not in said


@pytest.mark.attack("sign", "metadata that nests 100,000 lists", "refused: no JSON")
def test_depth_bomb(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    (bundle / CPU / "metadata.json").write_text("[" * 100_000)
    assert "no JSON" in signing.sign(bundle).stderr


@pytest.mark.attack("sign", "a forged list of sources", "refused: metadata.json has its hash")
def test_forged_list(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    (bundle / LISTED).write_text('{"forged": true}')
    done = signing.sign(bundle)
    assert done.status == 1
    assert "found  another SHA-256 than metadata.json states" in done.stderr
    assert signing.instance.requests == []


@pytest.mark.fault("sign", "a full disk mixes a new list with an older variant", "refused")
def test_mixture(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    newer = list_of(CPU, "newer")
    (bundle / LISTED).write_text(newer)
    assert "the list whose hash metadata.json" in signing.sign(bundle).stderr
    write_variant(bundle / CPU, "newer", listed=newer)
    assert signing.sign(bundle).status == 0


@pytest.mark.attack(
    "verify-signature", "`x.so.sigstore`, code under the name of a signature", "refused"
)
def test_named_as_a_signature(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "x.so.sigstore").write_text("")
    assert "new: x.so.sigstore" in refuse()
