"""Every template: evaluated for all its backends, built and tested where that needs no GPU."""

from __future__ import annotations

import json
from pathlib import Path

from tests.author.authoring import Author


def read_variants(author: Author, folder: Path) -> dict[str, str | None]:
    """Return why each variant cannot be built here, or None."""
    said = author.kernel_builder("check-config", "--json", cwd=folder).stdout
    checked = json.loads(said)
    assert checked["valid"], checked
    return {**dict.fromkeys(checked["variants"]), **checked["unavailable"]}


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
