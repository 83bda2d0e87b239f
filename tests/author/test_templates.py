"""Every template: evaluated for all its backends, built and tested where that needs no GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernel_builder.commands.init import BACKENDS
from tests.author.authoring import Author, use_registries
from tests.evaluation import SYSTEM


def read_variants(author: Author, folder: Path) -> dict[str, str | None]:
    """Return why each variant cannot be built here, or None."""
    said = author.kernel_builder("check-config", "--json", cwd=folder).stdout
    checked = json.loads(said)
    assert checked["valid"], checked
    return {**dict.fromkeys(checked["variants"]), **checked["unavailable"]}


@pytest.mark.parametrize("backend", ["cpu", "cuda", "metal", "rocm", "xpu"])
def test_one_backend_of_the_kernel(author: Author, backend: str) -> None:
    folder = author.init(f"only-{backend}", "--backends", backend)
    names = author.kernel_builder("list-variants", "--json", cwd=folder).stdout
    computes = {name.split("-")[-3] for name in json.loads(names)["variants"]}
    prefix = {"cuda": "cu"}.get(backend, backend)
    assert computes
    assert all(compute.startswith(prefix) for compute in computes), computes


def test_all_backends_of_the_kernel(author: Author) -> None:
    folder = author.init("every", "--backends", "all")
    variants = read_variants(author, folder)
    assert any("-cpu-" in name for name in variants)
    assert any("-cu1" in name for name in variants)


@pytest.mark.parametrize("template", BACKENDS)
def test_a_new_kernel_has_nothing_to_warn_of(author: Author, template: str) -> None:
    folder = author.init(f"fresh-{template}", "--template", template, "--backends", "all")
    # The lock is news of the first evaluation alone.
    author.nix("flake", "lock", cwd=folder)
    author.run("git", "add", "flake.lock", cwd=folder)
    for words in (["check-config"], ["list-variants"], ["list-variants", "--explain"]):
        said = author.kernel_builder(*words, cwd=folder)
        assert said.stderr == "", words
    said = author.kernel_builder("build", "--dry-run", cwd=folder)
    assert all(line.startswith("to fetch: ") for line in said.stderr.splitlines()), said.stderr


def test_stable_abi(author: Author) -> None:
    folder = author.init("stable", "--template", "stable-abi", "--backends", "cpu", "cuda")
    use_registries(folder)
    name = f"torch-stable-abi211-cpu-{SYSTEM}"
    author.kernel_builder("build", "--variant", name, cwd=folder)
    author.nix("run", f".#ciTests.{name}", "--", "-q", cwd=folder)


def test_triton(author: Author) -> None:
    folder = author.init("noarch", "--template", "triton", "--backends", "all")
    assert set(read_variants(author, folder)) == {"torch-cuda", "torch-rocm", "torch-xpu"}
    # Where no Torch can be imported in the build, so that nothing large is fetched.
    author.kernel_builder("build", "--variant", "torch-rocm", cwd=folder)
    metadata = json.loads((folder / "result/torch-rocm/metadata.json").read_text())
    assert metadata["backend"] == {"type": "rocm"}


def test_nix_flake_init(author: Author, tmp_path: Path) -> None:
    author.nix("flake", "init", "--template", f"git+file://{author.clone}", cwd=tmp_path)
    assert (tmp_path / "build.toml").is_file()
    assert (tmp_path / ".github/workflows/build.yml").is_file()
