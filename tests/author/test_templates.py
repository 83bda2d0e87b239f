"""Every template, for every backend and system: built, or compiled, or else instantiated."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from kernel_builder.authoring.init import BACKENDS, FOLDER
from tests.author.authoring import Author
from tests.evaluation import ROOT, SYSTEM, evaluate, outputs_of, path_of, realise
from tests.rocm.rocm_kernel import STAND_INS


def read_variants(author: Author, folder: Path) -> dict[str, str | None]:
    """Return why each variant cannot be built here, or None."""
    said = author.kernel_builder("check-config", "--json", cwd=folder).stdout
    checked = json.loads(said)
    assert checked["valid"], checked
    return {**dict.fromkeys(checked["variants"]), **checked["unavailable"]}


def test_triton(author: Author) -> None:
    folder = author.init("noarch", "--template", "triton", "--backends", "all")
    assert set(read_variants(author, folder)) == {"torch-cuda", "torch-rocm", "torch-xpu"}
    # No Torch can be imported in this build, so nothing large is fetched.
    author.kernel_builder("build", "--variant", "torch-rocm", cwd=folder)
    metadata = json.loads((folder / "result/torch-rocm/metadata.json").read_text())
    assert metadata["backend"] == {"type": "rocm"}


def test_nix_flake_init(author: Author, tmp_path: Path) -> None:
    author.nix("flake", "init", "--template", f"git+file://{author.clone}", cwd=tmp_path)
    assert (tmp_path / "build.toml").is_file()
    assert (tmp_path / ".github/workflows/build.yml").is_file()


ON_CPU = f"overlays = [ (import {path_of(ROOT / 'stand-ins')}).xpuOnCpu ];"
SYSTEMS = ("aarch64-darwin", "aarch64-linux", "x86_64-linux")
# The templates are kernels; `test_templates.py` builds their variants for this machine's CPU whole.
COMPILED = "variant: map (object: object.drvPath) variant.objects"


class Case(NamedTuple):
    """A variant whose units are compiled.

    `of` is an expression with the outputs that have it, `arguments` are those of the flake.
    """

    template: str
    variant: str
    of: str = "outputs"
    arguments: str = ""


CUDA = 'outputs.forTargets [ "9.0" ]'
CASES = [
    Case("kernel", "torch213-cpu-aarch64-darwin", "outputs.cross.aarch64-darwin"),
    # The oldest Torch has the smallest wheel.
    Case("kernel", "torch29-cxx11-cpu-aarch64-linux", "outputs.cross.aarch64-linux"),
    Case("kernel", f"torch213-cxx11-cu130-{SYSTEM}", CUDA),
    Case("kernel", f"torch213-cxx11-rocm72-{SYSTEM}", arguments=STAND_INS),
    Case("kernel", f"torch213-cxx11-xpu20260-{SYSTEM}", arguments=ON_CPU),
    Case("stable-abi", "torch-stable-abi211-cpu-aarch64-darwin", "outputs.cross.aarch64-darwin"),
    Case("stable-abi", f"torch-stable-abi211-cu130-{SYSTEM}", CUDA),
]


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="x86_64-linux is what builds for the others")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.template}-{case.variant}")
def test_its_units_are_compiled(case: Case) -> None:
    outputs = outputs_of(FOLDER / case.template, case.arguments)
    variant = f"({case.of}).redistributable.{json.dumps(case.variant)}"
    drvs = evaluate(f"let outputs = {outputs}; in ({COMPILED}) {variant}")
    assert len(drvs) > 1
    assert all(each.is_file() or each.is_dir() for each in realise(*drvs))


@pytest.mark.parametrize("template", BACKENDS)
def test_its_variants_are_instantiated(template: str) -> None:
    asked = """outputs: {
      backends = map (variant: variant.backend) outputs.variantDetails;
      drvs = map (variant: variant.drvPath) (builtins.attrValues outputs.redistributable);
    }"""
    backends: set[str] = set()
    for system in SYSTEMS:
        found = evaluate(f"({asked}) ({outputs_of(FOLDER / template, system=system)})")
        assert len(found["drvs"]) == len(found["backends"])
        backends |= {*found["backends"]}
    assert backends == {*BACKENDS[template]}
