"""Where an upload goes, and which variants it has to have."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel_builder.hub.bundle import Bundle, read_bundle
from kernel_builder.hub.target import (
    Stated,
    choose_branch,
    choose_repository,
    require_all,
    require_known,
)
from kernel_builder.messages.errors import KernelBuilderError
from tests.hub.built import make_bundle

CPU = "torch213-cxx11-cpu-x86_64-linux"
SYSTEM = "x86_64-linux"


@pytest.fixture
def built(tmp_path: Path) -> Bundle:
    return read_bundle(make_bundle(tmp_path / "bundle", CPU, "torch-cuda"))


def test_the_command_line_comes_before_build_toml(built: Bundle) -> None:
    stated = Stated(version=1, repo_id="org/stated", branch="stated")
    assert choose_repository("me/asked", stated) == "me/asked"
    assert choose_repository(None, stated) == "org/stated"
    assert choose_branch("asked", stated, built) == "asked"
    assert choose_branch(None, stated, built) == "stated"
    assert choose_branch(None, Stated(version=1), built) == "v1"
    assert choose_branch(None, Stated(), built) == "v1"


def test_what_a_kernel_states() -> None:
    manifest = {
        "version": 2,
        "hub": {"repo-id": "org/k", "branch": None},
        "variants": [
            {"name": CPU, "bundle": True},
            {"name": "torch-rocm", "bundle": True, "unavailable": "why"},
            {"name": "torch-xpu", "bundle": False},
        ],
    }
    names = [CPU, "torch-rocm", "torch-xpu"]
    assert Stated.read(manifest) == Stated(2, "org/k", None, names, names[:2])


@pytest.mark.parametrize("option", [None, "name-alone", "a/b/c", "/b"])
def test_no_repository(option: str | None) -> None:
    with pytest.raises(KernelBuilderError, match="repository"):
        choose_repository(option, Stated())


def test_a_kernel_without_version_needs_a_branch(built: Bundle) -> None:
    stated = Stated(version=None, variants=[CPU])
    with pytest.raises(KernelBuilderError, match="state version = 1"):
        choose_branch(None, stated, built)
    assert choose_branch("asked", stated, built) == "asked"


def test_a_build_of_another_version(built: Bundle) -> None:
    with pytest.raises(KernelBuilderError, match=r"2 in build.toml, 1 in what was built"):
        choose_branch("asked", Stated(version=2), built)


def test_missing_variants(built: Bundle) -> None:
    require_all(built, Stated())
    require_all(built, Stated(variants=[CPU, "torch-xpu"], bundled=[CPU]))
    with pytest.raises(KernelBuilderError, match="at     torch-xpu\n"):
        require_all(built, Stated(bundled=[CPU, "torch-xpu"]))


def test_variants_of_an_older_build(built: Bundle) -> None:
    require_known(built, Stated(), SYSTEM)
    require_known(built, Stated(variants=[CPU, "torch-cuda"]), SYSTEM)
    with pytest.raises(KernelBuilderError, match=f"at     {CPU}\n"):
        require_known(built, Stated(variants=["torch-cuda"]), SYSTEM)
    with pytest.raises(KernelBuilderError, match="at     torch-cuda\n"):
        require_known(built, Stated(variants=[CPU]), SYSTEM)
    # Built elsewhere and brought here, which nothing can be said about.
    require_known(built, Stated(variants=["torch-cuda"]), "aarch64-linux")
