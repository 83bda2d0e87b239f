"""Where an upload goes, and which variants it has to have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from kernel_builder.hub.bundle import Bundle, read_bundle
from kernel_builder.hub.target import choose_branch, choose_repository, find_wrong_variants
from kernel_builder.messages.errors import KernelBuilderError
from tests.hub.built import make_bundle

CPU = "torch213-cxx11-cpu-x86_64-linux"
SYSTEM = "x86_64-linux"


def stated(
    version: int = 1,
    repo_id: str | None = None,
    branch: str | None = None,
    bundle: Mapping[str, bool] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return what the evaluation of a kernel gives, whose variants are in bundles or not."""
    return {
        "system": SYSTEM,
        "version": version,
        "hub": {"repo-id": repo_id, "branch": branch},
        "variants": [{"name": name, "bundle": part} for name, part in bundle.items()],
    }


@pytest.fixture
def built(tmp_path: Path) -> Bundle:
    return read_bundle(make_bundle(tmp_path / "bundle", CPU, "torch-cuda"))


def test_the_command_line_comes_before_build_toml(built: Bundle) -> None:
    kernel = stated(1, "org/stated", "stated")
    assert choose_repository("me/asked", kernel) == "me/asked"
    assert choose_repository("", kernel) == "org/stated"
    assert choose_branch("asked", kernel, built) == "asked"
    assert choose_branch("", kernel, built) == "stated"
    assert choose_branch("", stated(1), built) == "v1"
    assert choose_branch("", None, built) == "v1"


@pytest.mark.parametrize("option", ["", "name-alone", "a/b/c", "/b"])
@pytest.mark.parametrize("kernel", [None, stated()])
def test_no_repository(option: str, kernel: dict[str, Any] | None) -> None:
    with pytest.raises(KernelBuilderError, match="repository"):
        choose_repository(option, kernel)


def find(built: Bundle, partial: bool = False, **variants: bool) -> list[str]:
    manifest = stated(bundle=variants)
    return [each.at for each in find_wrong_variants(built, manifest, partial=partial)]


def test_missing_variants(built: Bundle) -> None:
    known = {CPU: True, "torch-cuda": True}
    assert find(built, **known, **{"torch-xpu": False}) == []
    assert find(built, **known, **{"torch-xpu": True}) == ["torch-xpu"]
    assert find(built, partial=True, **known, **{"torch-xpu": True}) == []
