"""`verify`: a kernel that is what it says, and kernels that are not what they seem.

More than 300 lines because most tests build the same kernel, and the fixtures for it are here.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.settings import change_settings
from kernel_builder.trust.verify import fetch_published
from kernel_builder.variants.result import hash_as_stated
from tests.author.authoring import clone_repository
from tests.cli.command_line import Cli, path_with_nix
from tests.evaluation import ROOT, SYSTEM, VARIANT, run_nix
from tests.hub.built import make_bundle, write_variant
from tests.hub.client import REPO, Client, Uploader, invoke
from tests.hub.exchange import Hub
from tests.tiny_kernel import BUILD, TinyKernel, commit_all, git

Fail = Callable[..., str]
ADDRESS = "https://example.invalid/me/kernels"
ELSEWHERE = f"torch213-cxx11-cpu-{'x86_64' if SYSTEM.startswith('aarch64') else 'aarch64'}-linux"
FLAKE = """{
  inputs.kernel-builder.url = "github:own/kernel-builder";
  outputs = { self, kernel-builder }: kernel-builder.lib.genKernelFlakeOutputs {
    inherit self;
    path = ./.;
  };
}
"""
OTHER = '"""Another one."""\n\nfrom ._ops import ops\n\n\ndef answer() -> int:\n    return 43\n'


@dataclass
class Source:
    """A repository with a kernel, and what was built from its first commit."""

    folder: Path
    kernel: TinyKernel
    bundle: Path
    builder: Path
    first: str
    second: str
    broken: str

    @property
    def locked(self) -> str:
        """Commit and hash of the builder."""
        data = json.loads((self.kernel.folder / "flake.lock").read_text())
        pin = data["nodes"]["builder"]["locked"]
        return f"{pin['rev']}, {pin['narHash']}"

    @property
    def words(self) -> tuple[str, ...]:
        """Arguments of `verify` for what was built here."""
        trusted = ("--builder", str(self.builder), "--allow-vulnerable-nix")
        return ("--source", str(self.folder), *trusted)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """A kernel built from a commit; its repository has gone on since, and its files, too."""
    folder = tmp_path_factory.mktemp("verify")
    builder = clone_repository(folder / "kernel-builder")
    text = BUILD.replace('license = "mit"', f'license = "mit"\nsource = "{ADDRESS}"')
    text = text.replace("[torch]", '[torch]\npyext = ["py", "bin"]')
    files = {
        "flake.nix": FLAKE,
        "build.toml": text,
        "flake.lock": lock_to(builder),
        "torch-ext/tiny/table.bin": "data\n",
        "benchmarks/benchmark.py": "print(1)\n",
    }
    repository = folder / "kernels"
    kernel = TinyKernel(repository / "tiny", files)
    TinyKernel(repository / "other", {"build.toml": BUILD.replace('"tiny"', '"other"')})
    first = commit_all(repository)
    program = str(ROOT / "python" / "bin" / "kernel-builder")
    subprocess.run([program, "build", ".", "--variant", VARIANT], cwd=kernel.folder, check=True)
    bundle = shutil.copytree(kernel.folder / "result", folder / "bundle")
    for path in (bundle, *bundle.rglob("*")):
        path.chmod(0o755)
    kernel.write("torch-ext/tiny/__init__.py", OTHER)
    second = commit_all(repository)
    kernel.write("answer/answer.cpp", "no C++ at all")
    return Source(repository, kernel, bundle, builder, first, second, commit_all(repository))


def lock_to(builder: Path) -> str:
    """Return a lock to a clone, as if it were on GitHub: what the store has is not fetched."""
    words = ("flake", "metadata", "--json", f"git+file://{builder}")
    found = json.loads(run_nix("nix", *words))["locked"]
    kept = {key: found[key] for key in ("rev", "narHash", "lastModified")}
    original = {"type": "github", "owner": "own", "repo": "kernel-builder"}
    node = {"locked": {**original, **kept}, "original": original}
    root = {"inputs": {"kernel-builder": "builder"}}
    nodes = {"root": root, "builder": node}
    return json.dumps({"version": 7, "root": "root", "nodes": nodes})


@pytest.fixture
def bundle(source: Source, tmp_path: Path) -> Path:
    """A copy of what was built, which a test may change."""
    return shutil.copytree(source.bundle, tmp_path / "bundle")


def flip(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def test_what_is_published_is_what_its_commit_gives(
    source: Source, bundle: Path, client: Client
) -> None:
    write_variant(bundle / ELSEWHERE)
    (bundle / VARIANT / "metadata.json.sigstore").write_text("{}")
    assert client.upload(bundle).status == 0
    done = client("verify", REPO, *source.words)
    assert done.status == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"the Hub's {REPO}@v1, commit ")
    assert lines[0].endswith(" by somebody")
    # Neither the newest commit nor the files as they lie there now, which would not compile.
    assert lines[1:] == [
        f"  {VARIANT} (cached): the same",
        f"    built from 'tiny' of {source.folder} at {source.first}",
        f"    with kernel-builder {source.builder} at {source.locked}",
        f"  {ELSEWHERE} is not verified: this machine is {SYSTEM}",
        "all files of 1 of 2 variants are the same, the others are not verified",
    ]


def test_the_builder_has_gone_on(
    source: Source, bundle: Path, client: Client, tmp_path: Path
) -> None:
    """The build is repeated with a commit from the history of the trusted builder."""
    newer = tmp_path / "builder"
    git(source.builder, "clone", "--quiet", ".", str(newer))
    (newer / "lib" / "default.nix").write_text('throw "another builder"\n')
    commit_all(newer)
    words = ("--source", str(source.folder), "--builder", str(newer), "--allow-vulnerable-nix")
    done = client("verify", str(bundle), *words)
    assert done.status == 0, done.stdout + done.stderr
    assert f"    with kernel-builder {newer} at {source.locked}" in done.stdout
    lines = done.stdout.splitlines()
    assert (lines[0], lines[-1]) == (f"the folder {bundle}", "all files are the same")


def test_ones_own_tree(source: Source, bundle: Path, tmp_path: Path) -> None:
    """A commit that HEAD comes from is had from the tree, with any Nix; others are as ever."""
    old = path_with_nix(tmp_path / "bin", "nix (Nix) 2.18.1")
    verify = partial(Cli(source.kernel.folder), "verify", "--builder", str(source.builder))
    done = verify(".", PATH=old)
    # `source` in its build.toml leads nowhere.
    assert done.status == 0, done.stdout + done.stderr
    assert f"built from 'tiny' of {source.kernel.folder} at {source.first}" in done.stdout
    assert done.stdout.splitlines()[-1] == "all files are the same"
    for words in ((".", "--source", str(source.folder)), (str(bundle), *source.words[:2])):
        assert "this Nix is no boundary" in verify(*words, PATH=old).stderr
    # The same files in a repository whose history is another one.
    shutil.copytree(source.kernel.folder, tmp_path / "other", symlinks=True)
    commit_all(tmp_path / "other")
    assert "cannot be had as it was" in verify(str(tmp_path / "other"), PATH=old).stderr


def test_what_does_not_build_is_not_verified(source: Source, bundle: Path, client: Client) -> None:
    metadata = bundle / VARIANT / "metadata.json"
    metadata.write_text(metadata.read_text().replace(source.first, source.broken))
    made_up = VARIANT.replace("torch213", "torch11")
    write_variant(bundle / made_up, provenance=json.loads(metadata.read_text())["provenance"])
    done = client.expect(1, "verify", str(bundle), "--json", *source.words)
    verdict = json.loads(done.stdout)
    assert (verdict["is-good"], verdict["rebuilt"]) == (False, [])
    assert verdict["not-compared"][made_up] == "its commit gives no variant of this name"
    assert verdict["not-compared"][VARIANT].startswith("failed: ")
    assert "does not build" in verdict["errors"][0]
    done = client("verify", str(bundle), "--variant", made_up, *source.words)
    assert (done.status, done.stdout.splitlines()[-1]) == (1, "nothing is verified")


def test_a_byte_flipped_in_each_kind_of_file(
    source: Source, bundle: Path, client: Client, hub: Hub
) -> None:
    assert client.upload(bundle).status == 0
    variant = bundle / VARIANT
    (library,) = variant.glob("*.so")
    code = flip(library.read_bytes(), 100)
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
    put += [("remove", f"{at}/_ops.py", None), ("file", "build/more/x.py", b"print(0)\n")]
    hub.repositories.get(REPO).commit("v1", None, "tampered", put, create_pr=False)

    done = client.expect(1, "verify", f"{REPO}@v1", "--json", *source.words)
    verdict = json.loads(done.stdout)
    whys = {
        f"{at}/__pycache__/__init__.cpython-311.pyc": "no build gives it",
        f"{at}/_ops.py": "not published",
        "build/more": "of no variant here: a variant is a folder with metadata.json",
    }
    paths = (path for _, path, _ in put if "more" not in path)
    assert verdict["differences"] == {**dict.fromkeys(paths, "other bytes"), **whys}
    assert verdict["is-good"] is False


@pytest.fixture
def fail(upload: Uploader) -> Fail:
    """Return what `verify` says, within this process, of that which cannot be verified."""
    del upload

    def run_here(*words: str) -> str:
        done = invoke("verify", *words, "--allow-vulnerable-nix")
        assert (done.status, done.stdout) == (1, "")
        assert all(f"    {word} " in done.stderr for word in ("at", "found", "want", "fix"))
        return done.stderr

    return run_here


@pytest.mark.parametrize(
    ("provenance", "found"),
    [
        ({}, "names no commit of the kernel"),
        ({"kernel": {"commit": "--upload-pack=x"}}, "names no commit of the kernel"),
        ({"kernel": {"commit": "a" * 40, "dirty": True}}, "built while kernel had changes"),
        ({"kernel": {"commit": "a" * 40, "dirty": False}}, "found  no `source` in build.toml"),
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


def test_names_of_nothing(
    fail: Fail, upload: Uploader, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is neither a folder nor a repository" in fail("nothing")
    # A folder of this name, which a clone may have, is not what is asked for.
    shutil.copytree(bundle, bundle.parent / "org/none")
    monkeypatch.chdir(bundle.parent)
    assert "org/none is not on the Hub, or not for you" in fail("org/none")
    assert upload(bundle).status == 0
    assert f"{REPO}@v7 is not on the Hub" in fail(f"{REPO}@v7")
    assert f"{REPO}@main is not published" in fail(f"{REPO}@main")
    assert f'did you mean "{VARIANT}"' in fail(str(bundle), "--variant", f"{VARIANT}s")


@pytest.fixture(autouse=True)
def settings() -> None:
    change_settings(untrusted=True, allow_vulnerable=True)


def ask(*words: str) -> tuple[dict[str, Any], str]:
    """Return the verdict of `verify`, within this process, and what is said."""
    done = invoke("verify", *words, "--json", "--allow-vulnerable-nix")
    return json.loads(done.stdout or "{}"), done.stderr


# ---- what a folder holds ----


@pytest.mark.attack("verify", "names below build/ that are patterns, or of other systems", "told")
def test_names_that_are_not_fetched(upload: Uploader, hub: Hub, tmp_path: Path) -> None:
    assert upload(make_bundle(tmp_path / "made", VARIANT)).status == 0
    names = [f"[x]{VARIANT}", "[a]x.py", "evil-aarch64-linux", "evil-x86_64-linux", "e*", "sandbox"]
    put = [("file", f"build/{n}{'' if n.endswith('.py') else '/x.py'}", b"evil") for n in names]
    hub.repositories.get(REPO).commit("v1", None, "evil", put, create_pr=False)
    (tmp_path / "fetched").mkdir()
    _, strays = fetch_published(REPO, [], tmp_path / "fetched")
    assert sorted(strays) == sorted(f"build/{name}" for name in names)
    # A name is no pattern: nothing else is fetched for it.
    assert (tmp_path / "fetched" / "build" / f"[x]{VARIANT}" / "x.py").exists()


@pytest.mark.attack(
    "verify", "another file with its digest in metadata.json, and a flake that gives both", "told"
)
def test_a_flake_that_agrees(source: Source, bundle: Path, tmp_path: Path) -> None:
    """The output of the variant's own derivation, of our own library, is compared."""
    theirs = tmp_path / "theirs"
    git(source.folder, "clone", "--quiet", ".", str(theirs))
    git(theirs, "checkout", "--quiet", source.first)
    flake = theirs / "tiny" / "flake.nix"
    text = flake.read_text().replace("outputs =", "outputs = inputs: throw 1; others =")
    flake.write_text(text)
    new = commit_all(theirs)
    file, metadata = bundle / VARIANT / "__init__.py", bundle / VARIANT / "metadata.json"
    old = hash_as_stated(file)
    file.write_text(OTHER)
    stated = metadata.read_text().replace(source.first, new)
    metadata.write_text(stated.replace(old, hash_as_stated(file)))
    words = ("--source", str(theirs), *source.words[2:])
    verdict, _ = ask(str(bundle), *words)
    assert verdict["is-good"] is False
    assert verdict["differences"][f"build/{VARIANT}/__init__.py"] == "other bytes"
    assert verdict["differences"][f"build/{VARIANT}/metadata.json"] == "other bytes"
    note = "flake.nix does more than call genKernelFlakeOutputs, and that is not applied"
    assert note in verdict["notes"]


@pytest.mark.attack("verify", "a pipe or a linked folder in what `verify` reads", "refused")
def test_links_and_pipes(source: Source, bundle: Path, tmp_path: Path) -> None:
    words = (str(bundle), *source.words)
    os.mkfifo(bundle / VARIANT / "x.py")
    assert "found  a named pipe" in ask(*words)[1]
    (bundle / VARIANT / "x.py").unlink()
    (bundle / VARIANT / "tiny2").symlink_to(tmp_path)
    assert "found  a symbolic link" in ask(*words)[1]


@pytest.mark.attack("verify", "build.toml is /dev/zero in the repository of `verify`", "not read")
def test_endless_file(bundle: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / "build.toml").symlink_to("/dev/zero")
    (hostile / "flake.nix").write_text("{ outputs = _: { }; }")
    new = commit_all(hostile)
    metadata = bundle / VARIANT / "metadata.json"
    data = json.loads(metadata.read_text())
    data["provenance"]["kernel"]["commit"] = new
    metadata.write_text(json.dumps(data))
    assert (
        "which kernel it was is not clear: 0 fit" in ask(str(bundle), "--source", str(hostile))[1]
    )
